import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesBelow } from './files-below.ts';
import { type Accounts, accountsOf } from './load-accounts.ts';
import { type Resident, startBystanders } from './load-bystanders.ts';
import { createGround, type LoadGround } from './load-ground.ts';
import { type LoadEvent, loadSession } from './load-session.ts';

export interface LoadOptions {
  sessions: number;
  worktrees: number;
  /** Of each session, and of each of its turns. */
  events: number;
  perTurn: number;
  /** How long the servers rest before their memory is looked at, in milliseconds. */
  restMs: number;
  /** Tells of events that do not reach the launcher, to see the accounts notice. */
  drops?: (event: LoadEvent) => boolean;
}

/** What came of many sessions at once. */
export interface LoadReport {
  fired: number;
  accounts: Accounts;
  /** Whatever anybody was told that is no answer: standard error, exit codes, `hook.log`, answers of hooks. */
  troubles: string[];
  /** How long each hook took its host, in milliseconds. */
  hookMs: number[];
  /** From the first event to the last record. */
  wallMs: number;
  /** Processor time of hooks, commands and drains, without the two servers. */
  cpuSeconds: number;
  bystanders: Record<string, number>;
  memory: Record<'mcp' | 'viewer', Resident>;
  /** The search index with all that belongs to it. */
  cacheMb: number;
  /** Files that nobody needs any more. */
  leftFiles: string[];
  /** Processes left a minute after the end. */
  leftProcesses: string[];
}

/** A drain that works off the last events may take this long. */
const DRAINED_MS = 300_000;

/** After this long no process may be left. */
const GONE_MS = 60_000;

/** Fires the events of all sessions at once, each session's in order, with everybody at work beside them. */
export async function runLoad(folder: string, options: LoadOptions): Promise<LoadReport> {
  const ground = createGround(folder, options.worktrees);
  const sessions = Array.from({ length: options.sessions }, (_, n) => {
    const { root = '' } = ground.worktrees[n % ground.worktrees.length] ?? {};
    return loadSession(`s${n}`, root, { count: options.events, perTurn: options.perTurn });
  });
  const bystanders = await startBystanders(ground);
  try {
    const [started, cpuBefore] = [Date.now(), childrenSeconds()];
    const hookMs: number[] = [];
    const troubles: string[] = [];
    await Promise.all(
      sessions.map(async ({ root, events }) => {
        for (const event of events) {
          if (options.drops?.(event)) continue;
          const { ms, trouble } = await fire(ground, root, event);
          hookMs.push(ms);
          if (trouble) troubles.push(trouble);
        }
      }),
    );
    await bystanders.stop();
    // Nobody helps: what the last hooks woke has to finish the work.
    await until(() => !drains(ground), DRAINED_MS);
    const wallMs = Date.now() - started;
    const cpuSeconds = childrenSeconds() - cpuBefore + ground.drainSeconds();
    const accounts = accountsOf(ground, sessions);
    const memory = await bystanders.rest(options.restMs);
    await bystanders.close();
    await until(() => ground.processes().length === 0, GONE_MS);
    return {
      fired: hookMs.length,
      accounts,
      hookMs,
      wallMs,
      cpuSeconds,
      memory,
      troubles: [...troubles, ...ground.notes(), ...logLines(ground.state)],
      bystanders: bystanders.done,
      cacheMb: cacheMbIn(ground.state),
      leftFiles: leftIn(ground.state),
      leftProcesses: ground.processes(),
    };
  } finally {
    await bystanders.close();
  }
}

/** Runs one hook as the host does. */
function fire(
  { env }: LoadGround,
  cwd: string,
  { event, payload }: LoadEvent,
): Promise<{ ms: number; trouble: string }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('sh', ['.memory/hook', 'claude-code', event], { cwd, env });
    let [answer, complaint] = ['', ''];
    child.stdout.on('data', (chunk) => (answer += chunk));
    child.stderr.on('data', (chunk) => (complaint += chunk));
    child.stdin.on('error', () => {}); // A hook may end without reading: then its event is lost, and that is told.
    child.on('error', reject);
    child.on('close', (code) => {
      const isAnswer = answer === '' || answer.startsWith('{"hookSpecificOutput"');
      const trouble = code === 0 && complaint === '' && isAnswer ? '' : `hook ${event} ${code}: ${complaint}${answer}`;
      resolve({ ms: performance.now() - started, trouble });
    });
    child.stdin.end(`${JSON.stringify(payload)}\n`);
  });
}

function drains(ground: LoadGround): boolean {
  return ground.processes().some((line) => line.endsWith(' drain'));
}

async function until(isTrue: () => boolean, patienceMs: number): Promise<void> {
  for (const end = Date.now() + patienceMs; !isTrue() && Date.now() < end; ) await sleep(200);
}

/** Processor time of the children that ended, in seconds; the kernel counts it in hundredths. */
function childrenSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function logLines(state: string): string[] {
  const path = join(state, 'hook.log');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

function cacheMbIn(state: string): number {
  const files = readdirSync(state).filter((name) => name.startsWith('cache.sqlite'));
  return files.reduce((sum, name) => sum + statSync(join(state, name)).size, 0) / 2 ** 20;
}

/** What is left of writing: temporary files, locks, events. */
function leftIn(state: string): string[] {
  return filesBelow(state).filter((path) => /(^|\/)\.tmp-|^(spool|tmp|stage)\/|lock|takeover/.test(path));
}
