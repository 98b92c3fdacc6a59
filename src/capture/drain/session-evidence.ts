import { idOf } from '../../memory/id.ts';
import { isChange } from '../agents/event.ts';
import { checkRuns } from '../extract/checks.ts';
import { editsOf } from '../extract/edits.ts';
import type { Turn } from '../extract/turn.ts';

/** What a session itself shows about the work of its turns, by their prompt numbers. */
export interface SessionEvidence {
  /** Checks that failed and did not pass since. */
  failing: string[];
  /** Files were edited since the last of them failed. */
  isEdited: boolean;
  /** Turns in which a check passed that had failed before an edit. */
  checked: number[];
  /** Turns with edits that are in no commit of the session yet. */
  uncommitted: Uncommitted[];
  /** Turns whose edits were all restored: by git, or by edits that turned them round. */
  takenBack: number[];
}

interface Uncommitted {
  turn: number;
  files: string[];
  /** What its edits did that no later edit turned round; undefined where that is not known of each. */
  changes?: string[] | undefined;
}

/** The evidence after one more turn; `isCommitted`: the turn made a commit. */
export function afterWork(
  { failing, isEdited, checked, uncommitted, takenBack }: SessionEvidence,
  turn: Turn,
  isCommitted: boolean,
): SessionEvidence {
  const { promptNumber } = turn;
  const open = new Set(failing);
  let edited = isEdited;
  let isProven = false;
  const runs = new Map(checkRuns(turn).map((run) => [run.at, run]));
  for (const [at, call] of turn.calls.entries()) {
    const run = runs.get(at);
    if (call.ok !== false && isChange(call)) edited = true;
    if (run?.passed === undefined) continue;
    if (!run.passed) {
      open.add(run.command);
      edited = false;
      continue;
    }
    // The whole suite covers one of its tests.
    const mended = [...open].filter((command) => command === run.command || command.startsWith(`${run.command} `));
    for (const command of mended) open.delete(command);
    isProven ||= mended.length > 0 && edited;
  }
  const { edited: files, restored, resetAll } = editsOf(turn);
  const { earlier, changes, isUndone } = turnedRound(uncommitted, turn, files);
  const isBack = (one: Uncommitted) =>
    resetAll || one.files.every((file) => restored.includes(file)) || one.changes?.length === 0;
  const back = earlier.filter(isBack).map((one) => one.turn);
  const left = earlier.filter((one) => !isBack(one));
  const isOpen = files.length > 0 && changes?.length !== 0;
  return {
    failing: [...open].slice(-MOST_FAILING),
    isEdited: edited,
    checked: isProven ? withNumber(checked, promptNumber) : checked,
    uncommitted: isCommitted ? [] : isOpen ? [...left, { turn: promptNumber, files, changes }] : left,
    takenBack: [...back, ...(isUndone && !isCommitted ? [promptNumber] : [])].reduce(withNumber, takenBack),
  };
}

/**
 * What is left of the edits of earlier turns and of this one after those that put back what another one took away.
 * `isUndone`: this turn put back all that it edited itself.
 */
function turnedRound(
  uncommitted: Uncommitted[],
  { calls }: Turn,
  files: string[],
): { earlier: Uncommitted[]; changes: string[] | undefined; isUndone: boolean } {
  const earlier = uncommitted.map((one) => ({ ...one, ...(one.changes && { changes: [...one.changes] }) }));
  const own: string[] = [];
  const seen = new Set<string>();
  let isKnown = true;
  let isOwn = false;
  for (const { paths, change } of calls.filter((call) => call.ok !== false && isChange(call))) {
    for (const path of paths) seen.add(path);
    const [path, ...others] = paths;
    // Of a file that was written whole nobody knows what was there.
    if (path === undefined || others.length > 0 || !change?.removed) {
      isKnown = false;
      continue;
    }
    const reverse = idOf(path, change.added, change.removed);
    const turned = [own, ...earlier.toReversed().map(({ changes = [] }) => changes)].find((some) =>
      some.includes(reverse),
    );
    if (turned !== undefined) turned.splice(turned.lastIndexOf(reverse), 1);
    else own.push(idOf(path, change.removed, change.added));
    isOwn ||= turned === own || turned === undefined;
  }
  const isWhole = isKnown && files.every((file) => seen.has(file));
  return { earlier, changes: isWhole ? own : undefined, isUndone: isWhole && isOwn && own.length === 0 };
}

/** Most failing checks that are remembered, the last ones: a session runs a handful of different commands. */
const MOST_FAILING = 20;

function withNumber(numbers: number[], number: number): number[] {
  return numbers.includes(number) ? numbers : [...numbers, number];
}
