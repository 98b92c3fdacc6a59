import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../support/faults/scenarios.ts';
import { courseOf, someFaults, tryFault, verdictOf } from '../support/faults/trial.ts';
import { createWorld } from '../support/faults/world.ts';
import { sampled } from '../support/sampled.ts';

/** Those that everything else is made of; `npm run bench -- faults` goes through all of them, with every fault. */
const TRIED = ['capture', 'capture by the launcher', 'drain'];

describe('law: whatever step fails or is killed, the memory is intact and the next run repairs the rest', () => {
  it.each(SCENARIOS.filter(({ name }) => TRIED.includes(name)))('$name', async (scenario) => {
    const world = await createWorld();
    try {
      const course = await courseOf(scenario, world);
      const faults = someFaults(course);
      const wrong: string[] = [];
      // Each costs three processes: few have to do by default, every kind among them.
      for (const { number, kind } of sampled(faults, (fault) => fault.kind, 100)) {
        const verdict = verdictOf(await tryFault(course, number, kind));
        if (verdict !== undefined) wrong.push(verdict);
      }
      expect(wrong).toEqual([]);
      expect(course.last.ids.length).toBeGreaterThan(0);
      expect(faults.length).toBeGreaterThanOrEqual(course.steps.length / 3);
    } finally {
      world.remove();
    }
  });
});
