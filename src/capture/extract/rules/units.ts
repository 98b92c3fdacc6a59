import type { Turn } from '../turn.ts';
import { type CheckRun, checkRuns, showsFailure } from './checks.ts';
import { type Commit, commitsOf } from './commits.ts';
import { editsOf } from './edits.ts';
import { isPlan } from './plan.ts';

/** A check that proves work. */
export interface Check {
  command: string;
  /** It failed before the edits; else the turn wrote its tests. */
  hadFailed: boolean;
}

/** A turn that changed files. */
interface Step {
  turn: Turn;
  edited: string[];
  /** The check that failed before and passed at the turn's end, or that passed with tests that the turn wrote. */
  check: Check | undefined;
  /** The user had approved a plan for it, and its checks passed. */
  isPlanned: boolean;
}

/** A piece of work that evidence proves. */
export interface Unit {
  /** The turns whose result was kept, oldest first. */
  turns: Turn[];
  edited: string[];
  /** What the user asked until its end. */
  asked: string;
  /** The commit that contains it. */
  commit: Commit | undefined;
  check: Check | undefined;
}

interface Work {
  steps: Step[];
  commit: Commit | undefined;
}

/** The proven pieces of work that hold at the end of a session, oldest first. */
export function unitsOf(turns: Turn[]): Unit[] {
  const works = worksOf(turns);
  return works
    .filter((work, index) => isProven(work) && isHeld(work, works.slice(index + 1)))
    .map((work) => unitOf(work, turns));
}

function worksOf(turns: Turn[]): Work[] {
  const closed: Work[] = [];
  let open: Work[] = [];
  let failing = false;
  for (const turn of turns) {
    const { edited, restored, resetAll } = editsOf(turn);
    open = open.filter(({ steps }) => !resetAll && !filesOf(steps).every((path) => restored.includes(path)));
    failing ||= turn.promptFrom === 'user' && showsFailure(turn.prompt);
    const runs = checkRuns(turn).filter(({ passed }) => passed !== undefined);
    const passed = runs.at(-1)?.passed === true;
    if (edited.length > 0) enter(open, { turn, edited, ...evidence(turn, edited, runs, failing) });
    else finish(open, turn, runs, failing);
    if (runs.length > 0) failing = !passed;
    // The agent's own record counts: the work that it ended with is not reported again.
    if (turn.saved) open.pop();
    const commit = commitsOf(turn).at(-1);
    const latest = turn.saved ? undefined : open.at(-1);
    if (commit === undefined || latest === undefined) continue;
    closed.push(...open.map((work) => (work === latest ? { ...work, commit } : work)));
    open = [];
  }
  return [...closed, ...open];
}

function evidence(turn: Turn, edited: string[], runs: CheckRun[], failing: boolean): Pick<Step, 'check' | 'isPlanned'> {
  const last = runs.at(-1);
  if (last?.passed !== true) return { check: undefined, isPlanned: false };
  const failed = runs.findLast(({ passed }) => passed === false);
  const hadFailed = failing || failed !== undefined;
  const isProof = hadFailed || edited.some(isTest);
  // The check that failed, if it passed later; another one may only show that the rest still works.
  const own = runs.findLast(({ command, passed }) => passed && command === failed?.command);
  const check = { command: (own ?? last).command, hadFailed: own !== undefined };
  return { check: isProof ? check : undefined, isPlanned: isPlan(turn.prompt) };
}

/** Adds a step to the work that it continues, which becomes the latest, or begins a new one. */
function enter(open: Work[], step: Step): void {
  const index = open.findLastIndex(({ steps }) => isMostOf(filesOf(steps), step.edited));
  const [before] = index < 0 ? [] : open.splice(index, 1);
  const kept = before === undefined || objects(step.turn.prompt) ? [] : before.steps;
  open.push({ steps: [...kept, step], commit: undefined });
}

/**
 * Adds a turn that changed nothing to the work of a turn that was killed before it could answer, if it supplies what
 * that one lacked: a passing check, or a commit. This turn says what became of the edits.
 */
function finish(open: Work[], turn: Turn, runs: CheckRun[], failing: boolean): void {
  const steps = open.at(-1)?.steps;
  const killed = steps?.at(-1)?.turn;
  if (steps === undefined || killed === undefined || killed.reply !== '' || turn.reply === '') return;
  const known = [...checkRuns(killed).filter(({ passed }) => passed !== undefined), ...runs];
  const found = evidence(turn, filesOf(steps), runs.length === 0 ? [] : known, failing);
  if (found.check !== undefined || commitsOf(turn).length > 0) steps.push({ turn, edited: [], ...found });
}

function isProven({ steps, commit }: Work): boolean {
  return commit !== undefined || steps.some(({ check, isPlanned }) => check !== undefined || isPlanned);
}

/** False if later work changed most of its files again: statements about them may be outdated. */
function isHeld({ steps }: Work, later: Work[]): boolean {
  return !isMostOf(
    filesOf(steps),
    later.flatMap((work) => filesOf(work.steps)),
  );
}

function unitOf({ steps, commit }: Work, session: Turn[]): Unit {
  const last = steps.at(-1)?.turn;
  const end = last === undefined ? 0 : session.indexOf(last);
  const asked = session.slice(0, end + 1).flatMap(({ prompt, promptFrom }) => (promptFrom === 'user' ? [prompt] : []));
  return {
    asked: asked.join('\n'),
    turns: steps.map(({ turn }) => turn),
    edited: filesOf(steps),
    commit,
    check: steps.findLast(({ check }) => check !== undefined)?.check,
  };
}

function filesOf(steps: Step[]): string[] {
  return [...new Set(steps.flatMap(({ edited }) => edited))];
}

/** Tells whether most of `files` are among `others`. */
export function isMostOf(files: string[], others: string[]): boolean {
  return files.length > 0 && files.filter((path) => others.includes(path)).length * 2 >= files.length;
}

/** Tells whether the user says that the previous work failed, or should be done differently. */
function objects(prompt: string): boolean {
  const OBJECTION =
    /^\W*(?:no\b|nope|not\b|wrong|weird|hm+\b|still|that(?:'s| is) (?:not|wrong)|it(?:'s| is| does|'s still| still)?(?:n't| not)|this (?:does|is)(?:n't| not)|can't we|could we (?:also )?(?:just )?(?:not|remove|instead)|why (?:not|did|do) )|\b(?:instead|rather|revert|undo|still (?:fails?|failing|broken|not)|(?:does|did)(?:n't| not) work|not what)\b/iu;
  return showsFailure(prompt) || OBJECTION.test(prompt.slice(0, 400));
}

/** Test files by the conventions of the common languages. */
function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)test_[^/]+$|[._-](?:test|tests|spec)\.[^/]+$|(?:Test|Tests|Spec)\.[^/]+$/u.test(
    path,
  );
}
