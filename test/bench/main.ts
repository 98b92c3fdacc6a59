import { bootstrap } from './bootstrap.ts';
import { cache } from './cache.ts';
import { disputes } from './disputes.ts';
import { faults } from './faults.ts';
import { flood } from './flood.ts';
import { fuzz } from './fuzz.ts';
import { hooks } from './hooks.ts';
import { hub } from './hub.ts';
import { hubRetrieval } from './hub-retrieval.ts';
import { imports } from './imports.ts';
import { injection } from './injection.ts';
import { load } from './load.ts';
import { machine } from './machine.ts';
import { mcp } from './mcp.ts';
import { packaging } from './packaging.ts';
import { peers } from './peers.ts';
import { repositories } from './repositories.ts';
import { retrieval } from './retrieval.ts';
import { review } from './review.ts';
import { scale } from './scale.ts';
import { secrets } from './secrets.ts';
import { sessions } from './sessions.ts';
import { viewer } from './viewer.ts';

/** Every benchmark by its name, in the order of the report, the longest last. Each prints its table; those with bounds tell whether they hold. */
const BENCHMARKS: Record<string, () => Promise<boolean | undefined>> = {
  hooks,
  flood,
  sessions,
  injection,
  mcp,
  repositories,
  retrieval,
  'hub-retrieval': hubRetrieval,
  hub,
  disputes,
  cache,
  bootstrap,
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
 * Runs the named benchmarks, or all; `--peers` compares with other memories on this machine instead. Gives the exit code:
 * 1 when a bound does not hold.
 */
export async function main(names: string[]): Promise<number> {
  if (names.includes('--peers')) {
    console.log(machine(new Date()));
    return peers(process.env);
  }
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) {
    console.error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`);
    return 2;
  }
  console.log(machine(new Date()));
  let holds = true;
  const chosen = Object.entries(BENCHMARKS).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [i, [name, run]] of chosen.entries()) {
    console.error(`bench: ${name}, ${i + 1} of ${chosen.length}, ${new Date().toISOString().slice(11, 16)} UTC`);
    holds = (await run()) !== false && holds;
  }
  return holds ? 0 : 1;
}
