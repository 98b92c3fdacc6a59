import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Mark, MemoryRecord } from '../../src/memory/record.ts';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { initialised, preparedRepository } from '../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { itSqlite, openDatabase } from '../support/sqlite.ts';
import { observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => createNewer());

const KNOWN = 'k3v9x2qd7m';
const PARTLY = 'p8w2m4ta1c';
const NEW_KIND = 'a1b2c3d4e5';
const NEW_MARK = '7h2c9d4e1f';
const NO_FORMAT = 'b2c3d4e5f6';
const NEW_FOLDER = 'c3d4e5f6g7';

/** What a newer version may have put in a record of a kind that is known. */
const partly = observationOf({
  id: PARTLY,
  title: 'The queue is bounded',
  narrative: 'By the number of cores.',
  extra: { format: '2', confidence: 'high', links: [{ to: KNOWN, as: 'cause' }] },
});

/** Every command that reads, and the drain. */
const COMMANDS = [
  'list --all',
  'list --kind mark',
  'search queue',
  `show ${PARTLY}`,
  `show ${PARTLY} --raw`,
  'timeline queue',
  'context --receipt',
  'status',
  'stats',
  'doctor',
  'check',
  'diff',
  'why src/queue.ts',
  `why ${PARTLY}`,
  'export --format jsonl',
  'salvage --dry-run',
  'config',
  'sync',
  'sync --rebuild',
  'drain --wait',
  'drain --wait --all',
] as const;

/** A repository in which a newer version was at work, in records and settings. */
function createNewer(): Promise<TestRepository> {
  return preparedRepository('newer', writeNewer);
}

async function writeNewer(repository: TestRepository): Promise<void> {
  await repository.call('init', '--yes');
  repository.write('src/queue.ts', 'export const cores = 2;\n');
  put(repository, observationOf({ id: KNOWN, title: 'The queue was unbounded' }));
  put(repository, partly);
  const observation = (id: string) => observationOf({ id, title: `Of a newer version ${id}` });
  newer(repository, observation(NEW_KIND), ['kind: observation', 'kind: insight\nformat: "2"']);
  newer(repository, observation(NO_FORMAT), ['kind: observation', 'kind: insight']);
  newer(repository, observation(NEW_FOLDER), ['kind: observation', 'kind: insight'], ['observations', 'insights']);
  const mark: Omit<Mark, 'generated'> = { id: NEW_MARK, kind: 'mark', type: 'retire', targets: [KNOWN], reason: '' };
  newer(repository, { ...mark, generated: { by: 'test', at: '2026-11-21T09:00:00Z' } }, [
    'type: retire',
    'type: merge\nformat: "3"',
  ]);
  repository.write('.memory/config.yaml', 'briefing: {tokens: 900, colours: many}\nrecall: {depth: "3"}\n');
  repository.git('add', '--all');
  // The hook stops what `check` calls an error: a kind without a format.
  repository.git('commit', '--quiet', '--no-verify', '--message', 'Memory');
}

