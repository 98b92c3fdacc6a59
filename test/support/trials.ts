/** Whether this is a full run (`npm run test:full`): every generated case, with a fresh seed. */
export const FULL = process.env.GIT_MEM_TESTS === 'full';

/** Seed of generated cases: fixed unless all is run. Printed when a run begins; `GIT_MEM_SEED=` repeats it. */
export const SEED = Number(process.env.GIT_MEM_SEED ?? 20261121);

/** How many of `all` trials this run makes: all in a full run, a tenth otherwise; as many as `GIT_MEM_TRIALS=` says. */
export function trials(all: number): number {
  const { GIT_MEM_TRIALS: wanted } = process.env;
  if (wanted !== undefined) return Number(wanted);
  return FULL ? all : Math.ceil(all / 10);
}

/** Parameters of a property that has `all` trials in a full run, for `fc.assert` and `fc.sample`. */
export function runs(all: number): { numRuns: number; seed: number } {
  return { numRuns: trials(all), seed: SEED };
}
