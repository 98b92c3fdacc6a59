import { describe, expect, test } from 'vitest';
import { warm } from '../../src/index/warm.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { noteRenames, openRenames } from '../../src/provenance/renamed-files.ts';
import type { FeedPage } from '../../src/surfaces/viewer/protocol.ts';
import { hookCall } from '../support/hook-call.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { startViewer } from '../support/viewer-client.ts';

const it = test.extend('made', () => repositoryWithRecord());

const LINES = Array.from({ length: 30 }, (_, i) => `export const line${i} = ${i};`);
const TEXT = `${LINES.join('\n')}\n`;

interface Made extends TestRepository {
  id: string;
  commit(this: void, message: string): void;
}

/** A repository in which one record cites src/ledger.ts. */
async function repositoryWithRecord(): Promise<Made> {
  const repository = createRepository();
  const { write, call } = repository;
  const commit = (message: string) => repository.commit(message);
  write('src/ledger.ts', TEXT);
  write('src/other.ts', 'export {};\n');
  commit('first');
  const title = 'Quorum votes are counted twice after a reconnect';
  const made = await call('add', '--json', '--type', 'bugfix', '--title', title, '--file-modified', 'src/ledger.ts');
  commit('a record');
  const { id } = JSON.parse(made) as { id: string };
  return { ...repository, id, commit };
}

async function found({ call }: TestRepository, ...args: string[]): Promise<string[]> {
  const { hits, records } = JSON.parse(await call(...args, '--json')) as Record<string, { id: string }[] | undefined>;
  return (hits ?? records ?? []).map(({ id }) => id);
}

/** What an agent is told before it reads a file, after the background has noted what was renamed. */
async function toldOnRead(made: Made, path: string, session = 's1', isNoted = true): Promise<string> {
  const workspace = openWorkspace(made.root, made.env);
  await warm(workspace);
  if (isNoted) await noteRenames(workspace, async () => ['src/ledger.ts']);
  return hookCall(made, 'claude-code', 'PreToolUse', {
    session_id: session,
    hook_event_name: 'PreToolUse',
    cwd: made.root,
    tool_name: 'Read',
    tool_use_id: `use-${session}`,
    tool_input: { file_path: `${made.root}/${path}` },
  });
}

/** What an agent is told with a prompt. */
function toldOnPrompt(made: TestRepository, prompt: string): Promise<string> {
  const event = { session_id: 's', hook_event_name: 'UserPromptSubmit', cwd: made.root, prompt };
  return hookCall(made, 'claude-code', 'UserPromptSubmit', event);
}

const MOVES: [what: string, move: (made: Made) => void][] = [
  ['moved and committed', ({ git, commit }) => commit(git('mv', 'src/ledger.ts', 'src/quorum.ts') || 'move')],
  ['moved and not committed', ({ git }) => void git('mv', 'src/ledger.ts', 'src/quorum.ts')],
  [
    'moved, edited and committed',
    ({ git, write, commit }) => {
      git('mv', 'src/ledger.ts', 'src/quorum.ts');
      write('src/quorum.ts', TEXT.replace('line7 = 7', 'line7 = 70'));
      commit('move and edit');
    },
  ],
  [
    'moved twice',
    ({ git, commit }) => {
      git('mv', 'src/ledger.ts', 'src/between.ts');
      commit('first move');
      git('mv', 'src/between.ts', 'src/quorum.ts');
      commit('second move');
    },
  ],
];

