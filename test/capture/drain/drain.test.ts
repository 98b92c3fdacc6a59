import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { wholeSeconds } from '../../../src/memory/file-name.ts';
import { decodeTurns } from '../../../src/memory/session-digest.ts';
import {
  digestsOf,
  drained,
  everything,
  it,
  modelled,
  observations,
  observationsIn,
  promptsOf,
  recordFiles,
  state,
} from '../../support/drained.ts';
import { hookedSession } from '../../support/hooked-session.ts';

const MINUTE = 60_000;

describe('the drain', () => {
  it('stores a finished turn, and writes records when its session ends, with where and when it happened', async () => {
    const repository = await modelled();
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - MINUTE);
    const session = hookedSession(repository.root, { at });
    session.work('p1', 40);
    session.prompt('p2', 'and now the exporter, please');
    expect(await drained(repository)).toMatchObject({ events: 5, written: [], pending: 1, failed: 0 });
    expect(observations(repository)).toEqual([]);
    session.end();
    utimesSync(join(repository.root, 'src/limit.ts'), at, at);
    const report = await drained(repository);
    expect(report).toMatchObject({ events: 2, pending: 0, failed: 0 });

    const [record] = observations(repository);
    const head = repository.git('rev-parse', 'HEAD').trim();
    expect(record).toMatchObject({
      id: expect.toSatisfy((id) => report?.written.includes(id) === true),
      type: 'bugfix',
      session: session.id,
      prompt_number: 1,
      branch: 'main',
      commit: head,
      generated: { by: 'claude-code', at: wholeSeconds(new Date(at.getTime() + 5000)) },
      extractor: 'ollama/qwen2.5-coder:7b',
      files_modified: ['src/limit.ts'],
      anchors: { 'src/limit.ts': repository.git('hash-object', 'src/limit.ts').trim() },
    });
    expect(record?.discovery_tokens).toBeGreaterThan(50);
    expect(JSON.stringify(record)).toContain('LIMIT');

    // What the turn left of a file that changed since is not known.
    repository.write('src/limit.ts', 'export const LIMIT = 50;\n');
    const other = hookedSession(repository.root, { id: 'other', at });
    other.work('o1', 50);
    other.end();
    await drained(repository);
    expect(observations(repository).find((one) => one.session === 'other')).toMatchObject({
      files_modified: ['src/limit.ts'],
      anchors: {},
    });
  });

  it('keeps a prompt and a digest line of each turn in the private store', async ({ repository, session }) => {
    session.work('p1', 40);
    session.chat('p2');
    session.end();
    await drained(repository);
    const digests = digestsOf(repository);
    expect(digests.map(({ request }) => decodeTurns(request))).toMatchObject([
      [
        {
          number: 1,
          prompt: 'the importer drops row 40, please find out why and fix it',
          files: ['src/limit.ts'],
          checks: [{ command: 'npm test', passed: true }],
        },
        { number: 2, prompt: 'hello', answer: 'Hello! There is a README and a src folder.' },
      ],
    ]);
    expect(promptsOf(repository)).toHaveLength(2);
    session.report('SessionStart', { source: 'resume' });
    session.chat('p3');
    session.end();
    await drained(repository);
    const active = digestsOf(repository).filter(
      ({ id }) => !digestsOf(repository).some((one) => one.supersedes.includes(id)),
    );
    expect(active.map(({ request }) => decodeTurns(request).length)).toEqual([3]);
  });

  it('keeps what waits for the session to end in files that are deleted then', async ({ repository, session }) => {
    session.work('p1', 40);
    await drained(repository);
    const folder = () => readdirSync(join(state(repository), 'sessions')).filter((name) => name.endsWith('.turns'));
    expect(folder()).toHaveLength(1);
    session.end();
    await drained(repository);
    expect(folder()).toEqual([]);
  });

  it('leaves an unfinished turn alone, unless everything is asked for', async ({ repository, session }) => {
    session.prompt('p1', 'why is row 7 dropped? fix it');
    session.edit('p1', 't1', 'src/limit.ts');
    expect(await drained(repository)).toMatchObject({ events: 0, written: [], pending: 2 });
    const report = await drained(repository, { all: true });
    expect(report).toMatchObject({ events: 2, pending: 0 });
    expect(digestsOf(repository)[0]?.request).toContain('src/limit.ts');
  });

  it('treats a turn without an end as finished when the next one begins, the session ends, or it has been idle', async () => {
    for (const over of ['next', 'end', 'idle']) {
      const repository = await modelled();
      const at = new Date(Date.now() - (over === 'idle' ? 31 : 10) * MINUTE);
      const session = hookedSession(repository.root, { at });
      session.prompt('p1', 'why is row 7 dropped? fix it');
      session.edit('p1', 't1', 'src/limit.ts');
      if (over === 'next') session.prompt('p2', 'go on');
      if (over === 'end') session.end();
      expect((await drained(repository))?.pending, over).toBe(over === 'next' ? 1 : 0);
      expect(promptsOf(repository), over).toHaveLength(1);
    }
  });

  it('leaves no record in the team store of a session of hello and ls', async ({ repository, session }) => {
    session.report('SessionStart', { source: 'startup' });
    session.chat('p1');
    session.chat('p2');
    session.end();
    expect(await drained(repository, { all: true })).toEqual({ events: 8, written: [], pending: 0, failed: 0 });
    expect(recordFiles(repository).filter((path) => !path.startsWith('private/'))).toEqual([]);
  });

  it('counts a call once when two events report it', async () => {
    const [once, twice] = [await modelled(), await modelled()];
    for (const repository of [once, twice]) {
      const session = hookedSession(repository.root);
      session.prompt('p1', 'the importer drops row 7, please find out why and fix it');
      const call = {
        tool_name: 'Edit',
        tool_use_id: 't1',
        tool_input: { file_path: 'src/limit.ts', old_string: '10', new_string: '20' },
      };
      if (repository === twice)
        session.report('PostToolBatch', { prompt_id: 'p1', tool_calls: [{ ...call, tool_response: 'done' }] });
      session.report('PostToolUse', { prompt_id: 'p1', ...call, tool_response: {} });
      session.stop(
        'p1',
        'Fixed: the importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.',
      );
      expect(await drained(repository, { all: true })).toMatchObject({ pending: 0 });
    }
    const [a, b] = [observations(once)[0], observations(twice)[0]];
    expect(b?.discovery_tokens).toBe(a?.discovery_tokens);
    expect(digestsOf(twice)[0]?.discovery_tokens).toBe(digestsOf(once)[0]?.discovery_tokens);
    expect(digestsOf(twice)[0]?.request).toBe(digestsOf(once)[0]?.request);
  });

  it('separates two sessions that report at the same time', async ({ repository }) => {
    const one = hookedSession(repository.root, { id: 'session-one' });
    const two = hookedSession(repository.root, { id: 'session-two' });
    one.prompt('a', 'the importer drops row 11, please find out why and fix it');
    two.prompt('b', 'the exporter drops row 22, please find out why and fix it');
    one.edit('a', 'a1', 'src/limit.ts', { old_string: '1', new_string: '2' });
    two.edit('b', 'b1', 'src/other.ts', { old_string: '1', new_string: '2' });
    for (const [session, turn] of [
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      session.failure(turn, `${turn}2`, 'npm test', 'not ok 1 - the last row is kept');
      session.command(turn, `${turn}3`, 'npm test', 'ok 1');
    }
    two.stop('b', 'Fixed: row 22 was dropped because the exporter in `src/other.ts` stopped one row early.');
    one.stop('a', 'Fixed: row 11 was dropped because the importer in `src/limit.ts` stopped one row early.');
    await drained(repository, { all: true });
    const about = observations(repository).map(({ session, files_modified }) => [session, files_modified]);
    expect(about.sort()).toEqual([
      ['session-one', ['src/limit.ts']],
      ['session-two', ['src/other.ts']],
    ]);
  });

  it('sets unreadable events aside, and reports how many there are', async ({ repository, session }) => {
    session.work('p1', 40);
    const spool = join(state(repository), 'spool/new');
    writeFileSync(join(spool, 'garbage-1'), 'git-mem-event 1\nhost claude-code\nevent Stop\nroot /\n\n{"session_id": ');
    writeFileSync(join(spool, 'garbage-2'), Buffer.from([0, 159, 146, 150]));
    expect(await drained(repository)).toMatchObject({ events: 7, written: [], pending: 0, failed: 2 });
    expect(readdirSync(join(state(repository), 'spool/failed')).sort()).toEqual(['garbage-1', 'garbage-2']);
    expect(readFileSync(join(state(repository), 'hook.log'), 'utf8')).toContain('garbage-1 set aside');
  });

  it('treats hostile names as nothing but names', async ({ repository }) => {
    for (const name of ['__proto__', 'constructor', '../../escape', '\0']) {
      const session = hookedSession(repository.root, { id: name });
      session.work(name, 40);
      session.again();
    }
    const { pending, failed } = (await drained(repository, { all: true })) ?? {};
    expect({ pending, failed }).toEqual({ pending: 0, failed: 0 });
    expect(observations(repository).map((one) => one.prompt_number)).toEqual([1, 1, 1, 1]);
  });
});

