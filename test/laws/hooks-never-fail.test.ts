import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { initialised } from '../support/prepared-repository.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL } from '../support/trials.ts';

const it = test.extend('repository', () => initialised());

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'NoSuchEvent', ''];

const PAYLOADS: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  garbage: Buffer.from('{"session_id": "s1", "tool_name": '),
  'not an object': Buffer.from('[1, 2, 3]'),
  binary: Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)),
  '50 MB': Buffer.concat([
    Buffer.from('{"session_id":"s1","x":"'),
    Buffer.alloc(50 * 1024 * 1024, 'x'),
    Buffer.from('"}'),
  ]),
  'deeply nested': Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'hostile keys': Buffer.from(
    '{"__proto__": {"session_id": "x"}, "session_id": {"a": 1}, "cwd": 7, "tool_input": null}',
  ),
};

/** The two ways in: what the committed settings call, and the complete form. */
const WAYS: Record<string, (event: string) => string[]> = {
  '.memory/hook': (event) => ['sh', '.memory/hook', 'claude-code', event],
  'git-mem hook': (event) => [process.execPath, PROGRAM, 'hook', 'claude-code', event],
};

describe('law: a hook waits for no host', () => {
  const listening = ({ root, env }: TestRepository) => {
    const args = [PROGRAM, 'hook', 'claude-code', 'PostToolUse'];
    return spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'ignore', 'ignore'] });
  };

  it('if the host does not close the pipe after the event', async ({ repository }) => {
    const child = listening(repository);
    child.stdin.write(`{"session_id":"s1","tool_name":"Edit","tool_input":{"file_path":"a}`);
    child.stdin.write(`"},"cwd":${JSON.stringify(repository.root)}}\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(readdirSync(join(repository.root, '.git/git-mem/spool/new'))).toHaveLength(1);
  });

  it('if the host sends nothing and closes nothing, by more than a few seconds', async ({ repository }) => {
    const child = listening(repository);
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

describe.each(Object.keys(WAYS))('law: a hook never hurts its host (%s)', (way) => {
  const call = (repository: TestRepository, event: string, input: Buffer, env = repository.env) => {
    const [command = '', ...args] = WAYS[way]?.(event) ?? [];
    return spawnSync(command, args, { cwd: repository.root, env, input, maxBuffer: 1 << 28, timeout: 60_000 });
  };

  it.each(Object.keys(PAYLOADS))('whatever is on stdin: %s', async (name) => {
    const repository = await initialised();
    for (const event of eventsFor(name)) {
      const { status, stdout, signal } = call(repository, event, PAYLOADS[name] ?? Buffer.alloc(0));
      expect({ event, status, signal }).toEqual({ event, status: 0, signal: null });
      // A start that names a session is answered, however long it is: by the host's JSON and nothing else.
      const isStart = name === '50 MB' && event === 'SessionStart';
      const found = isStart ? Object.keys(JSON.parse(stdout.toString())) : stdout.toString();
      expect({ event, found }).toEqual({ event, found: isStart ? ['hookSpecificOutput'] : '' });
    }
  });

  it('without HOME, without git, with an empty environment', async ({ repository }) => {
    const bare = join(repository.folder, 'bare');
    mkdirSync(bare);
    for (const name of ['sh', 'cat', 'mv', 'mkdir', 'mktemp', 'rm', 'node']) {
      const found =
        name === 'node'
          ? process.execPath
          : execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
      execFileSync('ln', ['-s', found, join(bare, name)]);
    }
    writeFileSync(join(bare, 'git-mem'), readFileSync(join(repository.folder, 'bin/git-mem')), { mode: 0o755 });
    for (const event of ['SessionStart', 'PostToolUse', 'Stop']) {
      const { status, stdout } = call(repository, event, payload(event, repository.root), { PATH: bare });
      expect({ event, status }).toEqual({ event, status: 0 });
      if (stdout.length > 0) expect(() => JSON.parse(stdout.toString())).not.toThrow();
    }
  });

  it('with a spool that cannot be written', async ({ repository }) => {
    const state = join(repository.root, '.git/git-mem');
    rmSync(state, { recursive: true, force: true });
    // Root may write anywhere, but not below a file.
    writeFileSync(state, 'in the way');
    for (const event of EVENTS) {
      const { status } = call(repository, event, payload(event, repository.root));
      expect({ event, status }).toEqual({ event, status: 0 });
    }
    // An event of a turn that has not ended waits in the fallback, where `status` and every drain look too.
    const open = JSON.stringify({ session_id: 's2', prompt_id: 'p2', cwd: repository.root, prompt: 'wait for me' });
    expect(call(repository, 'UserPromptSubmit', Buffer.from(open)).status).toBe(0);
    const counts = JSON.parse(await repository.call('status', '--json'));
    expect(counts.pending_events).toBeGreaterThan(0);
  });

  it('on a full disk', async ({ skip }) => {
    const repository = await initialised();
    const disk = join(repository.folder, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    if (mounted.status !== 0) {
      console.log('skipped: a small tmpfs cannot be mounted here, so there is no full disk to test on.');
      skip();
    }
    onTestFinished(() => void spawnSync('umount', ['-l', disk]));
    const state = join(disk, 'state');
    const big = JSON.stringify({ session_id: 's1', cwd: repository.root, prompt: 'x'.repeat(200_000) });
    for (const event of ['UserPromptSubmit', 'PostToolUse', 'SessionStart', 'Stop']) {
      const { status } = call(repository, event, Buffer.from(big), { ...repository.env, GIT_MEM_STATE: state });
      expect({ event, status }).toEqual({ event, status: 0 });
    }
    // What did not fit was not accepted, and nothing half is visible.
    const accepted = readdirSync(join(state, 'spool/new'));
    expect(accepted).toEqual([]);
  });
});

describe('law: the program never hurts the host', () => {
  it('with an unknown host, and with no arguments', async ({ repository }) => {
    for (const args of [['hook', 'no-such-host', 'Stop'], ['hook'], ['hook', '../..', '$(touch x)']]) {
      const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], {
        cwd: repository.root,
        env: repository.env,
        input: '{}',
      });
      expect({ args, status, stdout: stdout.toString() }).toEqual({ args, status: 0, stdout: '' });
    }
  });

  it('outside a repository, and in one that is not set up', () => {
    const repository = createRepository();
    const start = payload('SessionStart', repository.root);
    for (const cwd of [repository.folder, repository.root]) {
      const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'hook', 'claude-code', 'SessionStart'], {
        cwd,
        env: repository.env,
        input: start,
      });
      expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: '' });
    }
    expect(readdirSync(repository.root)).toEqual(['.git']);
    expect(readdirSync(join(repository.root, '.git'))).not.toContain('git-mem');
  });
});

/** The events that come with a payload: all of them in a full run, otherwise two, so that each event comes with some. */
function eventsFor(payload: string): string[] {
  if (FULL) return EVENTS;
  const first = Object.keys(PAYLOADS).indexOf(payload);
  return [0, 3].map((step) => EVENTS[(first + step) % EVENTS.length] ?? '');
}

function payload(event: string, cwd: string): Buffer {
  const base = { session_id: 's1', prompt_id: 'p1', cwd, hook_event_name: event };
  return Buffer.from(JSON.stringify({ ...base, source: 'startup', prompt: 'hello', last_assistant_message: 'Hello.' }));
}
