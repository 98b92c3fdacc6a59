import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../src/user-folders.ts';

/** What one run of a command cost, its own children included. */
export interface Cost {
  wallMs: number;
  /** User and system time. */
  cpuMs: number;
  /** Largest resident size of any one process, in megabytes. */
  peakMb: number;
  /** The heap that the command asked for, in megabytes, where it said that it needs more than a process has by itself. */
  heapMb?: number;
}

/** Why there is no cost: in a word for a table's cell, and all that is known. */
export interface Failure {
  cell: string;
  why: string;
}

export interface MeasuredCommand {
  cwd: string;
  env: Environment;
  command: string[];
  input?: string;
  /** Exit codes that are an answer. */
  answers?: readonly number[];
  /** Runs to take the mean of: the clock of process times ticks every 10 ms. */
  runs?: number;
  /** Longest that all runs may take; `LIMIT_MS` where nothing is said. */
  limitMs?: number;
}

/**
 * Longest that all runs of one command may take: an hour's benchmark is not to hang on one of them. Of a process's own
 * work, because other work on the machine says nothing of the command; and of the clock, three times as long.
 */
export const LIMIT_MS = 600_000;
const CLOCK_SHARE = 3;

/** How often two commands take turns. */
const TURNS = 4;

/** GNU time, the only common tool that tells what a child and its children took at most. */
const GNU_TIME = '/usr/bin/time';

/** GNU timeout ends a command together with its children, and says so by this code; or by that, where it had to be hard. */
const TIMEOUT = 'timeout';
const OVER = [124, 137];
/** What a shell says of a child, and GNU time of the shell, that had used its time up. */
const USED_UP = [152, 137];

const LOOP =
  'ulimit -t $4; n=$1; input=$2; ok=$3; shift 4; while [ "$n" -gt 0 ]; do "$@" <"$input" >/dev/null; code=$?; ' +
  'case " $ok " in *" $code "*) ;; *) exit "$code" ;; esac; n=$((n-1)); done';

/** Why commands cannot be measured here; undefined where they can. */
export function whyNotMeasurable(): string | undefined {
  if (!existsSync(GNU_TIME)) return `${GNU_TIME} is not installed`;
  return spawnSync(TIMEOUT, ['1', 'true']).status === 0 ? undefined : `${TIMEOUT} is not installed`;
}

/** Runs a command, and tells the mean cost of a run, or in what way it failed. */
export function costOf(measured: MeasuredCommand): Cost | Failure {
  const { cwd, env, command, input = '', answers = [0], runs = 1, limitMs = LIMIT_MS } = measured;
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-cost-'));
  try {
    const [standardInput, report] = [join(folder, 'input'), join(folder, 'report')];
    writeFileSync(standardInput, input);
    const seconds = limitMs / 1000;
    const given = [String(runs), standardInput, answers.join(' '), String(seconds)];
    const loop = ['sh', '-c', LOOP, 'sh', ...given, ...command];
    const timed = [GNU_TIME, '-q', '-f', '%e %U %S %M', '-o', report, ...loop];
    const started = process.hrtime.bigint();
    const limit = ['--kill-after=10', String(seconds * CLOCK_SHARE)];
    const { status, stderr } = spawnSync(TIMEOUT, [...limit, ...timed], { cwd, env, maxBuffer: 1e8 });
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6 / runs;
    if (wallMs * runs >= limitMs / 3 && [...OVER, ...USED_UP].includes(status ?? 0)) return tooLong(limitMs);
    if (status !== 0) return { cell: 'failed', why: `exit ${status}: ${lastLine(stderr.toString())}` };
    const [, user = 0, system = 0, kilobytes = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
    return { wallMs, cpuMs: ((user + system) * 1000) / runs, peakMb: kilobytes / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As `costOf`; a command that says how much heap it needs is given that, as its hint tells a person to. */
export function costWithRoom(measured: MeasuredCommand): Cost | Failure {
  const cost = costOf(measured);
  const asked = isCost(cost) ? undefined : /--max-old-space-size=(\d+)/.exec(cost.why)?.[1];
  if (asked === undefined) return cost;
  const given = costOf({ ...measured, env: { ...measured.env, NODE_OPTIONS: `--max-old-space-size=${asked}` } });
  return isCost(given) ? { ...given, heapMb: Number(asked) } : given;
}

/** What is said of a command that was stopped at its limit. */
export function tooLong(limitMs = LIMIT_MS): Failure {
  const minutes = limitMs / 60_000;
  return {
    cell: `over ${minutes} min`,
    why: `stopped after ${minutes} minutes of work, or three times that by the clock`,
  };
}

/** As `costOf` for two commands that are run by turns, so that whatever else the machine does hits both. */
export function costsInTurn(one: MeasuredCommand, other: MeasuredCommand): [Cost | Failure, Cost | Failure] {
  const { runs = 1 } = one;
  const pairs = Array.from({ length: TURNS }, () => {
    const few = { runs: Math.ceil(runs / TURNS) };
    return [costOf({ ...one, ...few }), costOf({ ...other, ...few })] as const;
  });
  return [meanOf(pairs.map(([cost]) => cost)), meanOf(pairs.map(([, cost]) => cost))];
}

function meanOf(costs: (Cost | Failure)[]): Cost | Failure {
  const failure = costs.find((cost) => !isCost(cost));
  if (failure !== undefined) return failure;
  const all = costs.filter(isCost);
  const mean = (of: (cost: Cost) => number) => all.reduce((sum, cost) => sum + of(cost), 0) / all.length;
  return {
    wallMs: mean(({ wallMs }) => wallMs),
    cpuMs: mean(({ cpuMs }) => cpuMs),
    peakMb: Math.max(...all.map(({ peakMb }) => peakMb)),
  };
}

/** Tells a cost from a failure. */
export function isCost(value: Cost | Failure | undefined): value is Cost {
  return value !== undefined && 'cpuMs' in value;
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? '').slice(0, 120);
}