describe('where records go', () => {
  it('a linked worktree keeps its own, on its own branch', async ({ repository }) => {
    const worktree = join(repository.folder, 'worktree');
    repository.git('worktree', 'add', '--quiet', '-b', 'feature', worktree);
    hookedSession(worktree).work('p1', 40);
    await drained(repository, { all: true });
    expect(observations(repository)).toEqual([]);
    const [record] = observationsIn(join(worktree, '.memory'));
    expect(record?.branch).toBe('feature');
  });

  it('records from a worktree that is gone go to the private store', async ({ repository }) => {
    // Inside the main worktree, as many tools put them, and with an ignored file that outlives it.
    const worktree = join(repository.root, '.worktrees/gone');
    repository.git('worktree', 'add', '--quiet', '-b', 'feature', worktree);
    hookedSession(worktree).work('p1', 40);
    rmSync(worktree, { recursive: true });
    mkdirSync(worktree);
    await drained(repository, { all: true });
    expect(observationsIn(join(repository.root, '.memory'))).toEqual([]);
    const [record] = observationsIn(join(state(repository), 'private'));
    expect(record).toMatchObject({ branch: 'feature', files_modified: ['src/limit.ts'] });
  });

  it('with `capture.destination: private` everything goes to the private store', async () => {
    const repository = await modelled('capture: {destination: private}\n');
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drained(repository);
    expect(recordFiles(repository).every((path) => path.startsWith('private/'))).toBe(true);
    expect(observationsIn(join(state(repository), 'private'))).toHaveLength(1);
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  it('prompts go to the private store, and nowhere when they are off', async () => {
    for (const [prompts, expected] of [
      ['private', 2],
      ['off', 0],
    ] as const) {
      const repository = await modelled(`privacy: {prompts: ${prompts === 'off' ? '"off"' : prompts}}\n`);
      const session = hookedSession(repository.root);
      session.work('p1', 40);
      session.chat('p2');
      await drained(repository, { all: true });
      expect(digestsOf(repository)[0]?.request.includes('the importer drops row 40')).toBe(prompts === 'private');
      const found = recordFiles(repository).filter((path) => path.includes('prompts/'));
      expect(found).toHaveLength(expected);
      if (found[0]) expect(found[0]).toMatch(/^private\/prompts\//);
    }
  });
});

it('what the team does not want recorded does not reach a record, whether a tool or a path', async () => {
  const repository = await modelled('capture: {skip_tools: ["mcp__mail__*"], ignore_paths: ["secret/**"]}\n');
  const session = hookedSession(repository.root);
  session.prompt('p1', 'the importer drops row 7, please find out why and fix it');
  session.edit('p1', 't1', 'secret/plan.ts', { old_string: 'a', new_string: 'mergerwithacme' });
  session.call('p1', 't2', 'mcp__mail__send', { path: join(repository.root, 'src/mail.ts') }, [{ text: 'mail' }]);
  session.edit('p1', 't3', 'src/limit.ts');
  session.failure('p1', 't4', 'npm test', 'not ok 1 - row 7 is kept');
  session.command('p1', 't5', 'npm test', 'ok 1');
  session.stop('p1', 'Fixed: the importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
  await drained(repository, { all: true });
  // It names a command, and its turn read mail: it waits.
  const [record] = observationsIn(join(repository.root, '.git/git-mem/private'));
  expect(record?.files_modified).toEqual(['src/limit.ts']);
  expect(everything(repository)).not.toMatch(/mergerwithacme|secret\/plan|src\/mail/);
});
