import { spawn } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookCall } from '../support/hook-call.ts';
import { PROGRAM } from '../support/program.ts';
import { snapshot } from '../support/replayed-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL, SEED, trials } from '../support/trials.ts';

/** Kills of hooks, and of the drain: 100 each in a full run. A drain costs ten times what a hook does. */
const TRIALS = trials(100);
const DRAIN_TRIALS = FULL ? TRIALS : Math.ceil(TRIALS / 3);

describe('law: an accepted event is never lost and never doubled', () => {
  it(`through ${TRIALS} kills of hooks at random instants`, async () => {
    const random = randomFrom(SEED);
    const repository = await prepared();
    const survived: string[] = [];
    let kills = 0;
    for (let session = 0; kills < TRIALS; session++) {
      for (const [i, payload] of turnOf(session, repository.root).entries()) {
        const marker = `marker-${session}-${i}`;
        const killAfterMs = random() < 0.7 ? random() * 15 : undefined;
        const hook = ['sh', '.memory/hook', 'claude-code', String(payload.hook_event_name)];
        const killed = await run(hook, repository, JSON.stringify({ ...payload, marker }), killAfterMs);
        if (killed) kills++;
        else survived.push(marker);
      }
    }
    const spool = join(repository.root, '.git/git-mem/spool/new');
    const events = readdirSync(spool).map((name) => readFileSync(join(spool, name), 'utf8'));
    // Whole or not at all: what is accepted parses to its last brace, also when its hook was killed.
    const markers = events.map((text) => String(JSON.parse(text.slice(text.indexOf('\n\n') + 2)).marker));
    expect(survived.length).toBeGreaterThan(TRIALS / 10);
    expect(survived.filter((marker) => !markers.includes(marker))).toEqual([]);
    expect(new Set(markers).size).toBe(markers.length);
    expect(events.every((text) => text.startsWith('git-mem-event 1\n'))).toBe(true);
  });

  it(`through ${DRAIN_TRIALS} kills of the drain at random instants`, async () => {
    const random = randomFrom(SEED + 1);
    const repository = await prepared();
    for (let session = 0; session < 6; session++) {
      for (const payload of turnOf(session, repository.root)) {
        await hookCall(repository, 'claude-code', String(payload.hook_event_name), payload);
      }
    }
    // The same events, drained in peace, say what has to come out.
    const copy = (name: string): TestRepository => {
      const root = join(repository.folder, name);
      cpSync(repository.root, root, { recursive: true, preserveTimestamps: true });
      return { ...repository, root };
    };
    const peaceful = copy('peaceful');
    const started = Date.now();
    await run(DRAIN, peaceful);
    const durationMs = Date.now() - started;
    const expected = recordsOf(peaceful);
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(12);

    let kills = 0;
    while (kills < DRAIN_TRIALS) {
      const trial = copy('trial');
      for (let attempt = 0; attempt < 4; attempt++) {
        if (await run(DRAIN, trial, '', durationMs * (0.25 + random()))) kills++;
      }
      await run(DRAIN, trial);
      expect(recordsOf(trial), `after ${kills} kills`).toEqual(expected);
      expect(readdirSync(join(trial.root, '.git/git-mem/spool/new'))).toEqual([]);
      rmSync(trial.root, { recursive: true, force: true });
    }
  });
});

const DRAIN = [process.execPath, PROGRAM, 'drain', '--wait', '--all'];

/** A set-up repository whose hooks find a git-mem that takes events but starts no drain: the test drains by itself. */
async function prepared(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  const idle = join(repository.folder, 'idle');
  const take = `[ "$1" != hook ] || exec '${process.execPath}' '${PROGRAM}' "$@"`;
  repository.write('../idle/git-mem', `#!/bin/sh\n${take}\n`);
  chmodSync(join(idle, 'git-mem'), 0o755);
  return { ...repository, env: { ...repository.env, PATH: `${idle}:${process.env.PATH}` } };
}

/** A turn that deserves a record: a limit is raised because a test failed. */
function turnOf(session: number, root: string): Record<string, unknown>[] {
  const common = { session_id: `session-${session}`, prompt_id: `prompt-${session}`, cwd: root };
  const limit = 20 + session;
  const file_path = join(root, 'src/limit.ts');
  return [
    {
      ...common,
      hook_event_name: 'UserPromptSubmit',
      prompt: `the importer drops row ${limit}, please find out why and fix it`,
    },
    {
      ...common,
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: `tool-${session}-1`,
      tool_input: { command: 'npm test' },
      error: `Exit code 1\nnot ok 1 - row ${limit} is kept`,
    },
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_use_id: `tool-${session}-2`,
      tool_input: { file_path, old_string: 'LIMIT = 10', new_string: `LIMIT = ${limit}` },
      tool_response: { filePath: file_path },
    },
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `tool-${session}-3`,
      tool_input: { command: 'npm test' },
      tool_response: { stdout: `ok 1 - row ${limit} is kept\n# pass 1\n# fail 0`, stderr: '' },
    },
    {
      ...common,
      hook_event_name: 'Stop',
      last_assistant_message: `Fixed: row ${limit} was dropped because \`LIMIT\` in \`src/limit.ts\` was 10 and the importer cuts every batch there without a warning. The limit is ${limit} now. All tests pass.`,
    },
    { ...common, hook_event_name: 'SessionEnd', reason: 'other' },
  ];
}

/** Runs a command; tells whether it was killed, with everything it had started, after `killAfterMs`. */
function run(
  [command = '', ...args]: string[],
  { root, env }: TestRepository,
  input = '',
  killAfterMs?: number,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
    child.stdin.on('error', () => {}); // Killed before it read everything.
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    });
    child.stdin.end(input);
    function kill(): void {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It ended in this very moment: then it was not killed.
      }
    }
  });
}

/** Every record with its content, in both stores. */
function recordsOf({ root }: TestRepository): Record<string, string> {
  const files = { ...snapshot(join(root, '.memory')), ...snapshot(join(root, '.git/git-mem/private')) };
  return Object.fromEntries(Object.entries(files).filter(([path]) => /^(observations|summaries|prompts)\//.test(path)));
}

/** A reproducible stream of numbers below one (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
