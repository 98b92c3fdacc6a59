import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const [OLD, NEW, GONE, STALE, UNUSED, USED, PINNED, CHECKED, UNDONE] = [
  'old',
  'new',
  'gone',
  'stale',
  'unused',
  'used',
  'pinned',
  'checked',
  'undone',
].map((name) => idOf(name)) as [string, string, string, string, string, string, string, string, string];

const AT = '2026-03-02T10:00:00Z';
const DAY = 86_400_000;

/** A memory that deserves tidying, in which use was counted for `days`. */
async function untidy({ days = 200 } = {}): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  const record = (id: string, title: string, more: object = {}) =>
    put(repository, observationOf({ id, title, generated: { by: 'test', at: AT }, ...more }));
  repository.write('src/stale.ts', 'one\n');
  const blob = repository.git('hash-object', '-w', 'src/stale.ts').trim();
  repository.write('src/stale.ts', 'two\n');
  repository.commit('code');
  const narrative =
    'The importer reads the whole file into memory, so that files of more than a gigabyte end the process.';
  record(OLD, 'The importer holds the file in memory', { narrative });
  record(NEW, 'The importer holds the whole file in memory', {
    narrative: `${narrative.slice(0, -1)}, and the import with it.`,
  });
  record(GONE, 'The legacy exporter needs a trailing newline', {
    files_read: ['src/gone.ts'],
    anchors: { 'src/gone.ts': blob },
  });
  record(STALE, 'Retries are capped at seven attempts', {
    files_read: ['src/stale.ts'],
    anchors: { 'src/stale.ts': blob },
  });
  record(UNUSED, 'Invoices are numbered per country and year');
  record(USED, 'Webhooks are signed with the second key');
  record(PINNED, 'Releases are cut on Tuesdays by hand');
  record(CHECKED, 'The staging database is emptied at night');
  await repository.call('pin', PINNED);
  await repository.call('verify', CHECKED);
  const folder = join(repository.root, '.git/git-mem/use');
  mkdirSync(folder, { recursive: true });
  const recent = { injected: 1, fetched: 0, followed: 0, lastMs: Date.now() - DAY };
  const records = { [USED]: recent, [NEW]: recent };
  writeFileSync(
    join(folder, 'counts.json'),
    JSON.stringify({ sinceMs: Date.now() - days * DAY, records, sessions: {} }),
  );
  return repository;
}

async function proposed(repository: TestRepository, ...args: string[]): Promise<Record<string, string>> {
  const { proposals } = JSON.parse(await repository.call('tidy', '--json', ...args));
  return Object.fromEntries(
    proposals.map((one: { record: { id: string }; reason: string }) => [one.record.id, one.reason]),
  );
}

