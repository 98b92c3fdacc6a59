import { cpus } from 'node:os';
import { SCENARIOS, type Scenario } from '../support/faults/scenarios.ts';
import { allFaults, courseOf, type Damage, tryFault, verdictOf } from '../support/faults/trial.ts';
import { createWorld } from '../support/faults/world.ts';
import { printTable } from './table.ts';

const COLUMNS = ['lost', 'doubled', 'half', 'unmended', 'leaked', 'hurt'] as const satisfies (keyof Damage)[];

/** Every kind of fault at every step of every scenario: how many of them did harm. */
export async function faults(): Promise<boolean> {
  const rows = new Map<Scenario, string[]>();
  const waiting = [...SCENARIOS];
  const walk = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) rows.set(next, await rowOf(next));
  };
  await Promise.all(Array.from({ length: Math.min(cpus().length, 4) }, walk));
  const header = ['scenario', 'steps', 'faults', ...COLUMNS, 'missed', 'verdict'];
  const inOrder = SCENARIOS.flatMap((scenario) => [rows.get(scenario) ?? []]);
  printTable('File-system faults and kills, one at a time: runs that did harm', header, inOrder);
  return inOrder.every((row) => row.at(-1) === 'holds');
}

async function rowOf(scenario: Scenario): Promise<string[]> {
  const world = await createWorld();
  try {
    const course = await courseOf(scenario, world);
    const all = allFaults(course);
    const counts = new Map<string, number>();
    for (const { number, kind } of all) {
      const trial = await tryFault(course, number, kind);
      const harm = [
        ...COLUMNS.filter((column) => trial.damage[column].length > 0),
        ...(trial.missed ? ['missed'] : []),
      ];
      for (const column of harm) counts.set(column, (counts.get(column) ?? 0) + 1);
      const verdict = verdictOf(trial);
      if (verdict !== undefined) console.error(verdict);
    }
    const found = [...COLUMNS, 'missed'].map((column) => String(counts.get(column) ?? 0));
    const holds = found.every((count) => count === '0') ? 'holds' : 'BROKEN';
    return [scenario.name, String(course.steps.length), String(all.length), ...found, holds];
  } finally {
    world.remove();
  }
}
