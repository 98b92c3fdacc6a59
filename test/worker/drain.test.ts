import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DrainReport } from '../../src/capture/drain/drain-options.ts';
import { countEvents } from '../../src/capture/spool/spool.ts';
import { decode } from '../../src/memory/codec.ts';
import { wholeSeconds } from '../../src/memory/file-name.ts';
import type { MemoryRecord, Observation, Summary } from '../../src/memory/record.ts';
import { decodeTurns } from '../../src/memory/session-digest.ts';
import { openProject } from '../../src/project.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { setModel } from '../support/recording-model.ts';
import { snapshot } from '../support/replayed-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const MINUTE = 60_000;
/** Path of a record inside its store. */
const RECORD = /^\w+\/\d{4}-\d\d\/.*\.md$/;

describe('the drain', () => {
  it('stores a finished turn, and writes records when its session ends, with where and when it happened', async () => {
    const repository = await prepared();
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - MINUTE);
    const session = hookedSession(repository.root, { at });
    session.work('p1', 40);
    session.prompt('p2', 'and now the exporter, please');
    expect(await drained(repository)).toMatchObject({ events: 5, written: [], pending: 1, failed: 0 });
    expect(observations(repository)).toEqual([]);
    session.end();
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
  });

  it('keeps each turn’s prompt and a digest line in the private store, whatever became of the turn', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
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
        { number: 2, prompt: 'hello', answer: 'There is a README and a src folder.' },
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

  it('keeps what waits for the session to end in files that are deleted then', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    await drained(repository);
    const folder = () => readdirSync(join(state(repository), 'sessions')).filter((name) => name.endsWith('.turns'));
    expect(folder()).toHaveLength(1);
    session.end();
    await drained(repository);
    expect(folder()).toEqual([]);
  });

  it('leaves an unfinished turn alone, unless everything is asked for', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.prompt('p1', 'why is row 7 dropped? fix it');
    session.call(
      'p1',
      't1',
      'Edit',
      { file_path: join(repository.root, 'src/limit.ts'), old_string: '10', new_string: '20' },
      {},
    );
    expect(await drained(repository)).toMatchObject({ events: 0, written: [], pending: 2 });
    const report = await drained(repository, { all: true });
    expect(report).toMatchObject({ events: 2, pending: 0 });
    expect(digestsOf(repository)[0]?.request).toContain('src/limit.ts');
  });

  it('treats a turn without an end as finished when the next one begins, the session ends, or it has been idle', async () => {
    for (const over of ['next', 'end', 'idle']) {
      const repository = await prepared();
      const session = hookedSession(repository.root, {
        at: new Date(Date.now() - (over === 'idle' ? 31 : 10) * MINUTE),
      });
      session.prompt('p1', 'why is row 7 dropped? fix it');
      session.call(
        'p1',
        't1',
        'Edit',
        { file_path: join(repository.root, 'src/limit.ts'), old_string: '10', new_string: '20' },
        {},
      );
      if (over === 'next') session.prompt('p2', 'go on');
      if (over === 'end') session.end();
      expect((await drained(repository))?.pending, over).toBe(over === 'next' ? 1 : 0);
      expect(promptsOf(repository), over).toHaveLength(1);
    }
  });

  it('leaves no record in the team store of a session of hello and ls', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.report('SessionStart', { source: 'startup' });
    session.chat('p1');
    session.chat('p2');
    session.end();
    expect(await drained(repository, { all: true })).toEqual({ events: 8, written: [], pending: 0, failed: 0 });
    expect(recordFiles(repository).filter((path) => !path.startsWith('private/'))).toEqual([]);
  });

  it('counts a call once when two events report it', async () => {
    const [once, twice] = [await prepared(), await prepared()];
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

  it('separates two sessions that report at the same time', async () => {
    const repository = await prepared();
    const one = hookedSession(repository.root, { id: 'session-one' });
    const two = hookedSession(repository.root, { id: 'session-two' });
    one.prompt('a', 'the importer drops row 11, please find out why and fix it');
    two.prompt('b', 'the exporter drops row 22, please find out why and fix it');
    one.call(
      'a',
      'a1',
      'Edit',
      { file_path: join(repository.root, 'src/limit.ts'), old_string: '1', new_string: '2' },
      {},
    );
    two.call(
      'b',
      'b1',
      'Edit',
      { file_path: join(repository.root, 'src/other.ts'), old_string: '1', new_string: '2' },
      {},
    );
    for (const [session, turn] of [
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      session.failure(turn, `${turn}2`, 'npm test', 'not ok 1 - the last row is kept');
      session.call(turn, `${turn}3`, 'Bash', { command: 'npm test' }, { stdout: 'ok 1', stderr: '' });
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

  it('sets unreadable events aside, and reports how many there are', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    const spool = join(state(repository), 'spool/new');
    writeFileSync(join(spool, 'garbage-1'), 'git-mem-event 1\nhost claude-code\nevent Stop\nroot /\n\n{"session_id": ');
    writeFileSync(join(spool, 'garbage-2'), Buffer.from([0, 159, 146, 150]));
    expect(await drained(repository)).toMatchObject({
      events: 7,
      written: [],
      pending: 0,
      failed: 2,
    });
    expect(readdirSync(join(state(repository), 'spool/failed')).sort()).toEqual(['garbage-1', 'garbage-2']);
    expect(readFileSync(join(state(repository), 'hook.log'), 'utf8')).toContain('garbage-1 set aside');
  });

  it('treats hostile names as nothing but names', async () => {
    const repository = await prepared();
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

describe('law: an event is never doubled', () => {
  it('when the same events are reported again', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.work('p2', 50);
    session.end();
    await drained(repository);
    expect(observations(repository)).toHaveLength(2);
    expect(promptsOf(repository)).toHaveLength(2);
    expect(decodeTurns(digestsOf(repository)[0]?.request ?? '')).toHaveLength(2);
    const before = recordContents(repository);
    session.again();
    expect(await drained(repository, { all: true })).toMatchObject({ events: 11, written: [], pending: 0 });
    expect(recordContents(repository)).toEqual(before);
  });

  it('when the drain of a turn was killed after writing its records, before it could note that', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drained(repository);
    const before = recordContents(repository);
    expect(observations(repository)).toHaveLength(1);
    rmSync(join(state(repository), 'sessions'), { recursive: true });
    session.again();
    await drained(repository);
    expect(recordContents(repository)).toEqual(before);
  });

  it('when a background sub-agent goes on after its turn was drained', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    await drained(repository);

    // Its calls carry the turn that started it; a machine prompt then reports its end.
    const file_path = join(repository.root, 'src/late.ts');
    const agent = { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' };
    session.report('PostToolUse', {
      ...agent,
      tool_name: 'Write',
      tool_use_id: 'late-1',
      tool_input: { file_path, content: 'x\n' },
      tool_response: {},
    });
    await drained(repository);
    const report = 'The table in `src/late.ts` lists every limit of the importer.';
    session.report('SubagentStop', { ...agent, last_assistant_message: report });
    await drained(repository);
    session.prompt('p2', `<task-notification><result>${report}</result></task-notification>`);
    session.stop('p2', report);
    session.end();
    expect(await drained(repository)).toMatchObject({ pending: 0 });
    // What came later is told once, for itself.
    const files = observations(repository).map(({ files_modified }) => files_modified);
    expect(files.sort()).toEqual([['src/late.ts'], ['src/limit.ts']]);
    expect(promptsOf(repository)).toHaveLength(1);
    expect(digestsOf(repository)[0]?.request).toContain('src/late.ts');
  });

  it.each([
    ['after each event', true],
    ['once, after all of it', false],
  ])(
    'of what a background sub-agent found, where the session ends before the agent comments on it: drained %s',
    async (_, often) => {
      const repository = await prepared();
      const session = hookedSession(repository.root);
      const step = async () => void (often && (await drained(repository)));
      session.work('p1', 40);
      await step();
      const agent = { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' };
      session.report('PostToolUse', {
        ...agent,
        tool_name: 'Write',
        tool_use_id: 'late-1',
        tool_input: { file_path: join(repository.root, 'src/late.ts'), content: 'x\n' },
        tool_response: {},
      });
      await step();
      const report = 'The table in `src/late.ts` lists every limit of the importer.';
      session.report('SubagentStop', { ...agent, last_assistant_message: report });
      await step();
      session.end();
      expect(await drained(repository)).toMatchObject({ pending: 0 });
      expect(digestsOf(repository)[0]?.request).toContain(report);
      expect(promptsOf(repository)).toHaveLength(1);
    },
  );

  it('of what a background sub-agent found before its turn was drained: its report waits for the agent’s comment', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    const report = 'The table in `src/late.ts` lists every limit of the importer.';
    const agent = { prompt_id: 'p1', agent_id: 'a1', agent_type: 'general-purpose' };
    session.report('SubagentStop', { ...agent, last_assistant_message: report });
    expect(await drained(repository)).toMatchObject({ pending: 1 });
    session.prompt('p2', `<task-notification><result>${report}</result></task-notification>`);
    session.stop('p2', 'The sub-agent is done: the table is complete.');
    session.end();
    expect(await drained(repository)).toMatchObject({ pending: 0 });
    expect(decodeTurns(digestsOf(repository)[0]?.request ?? '')).toHaveLength(2);
    expect(digestsOf(repository)[0]?.request).toContain('the table is complete');
  });

  it('while another drain is running', async () => {
    const repository = await prepared();
    hookedSession(repository.root).work('p1', 40);
    const { pid } = process;
    const lock = join(state(repository), 'lock');
    // As `lock.ts` writes it, of a process that lives but is not of this machine: nobody may take it over at once.
    writeFileSync(lock, `${pid} - elsewhere/x/0 0`);
    expect(await drained(repository)).toBeUndefined();
    expect(JSON.parse(repository.gitMem('drain', '--json'))).toMatchObject({ events: 0, pending: 5, busy: true });
    rmSync(lock);
    expect(await drained(repository)).toMatchObject({ events: 5, pending: 0 });
  });
});

describe('law: an event is never lost', () => {
  it('when its record cannot be written', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    const inTheWay = join(repository.root, '.memory/observations');
    writeFileSync(inTheWay, '');
    await expect(drained(repository)).rejects.toThrow(/ENOTDIR|EEXIST/);
    // The turn is kept; the end of its session waits to be acted on again.
    expect(countEvents(state(repository)).pending).toBe(1);
    rmSync(inTheWay);
    expect(await drained(repository)).toMatchObject({ events: 1, pending: 0 });
    expect(observations(repository)).toHaveLength(1);
  });

  it('when the summary of its session cannot be written', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    const inTheWay = join(repository.root, '.memory/summaries');
    writeFileSync(inTheWay, '');
    await expect(drained(repository)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(countEvents(state(repository)).pending).toBe(1);
    rmSync(inTheWay);
    await drained(repository);
    expect(summaries(repository)).toHaveLength(1);
    expect(observations(repository)).toHaveLength(1);
  });
});

describe('where records go', () => {
  it('a linked worktree keeps its own, on its own branch', async () => {
    const repository = await prepared();
    const worktree = join(repository.folder, 'worktree');
    repository.git('worktree', 'add', '--quiet', '-b', 'feature', worktree);
    hookedSession(worktree).work('p1', 40);
    await drained(repository, { all: true });
    expect(observations(repository)).toEqual([]);
    const [record] = observationsIn(join(worktree, '.memory'));
    expect(record?.branch).toBe('feature');
  });

  it('records from a worktree that is gone go to the private store', async () => {
    const repository = await prepared();
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
    const repository = await prepared('capture: {destination: private}\n');
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
      const repository = await prepared(`privacy: {prompts: ${prompts === 'off' ? '"off"' : prompts}}\n`);
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

describe('what the team does not want recorded', () => {
  it('does not reach a record, whether a tool or a path', async () => {
    const repository = await prepared('capture: {skip_tools: ["mcp__mail__*"], ignore_paths: ["secret/**"]}\n');
    const session = hookedSession(repository.root);
    session.prompt('p1', 'the importer drops row 7, please find out why and fix it');
    session.call(
      'p1',
      't1',
      'Edit',
      { file_path: join(repository.root, 'secret/plan.ts'), old_string: 'a', new_string: 'mergerwithacme' },
      {},
    );
    session.call('p1', 't2', 'mcp__mail__send', { path: join(repository.root, 'src/mail.ts') }, [{ text: 'mail' }]);
    session.call(
      'p1',
      't3',
      'Edit',
      { file_path: join(repository.root, 'src/limit.ts'), old_string: '10', new_string: '20' },
      {},
    );
    session.failure('p1', 't4', 'npm test', 'not ok 1 - row 7 is kept');
    session.call('p1', 't5', 'Bash', { command: 'npm test' }, { stdout: 'ok 1', stderr: '' });
    session.stop('p1', 'Fixed: the importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
    await drained(repository, { all: true });
    const [record] = observations(repository);
    expect(record?.files_modified).toEqual(['src/limit.ts']);
    expect(everything(repository)).not.toMatch(/mergerwithacme|secret\/plan|src\/mail/);
  });
});

describe('law: nothing private reaches a file outside the spool', () => {
  it('whether tagged or a secret, wherever it occurs in the session', async () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const key = ['sk', 'ant', 'api03', 'Xy9'.repeat(28)].join('-');
    const password = ['correct', 'horse', 'battery', '9x'].join('-');
    const repository = await prepared();
    const session = hookedSession(repository.root);
    const { root } = repository;
    session.report('SessionStart', { source: 'startup' });
    session.prompt('p1', `the deploy fails, fix it <private>our customer is Initech</private> the token is ${token}`);
    session.failure('p1', 't1', `curl -H "Authorization: Bearer ${token}" https://example.com`, `401 for ${token}`);
    session.call('p1', 't2', 'Write', { file_path: join(root, '.env'), content: `DB_PASSWORD=${password}\n` }, {});
    session.call('p1', 't3', 'Read', { file_path: join(root, `keys/${token}.txt`) }, { file: { content: key } });
    session.call('p1', 't4', 'Edit', { file_path: join(root, 'src/limit.ts'), old_string: 'a', new_string: key }, {});
    session.report('SubagentStop', {
      prompt_id: 'p1',
      agent_id: 'a',
      agent_type: 'x',
      last_assistant_message: `Tried ${password} and ${key}.`,
    });
    session.failure('p1', 't5', 'npm test', `not ok 1 - ${token}`);
    session.call('p1', 't6', 'Bash', { command: 'npm test' }, { stdout: 'ok 1', stderr: '' });
    session.stop(
      'p1',
      `Fixed: the deploy failed because the token ${token} had expired; \`DB_PASSWORD\` is ${password} now. <private>Initech</private>`,
    );
    session.report('PostCompact', { prompt_id: 'p1', compact_summary: `The token is ${token}.` });
    session.end();
    await drained(repository, { all: true });
    expect(observations(repository).length).toBeGreaterThan(0);
    const written = everything(repository);
    for (const secret of [token, key, password, 'Initech']) expect(written).not.toContain(secret);
    expect(written).toContain('[redacted:');
  });

  it('when a private block is longer than the scanned text', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    const secret = 'our customer is Initech. ';
    session.prompt(
      'p1',
      `the importer drops row 7 ${'x '.repeat(60_000)}<private>${secret.repeat(12_000)}</private> fix it`,
    );
    session.call(
      'p1',
      't1',
      'Edit',
      { file_path: join(repository.root, 'src/limit.ts'), old_string: '10', new_string: '20' },
      {},
    );
    session.stop('p1', 'Fixed: the importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
    await drained(repository);
    expect(recordFiles(repository).some((path) => path.includes('prompts/'))).toBe(true);
    expect(everything(repository)).not.toContain('Initech');
  });
});

describe('the summary of a session', () => {
  it('is written once, when the session ends', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    await drained(repository);
    expect(summaries(repository)).toEqual([]);
    session.end();
    await drained(repository);
    await drained(repository, { all: true });
    const [summary, ...more] = summaries(repository);
    expect(more).toEqual([]);
    expect(summary).toMatchObject({
      session: session.id,
      files_edited: ['src/limit.ts'],
      supersedes: [],
      prompt_number: 1,
    });
    for (const section of ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const) {
      expect(summary?.[section]).not.toBe('');
    }
  });

  it('is written when the session has been idle, and not while it goes on', async () => {
    const repository = await prepared();
    const idle = hookedSession(repository.root, { id: 'idle', at: new Date(Date.now() - 31 * MINUTE) });
    idle.work('p1', 50);
    const busy = hookedSession(repository.root, { id: 'busy' });
    busy.work('p1', 60);
    await drained(repository);
    expect(summaries(repository).map(({ session }) => session)).toEqual(['idle']);
  });

  it('waits while a turn is still going on, however long ago the previous one was', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root, { at: new Date(Date.now() - 60 * MINUTE) });
    session.work('p1', 40);
    const now = hookedSession(repository.root);
    now.prompt('p2', 'now a long one');
    await drained(repository);
    expect(promptsOf(repository)).toHaveLength(1);
    expect(summaries(repository)).toEqual([]);
  });

  it('is not written for a session that left no observation', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.chat('p1');
    session.end();
    await drained(repository);
    expect(summaries(repository)).toEqual([]);
  });

  it('replaces the previous one when a session is resumed', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drained(repository);
    session.report('SessionStart', { source: 'resume' });
    session.work('p2', 50);
    session.end();
    await drained(repository);
    const [first, second] = summaries(repository).sort((a, b) => a.supersedes.length - b.supersedes.length);
    expect(second?.supersedes).toEqual([first?.id]);
    expect(second?.learned).toContain('50');
  });

  it('repeats the previous one after a thank-you, and replaces it', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drained(repository);
    session.report('SessionStart', { source: 'resume' });
    session.prompt('p2', 'thanks');
    session.stop('p2', 'You are welcome.');
    session.end();
    await drained(repository, { all: true });
    const [first, second] = summaries(repository).sort((a, b) => a.supersedes.length - b.supersedes.length);
    expect(second?.supersedes).toEqual([first?.id]);
    expect(first?.learned).toContain('40');
    expect(second?.learned).toBe(first?.learned);
  });

  it('is left to the agent where it wrote one itself', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.prompt('p2', 'that is all for today');
    session.call('p2', 's1', 'mcp__git-mem__save_summary', { request: 'x' }, {});
    session.stop('p2', 'Saved.');
    session.end();
    await drained(repository);
    expect(observations(repository)).toHaveLength(1);
    expect(summaries(repository)).toEqual([]);
  });

  it('is only in the digest where the agent saved the turn itself', async () => {
    const repository = await prepared();
    const session = hookedSession(repository.root);
    const file_path = join(repository.root, 'src/limit.ts');
    session.prompt('p1', 'the importer drops row 7, please find out why and fix it');
    session.failure('p1', 't1', 'npm test', 'not ok 1 - row 7 is kept');
    session.call('p1', 't2', 'Edit', { file_path, old_string: 'LIMIT = 10', new_string: 'LIMIT = 20' }, {});
    session.call('p1', 't3', 'Bash', { command: 'npm test' }, { stdout: 'ok 1', stderr: '' });
    session.call(
      'p1',
      't4',
      'Bash',
      { command: 'git mem add --title "Batches were cut" --type bugfix' },
      { stdout: '' },
    );
    session.stop('p1', 'The importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
    session.end();
    await drained(repository);
    expect(observations(repository)).toEqual([]);
    expect(digestsOf(repository)[0]?.request).toContain('cut every batch');
  });

  it.each(
    [5, 60, 30 * 24 * 60].flatMap((minutes) => [1, 2, 4].flatMap((n) => [true, false].map((ids) => [minutes, n, ids]))),
  )(
    'leaves nothing waiting where the clock is set back by %i minutes after event %i, prompt ids: %s',
    async (...given) => {
      const [minutes, before, hasIds] = given as [number, number, boolean];
      const repository = await prepared();
      const session = hookedSession(repository.root, { at: new Date(Date.now() - MINUTE) });
      const reported = session.report;
      session.report = (event, { prompt_id, ...payload }) =>
        reported(event, hasIds ? { prompt_id, ...payload } : payload);
      session.work('p1', 40);
      session.end();
      const spool = join(state(repository), 'spool/new');
      const files = readdirSync(spool).map((name) => join(spool, name));
      files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
      for (const file of files.slice(0, before)) {
        const time = statSync(file).mtimeMs / 1000 + minutes * 60;
        utimesSync(file, time, time);
      }
      expect(await drained(repository)).toMatchObject({ events: 6, pending: 0, failed: 0 });
      expect(promptsOf(repository)).toMatchObject([{ text: expect.stringContaining('the importer drops row 40') }]);
      expect(observations(repository)).toMatchObject([{ type: 'bugfix', files_modified: ['src/limit.ts'] }]);
    },
  );
});

/** A set-up repository with one file and no events. */
async function prepared(config = ''): Promise<TestRepository> {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  repository.write('.memory/config.yaml', config);
  repository.write('.gitignore', '.worktrees\n');
  repository.commit('start');
  await setModel(repository);
  return repository;
}

function drained({ root, env }: TestRepository, { all = false } = {}): Promise<DrainReport | undefined> {
  return openProject(root, env).drain({ all, now: false, signal: new AbortController().signal });
}

function state({ root }: TestRepository): string {
  return join(root, '.git/git-mem');
}

/** Paths of all records, those of the private store below `private/`. */
function recordFiles(repository: TestRepository): string[] {
  return Object.keys(recordContents(repository));
}

function recordContents(repository: TestRepository): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [prefix, store] of [
    ['', join(repository.root, '.memory')],
    ['private/', join(state(repository), 'private')],
  ] as const) {
    for (const [path, text] of Object.entries(snapshot(store))) if (RECORD.test(path)) found[prefix + path] = text;
  }
  return found;
}

