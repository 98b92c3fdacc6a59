import { cpus } from 'node:os';
import { SCENARIOS } from '../support/faults/scenarios.ts';
import {
  allFaults,
  type Course,
  courseOf,
  type Damage,
  type Fault,
  tryFault,
  verdictOf,
} from '../support/faults/trial.ts';
import { createWorld } from '../support/faults/world.ts';
import { progressOf } from './progress.ts';
import { type Figure, printTable } from './table.ts';

const COLUMNS = ['lost', 'doubled', 'half', 'unmended', 'leaked', 'hurt'] as const satisfies (keyof Damage)[];

/** The part of a scenario's faults that may be missed at most: those of looks and reads that hang on the time. */
const MISSED_AT_MOST = 0.05;

/**
 * Every kind of fault at every step of every scenario: how many of them did harm. `GIT_MEM_FAULTS=NAME,NAME` takes only
 * these, written without the commas that some names have.
 */
export async function faults(): Promise<Figure[]> {
  const wanted = process.env.GIT_MEM_FAULTS?.split(',').map((name) => name.trim());
  const scenarios = SCENARIOS.filter(({ name }) => wanted === undefined || wanted.includes(name.replaceAll(',', '')));
  const courses: { course: Course; all: Fault[] }[] = [];
  try {
    await side(scenarios.entries(), async ([at, scenario]) => {
      const course = await courseOf(scenario, await createWorld());
      courses[at] = { course, all: allFaults(course) };
    });
    const total = courses.reduce((sum, { all }) => sum + all.length, 0);
    const progress = progressOf('Faults', total);
    const rows: string[][] = [];
    // The longest first, so that no one works alone at the end.
    const inTurn = [...courses.entries()].sort(([, a], [, b]) => b.all.length - a.all.length);
    await side(inTurn.values(), async ([at, { course, all }]) => {
      rows[at] = await rowOf(course, all, progress.step);
    });
    progress.end();
    const header = ['scenario', 'steps', 'faults', ...COLUMNS, 'missed', 'verdict'];
    printTable(`${total} file-system faults and kills, one at a time: runs that did harm`, header, rows);
    console.log(
      `missed: looks and reads that did not come up again in three tries, because they hang on the time; ${MISSED_AT_MOST * 100} % at most.`,
    );
    const harmful = rows.filter((row) => row.at(-1) !== 'holds').length;
    return [
      {
        promise: `scenarios of ${rows.length} in which one of ${total.toLocaleString('en')} faults and kills does harm`,
        bound: '0',
        value: String(harmful),
        holds: rows.length > 0 && harmful === 0,
      },
    ];
  } finally {
    for (const { course } of Object.values(courses)) course.world.remove();
  }
}

/** Works at as many at once as there are processors. */
async function side<T>(items: Iterator<T, void>, work: (item: T) => Promise<void>): Promise<void> {
  const walk = async () => {
    for (let next = items.next(); !next.done; next = items.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.min(cpus().length, 4) }, walk));
}

async function rowOf(course: Course, all: Fault[], onTried: () => void): Promise<string[]> {
  const counts = new Map<string, number>();
  let isBroken = false;
  for (const { number, kind } of all) {
    const trial = await tryFault(course, number, kind);
    const harm = [...COLUMNS.filter((column) => trial.damage[column].length > 0), ...(trial.missed ? ['missed'] : [])];
    for (const column of harm) counts.set(column, (counts.get(column) ?? 0) + 1);
    const verdict = verdictOf(trial);
    if (verdict !== undefined) {
      console.error(verdict);
      isBroken = true;
    }
    onTried();
  }
  isBroken ||= (counts.get('missed') ?? 0) > all.length * MISSED_AT_MOST;
  const found = [...COLUMNS, 'missed'].map((column) => String(counts.get(column) ?? 0));
  const verdict = isBroken ? 'BROKEN' : 'holds';
  return [course.scenario.name, String(course.steps.length), String(all.length), ...found, verdict];
}
