import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './table.ts';

/** The last run of a benchmark that counts, as `test/bench/results/` stores it. */
export interface Result {
  date: string;
  machine: string;
  /** Whether the machine did something else meanwhile, which matters where time is measured. */
  busy: boolean;
  figures: Figure[];
}

export const RESULTS = 'test/bench/results';

/** Benchmarks that count and time nothing: a busy machine finds the same. */
export const COUNTING = ['sessions', 'injection', 'retrieval', 'hub-retrieval', 'context-bench', 'faults'];

/** These make a run smaller, larger or another one than what the page shows. */
const CHANGING = /^GIT_MEM_(?:BENCH_|SEED$|LOAD$|FAULTS$|SCALE$|HISTORIES$)/;

export function readResult(name: string): Result | undefined {
  const path = join(RESULTS, `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result) : undefined;
}

export function writeResult(name: string, result: Result): void {
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** Why a run does not take the place of the stored one; undefined where it does. A worse figure is no reason. */
export function whyNotStored(run: Result, stored: Result | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (run.figures.length === 0) return 'it was left out';
  const changed = Object.keys(env).filter((key) => CHANGING.test(key));
  if (changed.length > 0) return `${changed.join(' and ')} may have changed it`;
  if (stored === undefined) return undefined;
  if (run.busy && !stored.busy) return 'the machine was busy, and was not when the stored one ran';
  if (run.figures.length < stored.figures.length)
    return `it has ${run.figures.length} figures, and the stored one ${stored.figures.length}: a part was left out`;
  return undefined;
}