function observations(repository: TestRepository): Observation[] {
  return observationsIn(join(repository.root, '.memory'));
}

function observationsIn(store: string): Observation[] {
  return recordsIn(store).filter((record) => record.kind === 'observation');
}

function summaries(repository: TestRepository): Summary[] {
  return recordsIn(join(repository.root, '.memory')).filter((record) => record.kind === 'summary');
}

function digestsOf(repository: TestRepository): Summary[] {
  return privately(repository).flatMap((record) =>
    record.kind === 'summary' && record.type === 'digest' ? [record] : [],
  );
}

function promptsOf(repository: TestRepository): MemoryRecord[] {
  return privately(repository).filter(({ kind }) => kind === 'prompt');
}

function privately(repository: TestRepository): MemoryRecord[] {
  return recordsIn(join(state(repository), 'private'));
}

function recordsIn(store: string): MemoryRecord[] {
  const files = Object.entries(snapshot(store)).filter(([path]) => RECORD.test(path));
  return files.map(([path, text]) => decode(text, path));
}

/** All that git-mem wrote anywhere, but the spool. */
function everything(repository: TestRepository): string {
  expect(countEvents(state(repository)).pending).toBe(0);
  const files = { ...snapshot(join(repository.root, '.memory')), ...snapshot(state(repository)) };
  return Object.entries(files).flat().join('\n');
}
