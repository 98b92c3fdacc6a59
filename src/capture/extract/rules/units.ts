import { checkRuns, showsFailure } from '../checks.ts';
import { editsOf } from '../edits.ts';
import type { Turn } from '../turn.ts';
import { type Commit, commitsOf } from './commits.ts';
import { isPlan } from './request.ts';

/** A piece of work that evidence proves. */
export interface Unit {
  /** The turns whose result was kept, oldest first. */
  turns: Turn[];
  edited: string[];
  /** What the user asked until its end. */
  asked: string[];
  /** The commit that contains it. */
  commit: Commit | undefined;
  /** The check that proves it. */
  check: { command: string; hadFailed: boolean } | undefined;
}

/** Test files by the conventions of the common languages. */
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)test_[^/]+$|[._-](?:test|tests|spec)\.[^/]+$|(?:Test|Tests|Spec)\.[^/]+$/u;
/** The user says that the previous work failed, or should be done differently. */
const OBJECTION =
  /^\W*(?:no|nope|not|wrong|still|why|(?:that|it|this)(?:'s| is| does)?(?:n't| not))\b|\b(?:instead|rather|revert|undo|still (?:fails?|failing|broken)|(?:does|did)(?:n't| not) work)\b/iu;

/** The proven pieces of work that hold at the end of a session, oldest first. */
export function unitsOf(session: Turn[]): Unit[] {
  const closed: Unit[] = [];
  const asked: string[] = [];
  let open: Unit[] = [];
  let failing = false;
  for (const turn of finished(session)) {
    const { edited, restored, resetAll } = editsOf(turn);
    if (turn.promptFrom === 'user') asked.push(turn.prompt);
    failing ||= turn.promptFrom === 'user' && showsFailure(turn.prompt);
    open = open.filter((unit) => !resetAll && !unit.edited.every((path) => restored.includes(path)));
    const runs = checkRuns(turn).filter(({ passed }) => passed !== undefined);
    if (edited.length > 0) {
      const check = checkOf(turn, runs, failing || edited.some((path) => TEST.test(path)));
      // If the check fails at first, what was said about the same files before does not hold.
      const isRefuted = failing || runs[0]?.passed === false || OBJECTION.test(turn.prompt.slice(0, 400));
      open = extended(open, { turns: [turn], edited, asked: [...asked], commit: undefined, check }, isRefuted);
    }
    if (runs.length > 0) failing = runs.at(-1)?.passed === false;
    const latest = open.at(-1);
    const commit = commitsOf(turn).at(-1);
    // The agent's own record counts: the work that it ended with is not reported again.
    if (turn.saved) open.pop();
    else if (commit !== undefined && latest !== undefined) {
      closed.push(...open.slice(0, -1), { ...latest, commit });
      open = [];
    }
  }
  const units = [...closed, ...open];
  // Statements about files that were changed again may be outdated.
  const editedAfter = (index: number) => units.slice(index + 1).flatMap(({ edited }) => edited);
  const isHeld = ({ edited }: Unit, index: number) => !isMostOf(edited, editedAfter(index));
  return units.filter((unit, index) => (unit.commit ?? unit.check) !== undefined && isHeld(unit, index));
}

/** The open work with one more piece, which is one with the latest work on most of its files, or replaces it. */
function extended(open: Unit[], piece: Unit, isRefuted: boolean): Unit[] {
  const before = open.findLast(({ edited }) => isMostOf(edited, piece.edited));
  const others = open.filter((unit) => unit !== before);
  if (before === undefined || isRefuted) return [...others, piece];
  const turns = [...before.turns, ...piece.turns];
  const edited = [...new Set([...before.edited, ...piece.edited])];
  return [...others, { ...piece, turns, edited, check: piece.check ?? before.check }];
}

/** The turns, a killed one as a part of the next, which says what became of its edits. */
function finished(turns: Turn[]): Turn[] {
  const done: Turn[] = [];
  for (const turn of turns) {
    const killed = done.at(-1)?.reply === '' && turn.promptFrom === 'user' ? done.pop() : undefined;
    const prompt = killed === undefined ? turn.prompt : `${killed.prompt}\n\n${turn.prompt}`;
    done.push({ ...turn, prompt, calls: [...(killed?.calls ?? []), ...turn.calls] });
  }
  return done;
}

/** The check that passed at a turn's end, if it failed before, the turn wrote its tests, or the user had approved a plan. */
function checkOf(turn: Turn, runs: ReturnType<typeof checkRuns>, isExpected: boolean): Unit['check'] {
  const last = runs.at(-1);
  const failed = runs.findLast(({ passed }) => passed === false);
  if (last?.passed !== true || !(isExpected || failed !== undefined || isPlan(turn.prompt))) return undefined;
  // The check that failed, if it passed later; another one may only show that the rest still works.
  const again = runs.findLast(({ command, passed }) => passed && command === failed?.command);
  return { command: (again ?? last).command, hadFailed: again !== undefined };
}

/** Tells whether most of `files` are among `others`. */
export function isMostOf(files: string[], others: string[]): boolean {
  return files.length > 0 && files.filter((path) => others.includes(path)).length * 2 >= files.length;
}
