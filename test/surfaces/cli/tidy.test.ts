import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const [OLD, NEW, GONE, STALE, FINE, PINNED, CHECKED] = ['old', 'new', 'gone', 'stale', 'fine', 'pinned', 'checked'].map(
  (name) => idOf(name),
) as [string, string, string, string, string, string, string];

const AT = '2026-03-02T10:00:00Z';
/** A memory that deserves tidying. */
async function untidy(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  const record = (id: string, title: string, more: object = {}) =>
    put(repository, observationOf({ id, title, generated: { by: 'test', at: AT }, ...more }));
  repository.write('src/stale.ts', 'export const maxAttempts = 7;\n');
  const blob = repository.git('hash-object', '-w', 'src/stale.ts').trim();
  repository.write('src/stale.ts', 'export const mostAttempts = 7;\n');
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
  record(STALE, 'Retries are capped by `maxAttempts`', {
    files_read: ['src/stale.ts'],
    anchors: { 'src/stale.ts': blob },
  });
  record(FINE, 'Webhooks are signed with the second key');
  record(PINNED, 'Releases are cut on Tuesdays by hand');
  record(CHECKED, 'The staging database is emptied at night');
  await repository.call('pin', PINNED);
  await repository.call('verify', CHECKED);
  return repository;
}

async function proposed(repository: TestRepository, ...args: string[]): Promise<Record<string, string>> {
  const { proposals } = JSON.parse(await repository.call('tidy', '--json', ...args));
  return Object.fromEntries(
    proposals.map((one: { record: { id: string }; reason: string }) => [one.record.id, one.reason]),
  );
}

describe('git mem tidy', () => {
  it('proposes what is said again, gone or changed, and nothing pinned or verified', async () => {
    const found = await proposed(await untidy());
    expect(found).toEqual({ [OLD]: 'duplicate', [GONE]: 'stale', [STALE]: 'check' });
  });

  it('keeps of two that say the same what the agent wrote, however much longer the other one is', async () => {
    const repository = createRepository();
    const title = 'Tokens of nodes whose clock runs ahead are rejected by verification';
    put(repository, observationOf({ id: OLD, title, extractor: 'agent' }));
    put(repository, observationOf({ id: NEW, title: `${title} everywhere`, extractor: 'bootstrap' }));
    expect(await proposed(repository)).toEqual({ [NEW]: 'duplicate' });
  });

  it('keeps the newer of two, as `git mem check` does', async () => {
    const repository = createRepository();
    const title = 'Tokens of nodes whose clock runs ahead are rejected by verification';
    put(repository, observationOf({ id: NEW, title, generated: { by: 'test', at: '2026-03-03T10:00:00Z' } }));
    put(repository, observationOf({ id: OLD, title: `${title} everywhere`, generated: { by: 'test', at: AT } }));
    const command = `git mem supersede ${OLD} --by ${NEW}`;
    expect(await repository.call('tidy')).toContain(command);
    expect(await repository.call('check')).toContain(command);
    await repository.call('pin', OLD);
    expect(await repository.call('check')).toContain(`git mem supersede ${NEW} --by ${OLD}`);
    expect(await proposed(repository)).toEqual({ [NEW]: 'duplicate' });
  });

  it('never lets a private or untrusted record replace one of the team’s', async () => {
    const repository = createRepository();
    const title = 'Tokens of nodes whose clock runs ahead are rejected by verification';
    put(repository, observationOf({ id: OLD, title }));
    put(repository, observationOf({ id: NEW, title: `${title} everywhere` }), 'private');
    drop(repository, observationOf({ id: FINE, title: `${title} everywhere`, narrative: 'And more.' }));
    expect(await proposed(repository)).toEqual({ [NEW]: 'duplicate' });
  });

  it('leaves it to a reader which of two that supersede the same one is right, and proposes no contradiction', async () => {
    const repository = createRepository();
    put(repository, observationOf({ id: OLD, title: 'The skew is thirty seconds' }));
    put(repository, observationOf({ id: NEW, title: 'Ten seconds of skew pass', supersedes: [OLD] }));
    put(repository, observationOf({ id: FINE, title: 'Clocks are not compared', supersedes: [OLD] }));
    put(repository, observationOf({ id: GONE, title: 'Uploads must be retried by the drain' }));
    put(repository, observationOf({ id: STALE, title: 'Uploads must not be retried by the drain' }));
    expect(await proposed(repository)).toEqual({ [NEW]: 'check', [FINE]: 'check' });
    const { stdout } = await gitMem(repository, ['tidy']);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });

  it('prints commands and does nothing where nobody can be asked', async () => {
    const repository = await untidy();
    const before = repository.git('status', '--porcelain', '-uall');
    const { stdout } = await gitMem(repository, ['tidy']);
    expect(stdout).toContain(
      `# The legacy exporter needs a trailing newline\ngit mem retire ${GONE} --reason "Every file it cites is gone."\n`,
    );
    expect(stdout).toContain(`git mem supersede ${OLD} --by ${NEW} --reason "${NEW} says the same."\n`);
    expect(repository.git('status', '--porcelain', '-uall')).toBe(before);
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
    expect(await proposed(repository)).toEqual({});
  });

  it('ends with q, and says where nothing has to be done', async () => {
    const repository = await untidy();
    expect((await gitMem(repository, ['tidy'], { tty: true, stdin: 'q' })).stdout).toContain('0 records marked.');
    expect(Object.keys(await proposed(repository))).toHaveLength(3);
    expect((await gitMem(createRepository(), ['tidy'])).stderr).toBe('Nothing to tidy.\n');
  });
});