describe('git mem tidy', () => {
  it('proposes what is said again, gone, stale and never used, and nothing pinned, verified or used', async () => {
    const repository = await untidy();
    const found = await proposed(repository);
    expect(found).toEqual({ [OLD]: 'superseded', [GONE]: 'stale', [STALE]: 'stale', [UNUSED]: 'unused' });
    expect(Object.keys(await proposed(repository, '--unused', '365d')).sort()).toEqual([GONE, OLD].sort());
  });

  it('calls nothing unused before use was counted for that long', async () => {
    const repository = await untidy({ days: 30 });
    expect(await proposed(repository)).toEqual({ [OLD]: 'superseded', [GONE]: 'stale' });
    expect(await proposed(repository, '--unused', '20d')).toMatchObject({ [UNUSED]: 'unused' });
  });

  it('proposes what was taken back in the history', async () => {
    const repository = await untidy();
    repository.write('src/cache.ts', 'export const TTL = 0;\n');
    repository.commit('Answer');
    repository.write('src/cache.ts', 'export const TTL = 60;\n');
    const generated = { by: 'test', at: new Date().toISOString() };
    const title = 'Answers are kept for a minute';
    const anchors = { 'src/cache.ts': repository.git('hash-object', 'src/cache.ts').trim() };
    const change = { type: 'feature', files_modified: ['src/cache.ts'], anchors, generated };
    put(repository, observationOf({ id: UNDONE, title, ...change }));
    repository.git('commit', '-qam', 'Keep answers for a minute');
    repository.git('revert', '--no-edit', 'HEAD');
    expect(await proposed(repository)).toMatchObject({ [UNDONE]: 'doubtful' });
  });

  it('prints commands and does nothing where nobody can be asked, or with --list', async () => {
    const repository = await untidy();
    const before = repository.git('status', '--porcelain', '-uall');
    const { stdout } = await gitMem(repository, ['tidy']);
    expect(stdout).toContain(
      `# The legacy exporter needs a trailing newline\ngit mem retire ${GONE} --reason "Every file it cites is gone."\n`,
    );
    expect(stdout).toContain(`git mem supersede ${OLD} --by ${NEW} --reason "${NEW} says the same."\n`);
    expect((await gitMem(repository, ['tidy', '--list'], { tty: true })).stdout).toBe(stdout);
    expect(repository.git('status', '--porcelain', '-uall')).toBe(before);
  });

  it('proposes at most as many as are asked for, and says how many more there are', async () => {
    const repository = await untidy();
    const all = Object.keys(await proposed(repository)).length;
    expect(all).toBeGreaterThan(2);
    expect(Object.keys(await proposed(repository, '-n', '2')).length).toBe(2);
    const { stdout, stderr } = await gitMem(repository, ['tidy', '--limit', '2']);
    expect(stdout.match(/^git mem /gm)?.length).toBe(2);
    expect(stderr).toBe(`${all - 2} more: --limit ${all} shows them all.\n`);
  });

  it('asks on a terminal, one key a record, and marks what the person says', async () => {
    const repository = await untidy();
    const order = Object.keys(await proposed(repository));
    const key = (id: string) => (id === GONE || id === OLD ? 'r' : id === STALE ? 'v' : 's');
    const { code, stdout } = await gitMem(repository, ['tidy'], { tty: true, stdin: `x${order.map(key).join('')}` });
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 records marked.')]);
    const { records } = JSON.parse(await repository.call('list', '--all', '--json'));
    const of = (id: string) => records.find((one: { id: string }) => one.id === id);
    expect(of(GONE).retired).toBe(true);
    expect(of(OLD).superseded_by).toEqual([NEW]);
    expect(await proposed(repository)).toEqual({ [UNUSED]: 'unused' });
  });

  it('shows both of two that contradict each other, and has one of them chosen', async () => {
    const repository = createRepository();
    await repository.call('init', '--yes');
    const titles = ['Uploads must be retried by the drain', 'Uploads must not be retried by the drain'];
    for (const title of titles) await repository.call('add', '--title', title, '--file-modified', 'src/upload.ts');
    const commands = (await gitMem(repository, ['tidy'])).stdout.split('\n').filter((line) => line.includes('git mem'));
    expect(commands.map((line) => line.slice(0, 14))).toEqual(['git mem retire', '# or: git mem ']);
    const { stdout } = await gitMem(repository, ['tidy'], { tty: true, stdin: 'r' });
    for (const title of titles) expect(stdout).toContain(title);
    expect(stdout).toContain('1 record marked.');
    expect((await gitMem(repository, ['tidy'])).stderr).toBe('Nothing to tidy.\n');
  });

  it('ends with q, and says where nothing has to be done', async () => {
    const repository = await untidy();
    expect((await gitMem(repository, ['tidy'], { tty: true, stdin: 'q' })).stdout).toContain('0 records marked.');
    expect(Object.keys(await proposed(repository))).toHaveLength(4);
    expect((await gitMem(createRepository(), ['tidy'])).stderr).toBe('Nothing to tidy.\n');
  });
});
