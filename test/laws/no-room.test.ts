import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { gitMem } from '../support/command-line.ts';
import { launched } from '../support/hook-call.ts';
import { preparedRepository } from '../support/prepared-repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'];
const KNOWN = 'Clock skew between nodes is tolerated';
const BEFORE = 'The importer reads batches of ten';
const DURING = 'The exporter sorts rows by time';

/** What stands where the state of git-mem should be, or how it cannot be written; gives false where it cannot be made. */
const TROUBLES: Record<string, (state: string) => boolean> = {
  'a file in its place': (state) => {
    rmSync(state, { recursive: true });
    writeFileSync(state, 'in the way');
    return true;
  },
  'a link that leads nowhere': (state) => {
    rmSync(state, { recursive: true });
    symlinkSync('/nonexistent/place', state);
    return true;
  },
  // Root may write into a folder without permissions, but not on a file system that is read-only.
  'a file system that is read-only': (state) =>
    mounted(state, '1m') && spawnSync('mount', ['-o', 'remount,ro', state]).status === 0,
};

describe('law: where the state cannot be written, everything that can be answered is, and no accepted event is lost', () => {
  it.each(Object.entries(TROUBLES))('%s', async (_, make) => {
    const repository = await knowing();
    if (!make(join(repository.root, '.git/git-mem'))) return skipped();
    await expectAnswers(repository);
    session(repository, 's1');
    expect(await gitMem(repository, ['drain', '--wait', '--all'])).toMatchObject({ code: 0, stderr: '' });
    expect(await remembered(repository)).toContain('s1');
    expect((await gitMem(repository, ['doctor'])).stdout).toContain('The git folder cannot be written');
  });

  it('what this clone wrote stays its own then and after the state is writable again, wherever it was recorded', async () => {
    const repository = await knowing();
    const state = join(repository.root, '.git/git-mem');
    put(repository, observationOf({ id: idOf('before'), title: BEFORE, narrative: 'Found while reading.' }));
    if (!mounted(state, '1m')) return skipped();
    expect(spawnSync('mount', ['-o', 'remount,ro', state]).status).toBe(0);
    put(repository, observationOf({ id: idOf('during'), title: DURING, narrative: 'Found in a sandbox.' }));
    await expectOwn(repository, [BEFORE, DURING]);
    expect(spawnSync('mount', ['-o', 'remount,rw', state]).status).toBe(0);
    await expectOwn(repository, [BEFORE, DURING]);
  });

  it('a full disk', async () => {
    const repository = await knowing();
    const state = join(repository.root, '.git/git-mem');
    if (!mounted(state, '1m')) return skipped();
    session(repository, 's1', { drains: false });
    const accepted = await waiting(repository);
    expect(accepted).toBeGreaterThan(0);
    const filler = join(state, 'filler');
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k', 'count=2048']);
    await expectAnswers(repository);
    session(repository, 's2', { drains: false });
    const drained = await gitMem(repository, ['drain', '--wait', '--all']);
    expect({ ...drained, isOurs: drained.code === 70 }).toMatchObject({ isOurs: false, stdout: '' });
    if (drained.code !== 0) expect(drained.stderr).toMatch(/no space left.*\nMake room/);
    expect((await gitMem(repository, ['doctor'])).stdout).toMatch(/state +.* cannot be written: ENOSPC/);
    // Whatever was accepted, before and on the full disk, is drained once there is room.
    expect(await waiting(repository)).toBeGreaterThanOrEqual(accepted);
    rmSync(filler);
    expect(await gitMem(repository, ['drain', '--wait', '--all'])).toMatchObject({ code: 0, stderr: '' });
    expect(await waiting(repository)).toBe(0);
    expect(await remembered(repository)).toContain('s1');
  });
});

/** A repository with a reviewed record, whose agent reports to git-mem. */
function knowing(): Promise<TestRepository> {
  return preparedRepository('knowing', know);
}

