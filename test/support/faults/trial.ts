import { eventsOf, letLocksAge, lookOf, type Memory, memoryOf } from './findings.ts';
import type { Scenario } from './scenarios.ts';
import { type FaultKind, kindsOf, type Step } from './steps.ts';
import type { Ended, World } from './world.ts';

/** What a fault did to the memory. Empty lists mean no damage. */
export interface Damage {
  lost: string[];
  doubled: string[];
  /** A reader meets a half file, at the moment of the fault or afterwards. */
  half: string[];
  /** The next run did not put in order what was left. */
  unmended: string[];
  /** What the settings keep out is in the team store. */
  leaked: string[];
  /** A hook that fails or prints what its host cannot read. */
  hurt: string[];
}

/** One fault and what came of it. */
export interface Trial {
  scenario: string;
  number: number;
  step: Step;
  kind: FaultKind;
  damage: Damage;
  /** The program went another way and did not come to this step, whenever it was tried. */
  missed: boolean;
}

/** What hangs on the time of day may take another way once. */
const TRIES = 3;

/** A scenario as it goes without a fault. */
export interface Course {
  scenario: Scenario;
  world: World;
  steps: Step[];
  /** What is there right after the command, and at the end. */
  first: Memory;
  last: Memory;
  /** What the command answers when it is run again. */
  answer: string;
  /** Damage at the end by what was left at the fault. */
  known: Map<string, Damage>;
}

/** Prepares a scenario and lets it run undisturbed, once to count its steps and once to its end. */
export async function courseOf(scenario: Scenario, world: World): Promise<Course> {
  await scenario.prepare?.(world);
  world.keep();
  // As every trial begins: copied files have other times, which the cache looks at.
  world.restore();
  const { report, exit, stderr } = await world.run(scenario.command(world), { at: 0, kind: 'EIO' });
  if (exit !== 0) throw new Error(`${scenario.name}: exit ${exit}: ${stderr}`);
  const steps: Step[] = JSON.parse(report);
  const first = memoryOf(world);
  const { answer } = await finish(scenario, world);
  const last = memoryOf(world);
  return { scenario, world, steps, first, last, answer, known: new Map() };
}

/** Lets step `number` (from 1) of a scenario go wrong, and judges what is left and what becomes of it. */
export async function tryFault(course: Course, number: number, kind: FaultKind): Promise<Trial> {
  const { scenario, world, steps } = course;
  const step = steps[number - 1] ?? { class: 'look', label: '' };
  const command = scenario.command(world);
  const nth = steps.slice(0, number).filter(({ label }) => label === step.label).length;
  const plan = command.tools ? { at: number, kind } : { at: nth, label: step.label, kind };
  let ended: Ended & { report: string };
  let tries = 0;
  do {
    world.restore();
    ended = await world.run(command, plan);
  } while (ended.report !== step.label && ++tries < TRIES);
  const missed = ended.report !== step.label;
  const damage = atOnce(course, ended, kind);
  const look = `${kind === 'clock'} ${lookOf(world)}`;
  const known = course.known.get(look);
  const later = known ?? (await inTheEnd(course, kind));
  course.known.set(look, later);
  return { scenario: scenario.name, number, step, kind, missed, damage: both(damage, later) };
}

/** What can be said before anything runs again. */
function atOnce({ scenario, world, first }: Course, { exit, stdout }: Ended, kind: FaultKind): Damage {
  const memory = memoryOf(world);
  const wasKilled = exit === null;
  const promised = scenario.promises && exit === 0 ? missing(first.ids, memory.ids) : [];
  const mayEndSo = wasKilled && /kill|torn/.test(kind);
  const hurt =
    scenario.isHook && !mayEndSo && (exit !== 0 || !isJsonOrNothing(stdout)) ? [`exit ${exit}: ${stdout}`] : [];
  return {
    lost: promised.map((id) => `${id}, though exit 0`),
    doubled: twice(memory.ids),
    unmended: [],
    leaked: memory.leaks,
    hurt,
    half: [...memory.half, ...eventsOf(world).half],
  };
}

