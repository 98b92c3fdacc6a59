import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { noteUse, noteWork, takeUse } from '../../src/memory/store/use-log.ts';
import { openProject } from '../../src/project.ts';
import { gitMem } from '../support/command-line.ts';
import { hookCall } from '../support/hook-call.ts';
import { connectMcpHere } from '../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const AUTH = idOf('auth');
const QUEUE = idOf('queue');
const OTHER = idOf('other');

let repository: TestRepository;
const state = () => join(repository.root, '.git/git-mem');

beforeEach(async () => {
  repository = createRepository();
  await repository.call('init', '--yes', '--host', 'claude-code');
  for (const file of ['auth', 'queue']) repository.write(`src/${file}.ts`, 'export {};\n');
  put(
    repository,
    observationOf({ id: AUTH, title: 'Tokens tolerate thirty seconds of skew', files_modified: ['src/auth.ts'] }),
  );
  put(
    repository,
    observationOf({ id: QUEUE, title: 'The queue is emptied twice a day', files_modified: ['src/queue.ts'] }),
  );
  repository.commit('remember');
  await repository.call('sync');
});

interface Used {
  injected: number;
  fetched: number;
  followed: number;
  commits: number;
}

/** The uses that `stats --use` counts, by record. */
async function uses(): Promise<Record<string, Used>> {
  const { use } = JSON.parse(await repository.call('stats', '--use', '--json'));
  return Object.fromEntries(
    use.records.map(({ id, injected, fetched, followed, commits }: Used & { id: string }) => {
      return [id, { injected, fetched, followed, commits }];
    }),
  );
}

const NONE: Used = { injected: 0, fetched: 0, followed: 0, commits: 0 };

/** Reports an event of a session of Claude Code. */
function hook(event: string, payload: object, session = 's1'): Promise<string> {
  const base = { session_id: session, prompt_id: 'p1', cwd: repository.root, hook_event_name: event };
  return hookCall(repository, 'claude-code', event, { ...base, ...payload });
}

async function edit(path: string, session = 's1'): Promise<void> {
  const call = {
    tool_name: 'Edit',
    tool_use_id: `${path} ${session}`,
    tool_input: { file_path: join(repository.root, path), old_string: 'a', new_string: 'b' },
  };
  await hook('PreToolUse', call, session);
  await hook('PostToolUse', { ...call, tool_response: {} }, session);
}

const drain = () =>
  openProject(repository.root, repository.env).drain({ all: true, now: true, signal: new AbortController().signal });