describe('a record of a renamed file', () => {
  it.each(MOVES)('is found by the new name: %s', async (_, move) => {
    const made = await repositoryWithRecord();
    move(made);
    for (const file of ['src/quorum.ts', 'src', 'src/quo*.ts', 'src/ledger.ts']) {
      expect(await found(made, 'list', '--file', file), file).toEqual([made.id]);
    }
    expect(await found(made, 'search', '--file', 'src/quorum.ts')).toEqual([made.id]);
    expect(await found(made, 'search', 'votes', '--file', 'src/quorum.ts')).toEqual([made.id]);
    expect(await found(made, 'list', '--file', 'src/other.ts')).toEqual([]);
  });

  it.each(MOVES)('is injected before the file is read: %s', async (_, move) => {
    const made = await repositoryWithRecord();
    // A command or a drain was there before the move, as in every repository that is in use.
    await found(made, 'list', '--file', 'src/ledger.ts');
    move(made);
    const told = await toldOnRead(made, 'src/quorum.ts');
    expect(told).toContain('Quorum votes are counted twice');
    expect(told).toContain('was src/ledger.ts');
    expect(await toldOnRead(made, 'src/other.ts', 's2')).toBe('');
  });

  it('is relevant to a prompt that uses the file’s current name', async ({ made }) => {
    for (const word of ['cursor', 'palette', 'retina', 'socket', 'banner', 'turnip']) {
      await made.call('add', '--title', `The ${word} is drawn late`, '--file-read', 'src/other.ts');
    }
    made.git('mv', 'src/ledger.ts', 'src/tally-of-ballots.ts');
    made.commit('move');
    await found(made, 'list', '--file', 'src/tally-of-ballots.ts');
    await warm(openWorkspace(made.root, made.env));
    const told = await toldOnPrompt(made, 'Please split tally-of-ballots.ts in two.');
    expect(told).toContain('Quorum votes are counted twice');
  });

  it('is relevant to such a prompt even beside a newer record that uses the new name', async () => {
    const made = createRepository();
    made.write('src/auth/token.ts', TEXT);
    made.write('src/other.ts', 'export {};\n');
    made.commit('first');
    const add = (title: string, narrative: string, file: string) =>
      made.call('add', '--title', title, '--narrative', narrative, '--file-modified', file);
    await add('Clients wait a second before each handshake', 'The peer throttles.', 'src/auth/token.ts');
    await add('Retries are capped at three', 'The gateway blocks after five.', 'src/other.ts');
    await add('Numbers begin at one', 'The printer wants it.', 'src/other.ts');
    await add('Sessions live in the database', 'Memory was lost at restart.', 'src/other.ts');
    await add('Verification tolerates thirty seconds of skew', 'Issuers run ahead.', 'src/other.ts');
    await found(made, 'list', '--file', 'src/auth/token.ts');
    made.git('mv', 'src/auth/token.ts', 'src/auth/jwt-verifier.ts');
    made.commit('move');
    await found(made, 'list', '--file', 'src/auth/jwt-verifier.ts');
    await add('Keys are rotated weekly', 'Operations asked for it.', 'src/auth/jwt-verifier.ts');
    await warm(openWorkspace(made.root, made.env));
    const told = await toldOnPrompt(made, 'Clean up the handshake code in src/auth/jwt-verifier.ts please');
    expect(told).toContain('Clients wait a second');
  });

  it('is found in the viewer by the new name', async ({ made }) => {
    made.git('mv', 'src/ledger.ts', 'src/quorum.ts');
    made.commit('move');
    const viewer = await startViewer(made);
    const { items } = await viewer.ask<FeedPage>('feed?file=src/quorum.ts');
    expect(items.map(({ id }) => id)).toEqual([made.id]);
  });

  it('is chosen for a session start on a branch that changes the file, even long after the rename', async () => {
    const made = await repositoryWithRecord();
    made.git('mv', 'src/ledger.ts', 'src/quorum.ts');
    made.commit('move');
    made.git('update-ref', 'refs/heads/main', 'HEAD');
    made.git('checkout', '--quiet', '-b', 'work');
    const reason = async () => {
      const { records } = JSON.parse(await made.call('context', '--json')) as {
        records: { id: string; reason: string }[];
      };
      return records.find(({ id }) => id === made.id)?.reason;
    };
    const before = await reason();
    made.write('src/quorum.ts', TEXT.replace('line7 = 7', 'line7 = 70'));
    await found(made, 'list', '--file', 'src/quorum.ts');
    expect(await reason()).not.toBe(before);
    expect(await reason()).toMatch(/^cites src\/ledger\.ts, which this branch/);
  });

  it('is not a record of a new file at the old path', async ({ made }) => {
    made.git('mv', 'src/ledger.ts', 'src/quorum.ts');
    made.commit('move');
    expect(await found(made, 'list', '--file', 'src/quorum.ts')).toEqual([made.id]);
    // The old name is taken again: the record is about what lies there, as far as its words go.
    made.write('src/ledger.ts', 'export const another = 1;\n');
    made.commit('another file');
    expect(await found(made, 'list', '--file', 'src/quorum.ts')).toEqual([]);
  });

  it('is found on another branch under the file’s name there', async ({ made }) => {
    const { git } = made;
    const branch = git('rev-parse', '--abbrev-ref', 'HEAD').trim();
    git('checkout', '--quiet', '-b', 'one');
    git('mv', 'src/ledger.ts', 'src/one.ts');
    made.commit('one');
    expect(await found(made, 'list', '--file', 'src/one.ts')).toEqual([made.id]);
    git('checkout', '--quiet', '-b', 'two', branch);
    git('mv', 'src/ledger.ts', 'src/two.ts');
    made.commit('two');
    expect(await found(made, 'list', '--file', 'src/two.ts')).toEqual([made.id]);
    expect(await found(made, 'list', '--file', 'src/one.ts')).toEqual([]);
    git('checkout', '--quiet', 'one');
    expect(await found(made, 'list', '--file', 'src/one.ts')).toEqual([made.id]);
  });
});

it('knows many more renamed files than one walk of the history looks for', async () => {
  const made = createRepository();
  const count = 450;
  const nameOf = (i: number) => `src/module-${String(i).padStart(3, '0')}.ts`;
  for (let i = 0; i < count; i++) made.write(nameOf(i), `export const module${i} = ${i};\n`.repeat(5));
  const lines = Array.from({ length: count }, (_, i) => {
    return JSON.stringify({ type: 'discovery', title: `Module ${i} is slow`, files_modified: [nameOf(i)] });
  });
  made.write('records.jsonl', lines.join('\n'));
  await made.call('import', 'jsonl', 'records.jsonl');
  made.commit('modules');
  made.git('mv', 'src', 'lib');
  made.git('commit', '--quiet', '-m', 'move all');
  for (const i of [0, count - 1]) {
    expect(await found(made, 'list', '--file', nameOf(i).replace('src', 'lib'))).toHaveLength(1);
  }
});

it('is known to hooks once a drain has run', async ({ made }) => {
  made.git('mv', 'src/ledger.ts', 'src/quorum.ts');
  made.commit('move');
  made.write('src/other.ts', 'export const more = 1;\n');
  made.commit('more');
  expect(await toldOnRead(made, 'src/quorum.ts', 's0', false)).toBe('');
  await made.call('drain', '--wait');
  expect(await toldOnRead(made, 'src/quorum.ts')).toContain('Quorum votes are counted twice');
});

it('asks the history once about a deleted file, and never again on the same line of history', async ({ made }) => {
  made.git('rm', '--quiet', 'src/ledger.ts');
  made.commit('remove');
  const workspace = openWorkspace(made.root, made.env);
  const first = await openRenames(workspace);
  expect(first.nowOf('src/ledger.ts')).toBeUndefined();
  expect(await first.learn()).toBe(true);
  made.write('src/other.ts', 'export const more = 1;\n');
  made.commit('more');
  const second = await openRenames(workspace);
  expect(second.nowOf('src/ledger.ts')).toBeUndefined();
  expect(await second.learn()).toBe(false);
});
