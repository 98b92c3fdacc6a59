import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../src/repo/layout.ts';

/** What one run of a command cost, its own children included. */
export interface Cost {
  wallMs: number;
  /** User and system time. */
  cpuMs: number;
  /** Largest resident size of any one process, in megabytes. */
  peakMb: number;
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
}

/** GNU time, the only common tool that tells what a child and its children took at most. */
const GNU_TIME = '/usr/bin/time';

const LOOP =
  'n=$1; input=$2; ok=$3; shift 3; while [ "$n" -gt 0 ]; do "$@" <"$input" >/dev/null; code=$?; ' +
  'case " $ok " in *" $code "*) ;; *) exit "$code" ;; esac; n=$((n-1)); done';

/** Why commands cannot be measured here; undefined where they can. */
export function whyNotMeasurable(): string | undefined {
  return existsSync(GNU_TIME) ? undefined : `${GNU_TIME} is not installed`;
}

/** Runs a command, and tells the mean cost of a run, or in what way it failed. */
export function costOf({ cwd, env, command, input = '', answers = [0], runs = 1 }: MeasuredCommand): Cost | string {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-cost-'));
  try {
    const [standardInput, report] = [join(folder, 'input'), join(folder, 'report')];
    writeFileSync(standardInput, input);
    const loop = ['sh', '-c', LOOP, 'sh', String(runs), standardInput, answers.join(' '), ...command];
    const args = ['-q', '-f', '%e %U %S %M', '-o', report, ...loop];
    const started = process.hrtime.bigint();
    const { status, stderr } = spawnSync(GNU_TIME, args, { cwd, env, maxBuffer: 1e8 });
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6 / runs;
    if (status !== 0) return `exit ${status}: ${lastLine(stderr.toString())}`;
    const [, user = 0, system = 0, kilobytes = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
    return { wallMs, cpuMs: ((user + system) * 1000) / runs, peakMb: kilobytes / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? '').slice(0, 120);
}
