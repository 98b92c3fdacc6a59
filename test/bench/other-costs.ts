import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { PROGRAM } from '../support/program.ts';
import type { ClaudeMemWorker } from './claude-mem-worker.ts';
import { fill } from './filled-scratch.ts';
import { commitEach } from './other-finders.ts';
import { processorMs } from './processor-time.ts';
import { costOf } from './real.ts';
import { figure, median, printTable } from './table.ts';

const ROUNDS = 9;
const RECORDS = 1000;
const QUESTION = 'who set up pgbouncer for the postgres pool';

const hooksSchema = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.object({ command: z.string() })) }))),
});

/** A command in a folder, and the process that does a part of its work, if any. */
interface Subject {
  root: string;
  env: NodeJS.ProcessEnv;
  command: string[];
  input?: string;
  worker?: number;
}

/** Events of a session that both tools have hooks for; a turn of ours ends with a drain, of which the hook only wakes one. */
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'] as const;

/** Processor time of hooks and of a search in each tool, a worker's share included, as multiples of `node -e 0`. */
export async function otherCosts(folder: string, worker: ClaudeMemWorker | undefined): Promise<string[][]> {
  const recording = readRecording();
  const made = await createScratch(join(folder, 'costs'), recording, PROGRAM);
  // The machine's own settings of Node may make each of its starts several times as long.
  const env = Object.fromEntries(Object.entries(made.env).filter(([key]) => !key.startsWith('NODE_')));
  const scratch = { ...made, env };
  const root = scratch.repository;
  execFileSync(process.execPath, [PROGRAM, 'init', '--yes', '--host', 'claude-code'], {
    cwd: root,
    env,
    stdio: 'ignore',
  });
  await fill(scratch, RECORDS);
  execFileSync(process.execPath, [PROGRAM, 'drain', '--wait'], { cwd: root, env, stdio: 'ignore' });
  const history = join(folder, 'history');
  mkdirSync(history);
  commitEach(history, { documents: messages() });
  const subjects: Record<string, Subject> = {
    'node -e 0': { root, env, command: [process.execPath, '-e', '0'] },
    'git-mem search': { root, env, command: [process.execPath, PROGRAM, 'search', QUESTION, '--json'] },
    [`git log --grep, ${RECORDS} commits`]: { root: history, env, command: ['git', 'log', '-i', '--grep=pgbouncer'] },
    'grep -ri over the records': { root, env, command: ['sh', '-c', 'grep -ri pgbouncer .memory || true'] },
    ...hookSubjects(scratch, worker),
  };
  const samples = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const ms = await cpuOf(subject);
      if (name.includes('SessionStart')) quiet(scratch);
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), ms]);
    }
  }
  const base = samples.get('node -e 0') ?? [];
  const times = (name: string) => median((samples.get(name) ?? []).map((ms, i) => ms / (base[i] ?? 1)));
  printTable(
    `Processor time with ${RECORDS} records, as multiples of node -e 0 (${median(base).toFixed(0)} ms); medians of ${ROUNDS} rounds`,
    ['', 'x'],
    Object.keys(subjects).map((name) => [name, times(name).toFixed(2)]),
  );
  const rows = Object.keys(subjects)
    .slice(1)
    .map((name) => figure(OWN.test(name) ? `x of processor time: ${name}` : `  ${name}`, times(name), 2));
  const memory =
    worker === undefined ? [] : [figure('  MB that the worker takes all the time', residentMb(worker.pid), 0)];
  return [...rows, ...memory];
}

/** A figure of its own; git and grep are details of our search. */
const OWN = /^(?:git|claude)-mem/;

function hookSubjects(
  { repository: root, env }: Scratch,
  worker: ClaudeMemWorker | undefined,
): Record<string, Subject> {
  const recording = readRecording();
  let sessions = 0;
  const subjects: Record<string, Subject> = {};
  const theirs =
    worker && hooksSchema.parse(JSON.parse(readFileSync(join(worker.plugin, 'hooks', 'hooks.json'), 'utf8')));
  for (const event of EVENTS) {
    const from = recording.events.find(
      (one) => one.event === event && (event !== 'PostToolUse' || one.payload.tool_name === 'Edit'),
    );
    const read = { tool_name: 'Read', tool_input: { file_path: join(root, 'README.md') } };
    const payload = {
      ...(from?.payload ?? recording.events[0]?.payload),
      hook_event_name: event,
      ...(event === 'PreToolUse' && read),
      cwd: root,
    };
    const input = () =>
      JSON.stringify({ ...payload, session_id: `bench-${sessions++}` }).replaceAll(recording.root, root);
    subjects[`git-mem's ${event}`] = {
      root,
      env,
      command: ['sh', '.memory/hook', 'claude-code', event],
      get input() {
        return input();
      },
    };
    const commands = theirs?.hooks[event]?.flatMap(({ hooks }) => hooks.map(({ command }) => command)) ?? [];
    if (worker === undefined || commands.length === 0) continue;
    subjects[`claude-mem's ${event}`] = {
      root,
      env: worker.env,
      worker: worker.pid,
      // Every hook of an event gets the payload.
      command: [
        'bash',
        '-c',
        `payload=$(cat); for one in "$@"; do printf %s "$payload" | bash -c "$one"; done`,
        'bash',
        ...commands,
      ],
      get input() {
        return input();
      },
    };
  }
  return subjects;
}

async function cpuOf({ root, env, command, input = '', worker }: Subject): Promise<number> {
  const before = worker === undefined ? 0 : processorMs(worker);
  const { cpuMs } = costOf({ root, env }, command, input);
  return cpuMs + (worker === undefined ? 0 : processorMs(worker) - before);
}

/** A start wakes a drain, which would be at work during the next command. */
function quiet({ repository, env }: Scratch): void {
  execFileSync(process.execPath, [PROGRAM, 'drain', '--wait'], { cwd: repository, env, stdio: 'ignore' });
}

function messages() {
  return Array.from({ length: RECORDS }, (_, i) => {
    const title = `Change ${i}: the ${['parser', 'cache', 'queue', 'lease'][i % 4]} of part ${i % 37}`;
    const date = new Date(1_700_000_000_000 + i * 60_000).toISOString();
    const empty = { group: '', type: 'change', facts: [], concepts: [], files: [], session: null };
    return { ...empty, id: `c${i}`, title, narrative: `It waited for the other writer, ${i} times.`, date };
  });
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
