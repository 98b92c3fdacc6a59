import { writeFileSync } from 'node:fs';
import { cache } from './cache.ts';
import { contextBench } from './context-bench.ts';
import { faults } from './faults.ts';
import { flood } from './flood.ts';
import { fuzz } from './fuzz.ts';
import { hooks } from './hooks.ts';
import { hub } from './hub.ts';
import { hubRetrieval } from './hub-retrieval.ts';
import { imports } from './imports.ts';
import { injection } from './injection.ts';
import { load } from './load.ts';
import { isBusy, machine, machineInShort } from './machine.ts';
import { mcp } from './mcp.ts';
import { others } from './others.ts';
import { packaging } from './packaging.ts';
import { namesShown, PAGE, renderPage } from './page.ts';
import { real } from './real.ts';
import { repositories } from './repositories.ts';
import { COUNTING, type Result, readResult, whyNotStored, writeResult } from './results.ts';
import { retrieval } from './retrieval.ts';
import { review } from './review.ts';
import { scale } from './scale.ts';
import { secrets } from './secrets.ts';
import { sessions } from './sessions.ts';
import type { Figure } from './table.ts';
import { viewer } from './viewer.ts';

/** Every benchmark by its name, in the order of the report, the longest last. Each prints its tables, and gives no figure if it is left out. */
const BENCHMARKS: Record<string, (folder?: string) => Promise<Figure[]>> = {
  hooks,
  flood,
  real,
  sessions,
  injection,
  mcp,
  repositories,
  retrieval: () => retrieval(),
  'context-bench': contextBench,
  others,
  'hub-retrieval': hubRetrieval,
  hub,
  cache,
  imports,
  review,
  viewer,
  packaging,
  secrets,
  fuzz,
  load,
  scale,
  faults,
};

/**
 * Runs the named benchmarks, or all; an argument with a slash is the folder of a data set. Gives the exit code: 1 when a
 * bound does not hold.
 */
export async function main(given: string[]): Promise<number> {
  const folder = given.find((argument) => argument.includes('/'));
  const names = given.filter((argument) => argument !== folder);
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) {
    console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`);
    return 2;
  }
  const unshown = Object.keys(BENCHMARKS).filter((name) => !namesShown().includes(name));
  if (unshown.length > 0) throw new Error(`test/bench/page.template does not show ${unshown.join(', ')}.`);
  console.log(machine(new Date()));
  let holds = true;
  const chosen = Object.entries(BENCHMARKS).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [i, [name, run]] of chosen.entries()) {
    console.error(`bench: ${name}, ${i + 1} of ${chosen.length}, ${new Date().toISOString().slice(11, 16)} UTC`);
    const timed = !COUNTING.includes(name);
    const wasBusy = timed && (await isBusy());
    const figures = await run(folder);
    const busy = wasBusy || (timed && (await isBusy()));
    holds = figures.every((figure) => figure.holds) && holds;
    store(name, { date: new Date().toISOString().slice(0, 10), machine: machineInShort(), busy, figures });
  }
  return holds ? 0 : 1;
}

/** Stores a run unless the stored one is better to have, and renders the page of all. */
function store(name: string, result: Result): void {
  const reason = whyNotStored(result, readResult(name), process.env);
  if (reason === undefined) {
    writeResult(name, result);
    writeFileSync(PAGE, renderPage());
  }
  console.error(
    `bench: ${name} is ${reason === undefined ? `stored, and shown in ${PAGE}` : `not stored: ${reason}`}.`,
  );
}