/** Writes a record with some of its words in the terms of a newer version. */
function newer({ root }: TestRepository, record: MemoryRecord, words: [string, string], folder = ['', '']): void {
  const path = storePath(record).replace(folder[0] ?? '', folder[1] ?? '');
  write(join(root, '.memory', path), encode(record).replace(...words));
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function sessionFile({ root }: TestRepository, session: string): string {
  return join(root, '.git/git-mem/sessions', `${idOf(session)}.json`);
}

/** Everything that is not derived, with its content and the time of its last change. */
function files({ root }: TestRepository): Record<string, string> {
  const found: Record<string, string> = {};
  for (const place of ['.memory', '.git/git-mem/spool/new', '.git/git-mem/spool/failed', '.git/git-mem/sessions']) {
    for (const name of namesIn(join(root, place))) {
      const stat = statSync(join(root, place, name));
      if (stat.isFile()) found[join(place, name)] = `${stat.mtimeMs} ${readFileSync(join(root, place, name), 'utf8')}`;
    }
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // Nothing was ever put there.
  }
}

async function json(repository: TestRepository, ...args: string[]) {
  return JSON.parse((await gitMem(repository, [...args, '--json'])).stdout);
}

describe('law: whatever a newer version wrote is read as far as it is understood, and left alone', () => {
  it('no read-only command and no drain changes a byte of it', async ({ repository }) => {
    const before = files(repository);
    expect(Object.keys(before).length).toBeGreaterThan(6);
    for (const command of COMMANDS) {
      const { code, stderr } = await gitMem(repository, command.split(' '));
      expect([0, 1], `${command}: ${stderr}`).toContain(code);
      expect(files(repository), command).toEqual(before);
    }
  });

  it('a record of a known kind is found, shown and injected, with the fields that are understood', async () => {
    const repository = await createNewer();
    const { records } = await json(repository, 'show', PARTLY);
    expect(records).toMatchObject([
      { id: PARTLY, title: 'The queue is bounded', narrative: 'By the number of cores.' },
    ]);
    expect((await gitMem(repository, ['show', PARTLY, '--raw'])).stdout).toContain('confidence: "high"');
    const { hits } = await json(repository, 'search', 'queue bounded cores');
    expect(hits.map(({ id }: { id: string }) => id)).toContain(PARTLY);
    expect((await gitMem(repository, ['context'])).stdout).toContain('The queue is bounded');
    // The mark that nobody here understands retires nothing.
    const { records: listed } = await json(repository, 'list');
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([KNOWN, PARTLY].sort());
  });

  it('check reports newer content as such, and fails only on what may be a typo', async ({ repository }) => {
    const { problems } = await json(repository, 'check');
    const found = problems.map(({ level, code, id }: Record<string, string>) => [level, code, id]);
    expect(found).toContainEqual(['warn', 'newer-format', PARTLY]);
    expect(found).toContainEqual(['warn', 'newer-format', NEW_KIND]);
    expect(found).toContainEqual(['warn', 'newer-format', NEW_MARK]);
    expect(found).toContainEqual(['error', 'bad-record', NO_FORMAT]);
    const texts = problems.map(({ message, hint }: Record<string, string>) => `${message} ${hint}`);
    expect(texts).toContainEqual(
      '"format" is 3, newer than this git-mem knows (1). Update git-mem to read it. The file is left as it is.',
    );
    expect(texts).toContainEqual(expect.stringContaining('A newer git-mem may know "insight".'));
    expect(texts).toContainEqual(expect.stringContaining('in a folder that this git-mem does not read'));
    expect(texts).toContainEqual(expect.stringContaining('team setting "recall.depth" is not known'));
  });

  it('doctor says what needs an update, and uses the settings that it understands', async ({ repository }) => {
    const { checks } = await json(repository, 'doctor');
    const messages = checks.flatMap(({ name, message }: Record<string, string>) =>
      name === 'format' ? [message] : [],
    );
    expect(messages).toEqual([
      'Records have a newer format than this git-mem knows: of 1 it uses what it knows, 2 it cannot read and leaves alone.',
    ]);
    expect((await gitMem(repository, ['config', 'briefing.tokens'])).stdout).toContain('900');
  });

  it('an event of another format is set aside as it is, and doctor says where', async () => {
    const repository = await initialised();
    const state = join(repository.root, '.git/git-mem');
    const event = 'git-mem-event 2\norigin claude-code/Stop\n\n{"a": 1}';
    write(join(state, 'spool/new/newer.1'), event);
    expect(await json(repository, 'drain', '--wait')).toMatchObject({ pending: 0, failed: 1 });
    expect(readFileSync(join(state, 'spool/failed/newer.1'), 'utf8')).toBe(event);
    expect((await gitMem(repository, ['doctor'])).stdout).toContain('1 event could not be read and are in');
  });

  it('keys that a newer version adds to a session’s state outlive a drain of this one', async () => {
    const repository = await initialised();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    await repository.call('drain', '--wait');
    const path = sessionFile(repository, session.id);
    const state = JSON.parse(readFileSync(path, 'utf8'));
    const lines = state.lines.map((line: object) => ({ ...line, mood: 'calm' }));
    writeFileSync(path, JSON.stringify({ ...state, lines, weather: { wind: 3 } }));
    session.work('p2', 50);
    await repository.call('drain', '--wait');
    const after = JSON.parse(readFileSync(path, 'utf8'));
    expect(after).toMatchObject({ prompts: 2, weather: { wind: 3 }, lines: [{ mood: 'calm' }, {}] });
  });

  itSqlite('a cache of a newer version is rebuilt from the records, which stay unchanged', async () => {
    const repository = await createNewer();
    await gitMem(repository, ['sync']);
    const db = openDatabase(join(repository.root, '.git/git-mem/cache.sqlite'));
    const version = Number(db.pragma('user_version', { simple: true }));
    db.pragma(`user_version = ${version + 5}`);
    db.close();
    const before = files(repository);
    const { hits } = await json(repository, 'search', 'queue bounded cores');
    expect(hits.map(({ id }: { id: string }) => id)).toContain(PARTLY);
    expect(files(repository)).toEqual(before);
  });

  it('promote makes no incomplete copy', async () => {
    const repository = createRepository();
    put(repository, { ...partly, id: NEW_KIND }, 'private');
    const { code, stderr } = await gitMem(repository, ['promote', NEW_KIND]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('newer format') });
  });
});
