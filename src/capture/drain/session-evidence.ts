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
  uncommitted: { turn: number; files: string[] }[];
  /** Turns whose edits were all restored afterwards. */
  takenBack: number[];
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
  for (const [at, { action, ok }] of turn.calls.entries()) {
    const run = runs.get(at);
    if (ok !== false && (action === 'edit' || action === 'write' || action === 'delete')) edited = true;
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
  const isBack = (one: { files: string[] }) => resetAll || one.files.every((file) => restored.includes(file));
  const back = uncommitted.filter(isBack).map((one) => one.turn);
  const left = uncommitted.filter((one) => !isBack(one));
  return {
    failing: [...open].slice(-MOST_FAILING),
    isEdited: edited,
    checked: isProven ? withNumber(checked, promptNumber) : checked,
    uncommitted: isCommitted ? [] : files.length > 0 ? [...left, { turn: promptNumber, files }] : left,
    takenBack: back.reduce(withNumber, takenBack),
  };
}

/** Most failing checks that are remembered, the last ones. */
const MOST_FAILING = 20;

function withNumber(numbers: number[], number: number): number[] {
  return numbers.includes(number) ? numbers : [...numbers, number];
}