async function know(repository: TestRepository): Promise<void> {
  await repository.call('init', '--yes', '--host', 'claude-code');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  drop(repository, observationOf({ id: idOf('known'), title: KNOWN, narrative: 'A 401 right after login.' }));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--no-verify', '-m', 'base');
  // The first one of all fills the cache.
  expect(await repository.call('search', 'clock skew')).toContain(KNOWN);
}

/** Everything that only reads knows what was reviewed, or says what is wrong. */
async function expectAnswers(repository: TestRepository): Promise<void> {
  for (const command of ['search clock skew', 'list', 'context', 'status', 'sync']) {
    const { code, stdout, stderr } = await gitMem(repository, command.split(' '));
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: command === 'sync' ? stderr : '' });
    if (/search|list|context/.test(command)) expect(stdout).toContain(KNOWN);
  }
  const told = hook(repository, 'SessionStart', { session_id: 'new', source: 'startup' });
  expect(told).toContain(KNOWN);
}

/** These records are taken for this clone's own: a starting session is told of them. */
async function expectOwn(repository: TestRepository, titles: string[]): Promise<void> {
  const { records } = JSON.parse(await repository.call('list', '--json'));
  const trusts = records.map(({ title, trust }: { title: string; trust: string }) => [title, trust]);
  expect(Object.fromEntries(trusts)).toMatchObject(Object.fromEntries(titles.map((title) => [title, 'own'])));
  const told = hook(repository, 'SessionStart', { session_id: 'asking', source: 'startup' });
  for (const title of titles) expect(told).toContain(title);
}

/** What an agent reports of one turn in which something was mended. */
function session(repository: TestRepository, session_id: string, { drains = true } = {}): void {
  const file_path = join(repository.root, 'src/limit.ts');
  const about: Record<string, object> = {
    SessionStart: { source: 'startup' },
    UserPromptSubmit: { prompt: 'the importer drops the last row, please fix it' },
    PostToolUse: {
      tool_use_id: 't1',
      tool_name: 'Edit',
      tool_input: { file_path, old_string: 'LIMIT = 10', new_string: 'LIMIT = 11' },
      tool_response: { filePath: file_path },
    },
    Stop: {
      last_assistant_message:
        'Fixed: the last row was dropped because `LIMIT` in `src/limit.ts` was 10. It is 11 now, decided because batches are that long.',
    },
  };
  for (const event of EVENTS.filter((one) => drains || !/^(?:Stop|SessionEnd)$/.test(one))) {
    hook(repository, event, { session_id, prompt_id: `${session_id}-p1`, ...about[event] });
  }
}

/** Reports one event as the host does; gives what the agent is told. */
function hook(repository: TestRepository, event: string, payload: object): string {
  const { stdout, ...rest } = launched(repository, 'claude-code', event, payload);
  expect({ event, ...rest }).toEqual({ event, status: 0, stderr: '' });
  return stdout;
}

async function waiting(repository: TestRepository): Promise<number> {
  return JSON.parse(await repository.call('status', '--json')).pending_events;
}

/** The sessions of which this clone has a digest: without a model they leave nothing else. */
async function remembered(repository: TestRepository): Promise<string[]> {
  const { records } = JSON.parse(await repository.call('list', '--all', '--type', 'digest', '--json'));
  return records.map(({ session }: { session: string | null }) => session ?? '');
}

/** Puts a small file system, with all that lies there, in the place of a folder. */
function mounted(folder: string, size: string): boolean {
  const aside = `${folder}.aside`;
  cpSync(folder, aside, { recursive: true, filter: (path) => !/cache\.sqlite/.test(path) });
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0;
  if (!isMounted) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  if (existsSync(aside)) cpSync(aside, folder, { recursive: true });
  else mkdirSync(folder, { recursive: true });
  return true;
}

function skipped(): void {
  console.log('skipped: no file system can be mounted here, so there is none that is full or read-only.');
}
