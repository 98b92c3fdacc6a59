import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { statusLine } from '../../src/surfaces/hook/status-line.ts';
import { gitMem } from '../support/command-line.ts';
import { hookCall, launched } from '../support/hook-call.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => remembering());

const [A, B, C, D] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd'];

describe('git mem statusline', () => {
  it('counts the records and summaries of both stores, and the pending events', async ({ repository }) => {
    expect(await line(repository)).toBe('memory 3\n');
    launched(repository, 'claude-code', 'PostToolUse', { session_id: 's', tool_name: 'Edit', tool_input: {} });
    expect(await line(repository)).toBe('memory 3 · 1 pending\n');
  });

  it('shows what the last session start found stale and unreviewed, on that branch only', async ({ repository }) => {
    drop(repository, observationOf({ id: D, title: "A stranger's" }));
    repository.write('src/a.ts', 'changed\n');
    await start(repository);
    expect(await line(repository)).toBe('memory 4 · 1 stale · 1 unreviewed\n');
    repository.git('switch', '--quiet', '-c', 'other');
    expect(await line(repository)).toBe('memory 4\n');
    repository.git('switch', '--quiet', 'main');
    expect(await line(repository)).toBe('memory 4 · 1 stale · 1 unreviewed\n');
  });

  it('leaves out stale records that are retired', async ({ repository }) => {
    repository.write('src/a.ts', 'changed\n');
    await repository.call('retire', A);
    await start(repository);
    expect(await line(repository)).toBe('memory 2\n');
  });

  it('counts as `list` and `status` do: without retired and unreadable records, and each id once', async () => {
    const repository = await remembering();
    await repository.call('retire', A);
    const folder = dirname(storePath(observationOf({ id: B })));
    repository.write(`.memory/${folder}/20260101T000000Z-garbage-${C}.md`, 'garbage');
    for (const command of ['list', 'status']) {
      rmSync(join(repository.root, '.git/git-mem/tally'), { recursive: true, force: true });
      const { total, records } = JSON.parse((await gitMem(repository, [command, '--json'])).stdout);
      expect(total ?? records.team + records.private).toBe(2);
      expect(await line(repository)).toBe('memory 2\n');
    }
  });

  it('counts as `list` does right after a record is retired, restored or replaced', async ({ repository }) => {
    await repository.call('list');
    await repository.call('retire', A);
    expect(await line(repository)).toBe('memory 2\n');
    await repository.call('undo', A);
    expect(await line(repository)).toBe('memory 3\n');
    await repository.call('add', '--title', 'The queue is bounded by ten rows', '--supersedes', A);
    expect(await line(repository)).toBe('memory 3\n');
    expect(JSON.parse(await repository.call('list', '--json')).total).toBe(3);
  });

  it('ignores a damaged tally', async ({ repository }) => {
    await start(repository);
    const folder = join(repository.root, '.git/git-mem/tally');
    const name = readdirSync(folder).find((file) => file.includes('standing')) ?? '';
    const [path, good] = [join(folder, name), readFileSync(join(folder, name), 'utf8')];
    for (const bad of ['', '{', '7', 'null', good.replace(/"stale":\d+/, '"stale":"<b>"'), good.replace('0', '-1')]) {
      writeFileSync(path, bad);
      expect(await line(repository)).toBe('memory 3\n');
    }
  });

  it('notices every change to a folder whose count it kept, and ignores damaged counts', async ({ repository }) => {
    const month = join(repository.root, '.memory', dirname(storePath(observationOf({ id: D }))));
    const settle = (seconds: number) => utimesSync(month, seconds, seconds);
    settle(1000);
    expect(await line(repository)).toBe('memory 3\n');
    drop(repository, observationOf({ id: D }));
    expect(await line(repository)).toBe('memory 4\n');
    settle(2000);
    expect(await line(repository)).toBe('memory 4\n');
    const folder = join(repository.root, '.git/git-mem/tally');
    const path = join(folder, readdirSync(folder).find((file) => file.includes('counts')) ?? '');
    const good = readFileSync(path, 'utf8');
    expect(good).toContain('[');
    // Proof that the kept count is what is shown, or the damage below would prove nothing.
    const other = good.replace(/,2\]/, ',7]');
    writeFileSync(path, other);
    expect(await line(repository)).toBe('memory 9\n');
    for (const bad of ['', '[', '{}', '7', other.replace(',7]', ',-7]'), other.replace(',7]', ',"7"]')]) {
      writeFileSync(path, bad);
      expect(await line(repository)).toBe('memory 4\n');
    }
  });

  it('is about the directory that the host names, the one given with -C, or the current one', async () => {
    const repository = await remembering();
    const elsewhere = { cwd: repository.folder };
    const { root } = repository;
    expect(await line(repository, elsewhere)).toBe('');
    expect(await line(repository, { ...elsewhere, input: { workspace: { current_dir: join(root, 'src') } } })).toBe(
      'memory 3\n',
    );
    expect(await line(repository, { ...elsewhere, input: { workspace: { project_dir: root } } })).toBe('memory 3\n');
    expect(await line(repository, { ...elsewhere, input: { cwd: root } })).toBe('memory 3\n');
    const program = (asked?: Asked) => {
      const { status, stdout, stderr } = run(repository, asked);
      return { status, stdout, stderr };
    };
    const said = { status: 0, stdout: 'memory 3\n', stderr: '' };
    expect(program({ ...elsewhere, args: ['-C', 'repository', 'statusline'] })).toEqual(said);
    expect(program()).toEqual(said);
    expect(program({ ...elsewhere, input: { cwd: root } })).toEqual(said);
    expect(await line(repository, { input: { cwd: repository.folder, workspace: 7 } })).toBe('memory 3\n');
  });

  it.each([
    'garbage',
    '[1]',
    '{"workspace": {"current_dir": "\\u0000"}}',
    '{"__proto__": {"cwd": "/"}, "cwd": {}}',
    '['.repeat(100_000),
  ])('succeeds whatever is on stdin: %.40s', async (input) => {
    const repository = await remembering();
    const { status, stderr } = run(repository, { input });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('is silent outside a repository, in one without memory, and where everything is off', async ({ repository }) => {
    expect(await line(repository, { env: { GIT_MEM: '0' } })).toBe('');
    rmSync(join(repository.root, '.memory'), { recursive: true });
    expect(await line(repository)).toBe('');
    rmSync(join(repository.root, '.git'), { recursive: true });
    expect(await line(repository)).toBe('');
  });

  it('survives a store and a state folder that are not folders', async ({ repository }) => {
    rmSync(join(repository.root, '.memory/observations'), { recursive: true });
    writeFileSync(join(repository.root, '.memory/observations'), '');
    rmSync(join(repository.root, '.git/git-mem'), { recursive: true });
    writeFileSync(join(repository.root, '.git/git-mem'), '');
    expect(await line(repository)).toMatch(/^memory \d+\n$/);
  });

  it('has a help text, and refuses unknown arguments', async () => {
    const repository = createRepository();
    expect(await gitMem(repository, ['statusline', '--help'])).toMatchObject({ code: 0 });
    expect(await gitMem(repository, ['statusline', '--json'])).toMatchObject({ code: 2 });
  });
});

/** A repository that remembers a decision on a file, a private note and a session. */
function remembering(): Promise<TestRepository> {
  return preparedRepository('status-line', remember);
}

async function remember(repository: TestRepository): Promise<void> {
  repository.write('src/a.ts', 'export const rowLimit = 10;\n');
  await repository.call('init', '--yes');
  repository.commit('first');
  const anchors = { 'src/a.ts': repository.git('rev-parse', 'HEAD:src/a.ts').trim() };
  put(repository, observationOf({ id: A, narrative: 'See `rowLimit`.', files_modified: ['src/a.ts'], anchors }));
  put(repository, observationOf({ id: B }), 'private');
  put(repository, summaryOf({ id: C }));
}

async function start(repository: TestRepository): Promise<void> {
  const payload = { session_id: 's', cwd: repository.root, hook_event_name: 'SessionStart', source: 'startup' };
  expect(await hookCall(repository, 'claude-code', 'SessionStart', payload)).toContain('git-mem-memory');
  // The event of the start itself waits for the next drain.
  await repository.call('drain', '--all');
}

interface Asked {
  cwd?: string;
  input?: unknown;
  env?: Record<string, string>;
  args?: string[];
}

/** The built program, for what depends on its arguments and its streams. */
function run({ root, env }: TestRepository, { cwd = root, input = {}, env: more, args = ['statusline'] }: Asked = {}) {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...env, ...more },
    encoding: 'utf8',
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });
}

/** The line, made within this process. */
async function line({ root, env }: TestRepository, { cwd = root, input = {}, env: more }: Asked = {}): Promise<string> {
  return statusLine({
    input: async () => Buffer.from(typeof input === 'string' ? input : JSON.stringify(input)),
    directory: undefined,
    cwd,
    env: { ...env, ...more },
  });
}
