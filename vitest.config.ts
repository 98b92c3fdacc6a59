import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/sequencer.ts';
import { testFiles } from './test/support/test-files.ts';

// What every Node process of the tests would otherwise spend 50 ms on, though none of them talks to the outside.
delete process.env.NODE_EXTRA_CA_CERTS;

const { unit, hub, system } = testFiles('test');

// What all kinds of test need; said for each, because a project that extends the root would run the set-up again.
const common = {
  pool: 'forks',
  // Files of one project share a process: loading the program's modules once is half of a small file's time.
  isolate: false,
  // A process that starts another is copied first: git takes 1.5 ms to start from a small one, 45 ms from one of 600 MB.
  execArgv: ['--max-semi-space-size=4', '--max-old-space-size=448'],
  // One more than cores: a worker waits for its processes and its browser about a third of the time.
  maxWorkers: availableParallelism() + 1,
  expect: { poll: { timeout: 60_000 } },
} as const;

export default defineConfig(({ mode }) => {
  // `npm run test:full` says so by a mode, which every shell can pass on; workers inherit the variable.
  if (mode === 'full') process.env.GIT_MEM_TESTS = 'full';
  // Bounds against a hang, not expectations: on a busy machine processes take their time, and a full run has more to do.
  // Of a real agent each run has a bound of its own, which the load of the machine decides.
  const timeout = process.env.GIT_MEM_CLIENTS ? 0 : mode === 'full' ? 600_000 : 300_000;
  const bounds = { testTimeout: timeout, hookTimeout: timeout };
  return {
    test: {
      globalSetup: 'test/support/run.ts',
      sequence: { sequencer: LongestFirst },
      reporters: ['default'],
      coverage: { include: ['src/**'], reporter: ['text-summary'] },
      projects: [
        { test: { ...common, ...bounds, name: 'unit', include: unit } },
        // The database takes a gigabyte of the process that it runs in, and git is started from the others.
        { test: { ...common, ...bounds, name: 'hub', include: hub } },
        { test: { ...common, ...bounds, name: 'system', include: system } },
      ],
    },
  };
});