describe('the use of records', () => {
  it('is counted once a session: injected, opened, and followed by work on its files', async () => {
    for (const session of ['s1', 's2']) {
      await hook('SessionStart', { source: 'startup' }, session);
      await hook('UserPromptSubmit', { prompt: 'change the tokens, please' }, session);
      await edit('src/auth.ts', session);
      await hook('Stop', { last_assistant_message: 'Done.' }, session);
      await hook('SessionEnd', { reason: 'other' }, session);
    }
    await drain();
    expect(existsSync(join(state(), 'use/log'))).toBe(false);
    expect(await uses()).toEqual({
      [AUTH]: { ...NONE, injected: 2, followed: 2 },
      [QUEUE]: { ...NONE, injected: 2 },
    });
    expect(repository.git('status', '--porcelain', '.memory/marks', '.gitignore')).toBe('');
  });

  it('counts records that were shown, by a command or an MCP tool, but not what was only listed', async () => {
    await repository.call('list');
    await repository.call('search', 'tokens');
    expect(await uses()).toEqual({});
    await repository.call('show', AUTH);
    await repository.call('show', AUTH, '--json');
    expect(await uses()).toEqual({ [AUTH]: { ...NONE, fetched: 1 } });
    repository.env.CLAUDECODE = '1';
    for (const session of ['s7', 's8', 's7']) {
      repository.env.CLAUDE_CODE_SESSION_ID = session;
      await repository.call('show', AUTH);
    }
    expect(await uses()).toEqual({ [AUTH]: { ...NONE, fetched: 3 } });
    const server = await connectMcpHere({ cwd: repository.root, env: repository.env });
    onTestFinished(() => server.close());
    await server.call('get_observations', { ids: [QUEUE] });
    expect((await uses())[QUEUE]).toEqual({ ...NONE, fetched: 1 });
  });

  it('does not count work that came before the record was known', () => {
    const at = new Date('2026-11-20T10:00:00Z');
    noteWork(state(), 's', [['src/auth.ts', at.getTime() - 1]]);
    noteUse(state(), 'injected', { ids: [AUTH], session: 's', now: at });
    return expect(uses()).resolves.toEqual({ [AUTH]: { ...NONE, injected: 1 } });
  });

  it('counts work on a renamed file', async () => {
    repository.write('src/auth.ts', 'export const many = "lines";\n'.repeat(20));
    repository.commit('more');
    repository.git('mv', 'src/auth.ts', 'src/tokens.ts');
    repository.commit('rename');
    noteUse(state(), 'injected', { ids: [AUTH], session: 's', now: new Date() });
    noteWork(state(), 's', [['src/tokens.ts', Date.now() + 1]]);
    await drain();
    expect((await uses())[AUTH]).toMatchObject({ followed: 1 });
  });

  it('survives a damaged log and counts, and a process that was killed while it counted', async () => {
    noteUse(state(), 'injected', { ids: [AUTH], session: 's', now: new Date() });
    appendFileSync(join(state(), 'use/log'), '{"atMs":1,"ses\n[]\nnull\n{"atMs":"x","session":"y","use":"worked"}\n');
    const lines = readFileSync(join(state(), 'use/log'));
    expect(await uses()).toEqual({ [AUTH]: { ...NONE, injected: 1 } });
    // Killed after it had counted them, before it removed them.
    writeFileSync(join(state(), 'use/taken'), lines);
    expect(await uses()).toEqual({ [AUTH]: { ...NONE, injected: 1 } });
    expect(readdirSync(join(state(), 'use'))).not.toContain('taken');
    writeFileSync(join(state(), 'use/counts.json'), '{"sinceMs":');
    expect(await uses()).toEqual({});
  });

  it('stops writing where nothing counts', () => {
    mkdirSync(join(state(), 'use'), { recursive: true });
    writeFileSync(join(state(), 'use/log'), 'x'.repeat(1024 * 1024 + 1));
    noteUse(state(), 'injected', { ids: [AUTH], session: 's', now: new Date() });
    let found = -1;
    takeUse(state(), (lines) => {
      found = lines.length;
    });
    expect(found).toBe(0);
  });

  it('is read back from the trailers of the history', async () => {
    repository.git(
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Fix it',
      '-m',
      `Memory-Used: ${QUEUE}\nMemory-Used: ${AUTH}`,
    );
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'More', '-m', `Memory-Used: ${QUEUE}`);
    repository.git('commit', '--quiet', '--allow-empty', '-m', `Memory-Used: ${OTHER} in the subject is none`);
    expect(await uses()).toEqual({ [QUEUE]: { ...NONE, commits: 2 }, [AUTH]: { ...NONE, commits: 1 } });
  });
});

describe('git mem list --unused', () => {
  it('lists what is older than that and was not used since, and says since when use is counted', async () => {
    const young = { by: 'test', at: `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z` };
    put(repository, observationOf({ id: OTHER, title: 'Written an hour ago, and nobody used it', generated: young }));
    await repository.call('show', AUTH);
    const { stdout, stderr } = await gitMem(repository, ['list', '--unused', '1d', '--json']);
    const { total, records } = JSON.parse(stdout);
    expect([total, records.map(({ id }: { id: string }) => id)]).toEqual([1, [QUEUE]]);
    expect(records[0].use).toEqual({ injected: 0, fetched: 0, followed: 0, last: null });
    expect(stderr).toBe('');
    const listed = await gitMem(repository, ['list', '--unused', '1d']);
    expect(listed.stderr).toMatch(/^Use is counted here since \d{4}-\d\d-\d\d only\.\n$/);
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'Fix it', '-m', `Memory-Used: ${QUEUE}`);
    expect(JSON.parse(await repository.call('list', '--unused', '1d', '--json')).total).toBe(0);
    expect((await gitMem(repository, ['list', '--unused', 'long'])).code).toBe(2);
  });
});