/** What is left once everything ran again without a fault. */
async function inTheEnd(course: Course, kind: FaultKind): Promise<Damage> {
  const { scenario, world, last } = course;
  letLocksAge(world);
  const { answer, problems } = await finish(scenario, world, kind === 'clock');
  const memory = memoryOf(world);
  const { waiting, half, failed } = eventsOf(world);
  const unmended = [...problems];
  if (waiting.length > 0) unmended.push(`${waiting.length} events wait`);
  if (failed.length > 0) unmended.push(`${failed.length} events set aside`);
  if (memory.strange.length > 0) unmended.push(`not known as own: ${memory.strange}`);
  if (scenario.answers && answer !== course.answer) unmended.push(`answers ${answer}, not ${course.answer}`);
  return {
    lost: missing(last.ids, memory.ids),
    doubled: [...twice(memory.ids), ...missing(memory.ids, last.ids)],
    half: [...memory.half, ...half],
    unmended,
    leaked: memory.leaks,
    hurt: [],
  };
}

/** Runs the command once more and what follows it; gives its answer and what failed. */
async function finish(
  scenario: Scenario,
  world: World,
  isEarlier = false,
): Promise<{ answer: string; problems: string[] }> {
  const problems: string[] = [];
  let answer: string | undefined;
  for (const command of [scenario.command(world), ...(scenario.after ?? [])]) {
    // A clock that jumped back stays there.
    const { exit, stdout, stderr } = await world.run(command, isEarlier ? { at: 1, kind: 'clock' } : undefined);
    if (exit !== 0) problems.push(`${command.args.join(' ')}: exit ${exit}: ${stderr}`);
    answer ??= plain(stdout);
  }
  return { answer: answer ?? '', problems };
}

/** What an answer says, without how long it took. */
function plain(answer: string): string {
  return answer.replace(/"took_ms": ?[\d.]+/, '"took_ms":0');
}

function missing(from: string[], there: string[]): string[] {
  return [...new Set(from)].filter((id) => !there.includes(id));
}

function twice(ids: string[]): string[] {
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

function both(a: Damage, b: Damage): Damage {
  return {
    lost: [...a.lost, ...b.lost],
    doubled: [...a.doubled, ...b.doubled],
    half: [...a.half, ...b.half],
    unmended: [...a.unmended, ...b.unmended],
    leaked: [...a.leaked, ...b.leaked],
    hurt: [...a.hurt, ...b.hurt],
  };
}

/** A fault to be tried: the number of the step, from 1, and what happens to it. */
export interface Fault {
  number: number;
  kind: FaultKind;
}

/** Every kind of fault at every step. */
export function allFaults({ steps }: Course): Fault[] {
  return steps.flatMap((step, i) => kindsOf(step).map((kind) => ({ number: i + 1, kind })));
}

/**
 * Fewer, by a fixed rule: a kill before every step that changes something, and the next of the other kinds at every step
 * but those that read what was read before, or only look.
 */
export function someFaults({ steps }: Course): Fault[] {
  const met = new Set<string>();
  return steps.flatMap((step, i) => {
    const others = kindsOf(step).filter((kind) => kind !== 'kill-before');
    const next = others[i % others.length] ?? 'EIO';
    const isNews = !isQuiet(step) || (step.class === 'read' && !met.has(step.label));
    met.add(step.label);
    const kinds: FaultKind[] = [...(isQuiet(step) ? [] : ['kill-before' as const]), ...(isNews ? [next] : [])];
    return kinds.map((kind) => ({ number: i + 1, kind }));
  });
}

/** A step that changes nothing. */
export function isQuiet({ class: kind }: Step): boolean {
  return kind === 'look' || kind === 'read';
}

/** What is wrong after a trial, in one line; undefined where nothing is. */
export function verdictOf({ scenario, number, step, kind, damage, missed }: Trial): string | undefined {
  const wrong = Object.entries(damage).flatMap(([what, found]: [string, string[]]) =>
    found.length > 0 ? [`${what}: ${found.join(', ')}`] : [],
  );
  if (missed && !isQuiet(step)) wrong.push('this step was never reached');
  return wrong.length === 0 ? undefined : `${scenario}, step ${number} (${step.label}) ${kind}: ${wrong.join('; ')}`;
}

function isJsonOrNothing(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
