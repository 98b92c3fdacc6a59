import { join } from 'node:path';
import { type Checkout, textOf } from './locate.ts';

/** One move of a worktree's HEAD. */
export interface HeadMove {
  from: string;
  to: string;
  /** Whole seconds, in milliseconds since 1970: the time of the committer. */
  atMs: number;
  /** What git did, in its own fixed words: `commit (amend): subject`, `pull: Fast-forward`. */
  what: string;
}

/** What was known of HEAD at some time (ISO 8601); without `commit`, only the time. */
export interface Look {
  at: string;
  commit?: string | undefined;
}

/** What git calls a move to a commit that it made here, not one that came from elsewhere. */
const MADE = /^(?:commit(?: \((?:initial|amend|merge)\))?|cherry-pick|revert): (?!fast-forward$)/;

/** What git calls a move to a commit that it remade from an earlier one. */
const REMADE = /^(?:rebase|pull)\b.*\((?:pick|reword|edit|squash|fixup|continue)\): /;

/** Whether the commit that HEAD moved to was made here. */
export function isMadeHere({ what }: HeadMove): boolean {
  return MADE.test(what) || REMADE.test(what);
}

/** The moves of a worktree's HEAD, oldest first; none if git keeps no reflog as a file. */
export function headMoves({ gitDir }: Checkout): HeadMove[] {
  const text = textOf(join(gitDir, 'logs', 'HEAD')) ?? '';
  return text.split('\n').flatMap((line) => {
    const [, from, to, seconds, what = ''] =
      /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}(?:\t(.*))?$/.exec(line) ?? [];
    return from && to ? [{ from, to, atMs: Number(seconds) * 1000, what }] : [];
  });
}

/**
 * The moves between two looks at a worktree's HEAD that made commits, oldest first. Looks are matched by id where they
 * have one: the times of moves are in whole seconds, and can be set. If HEAD was at a commit more than once, the fewest
 * moves count. `isRemade` marks those of a rebase, which may be of anybody's commits.
 */
export function movesBetween(moves: readonly HeadMove[], from: Look, to: Look): (HeadMove & { isRemade: boolean })[] {
  if (from.commit !== undefined && from.commit === to.commit) return [];
  return spanBetween(moves, from, to).flatMap((move) => {
    return isMadeHere(move) ? [{ ...move, isRemade: REMADE.test(move.what) }] : [];
  });
}

function spanBetween(moves: readonly HeadMove[], from: Look, to: Look): readonly HeadMove[] {
  const toMs = Date.parse(to.at);
  const isLast = ({ to: commit, atMs }: HeadMove) => (to.commit === undefined ? atMs <= toMs : commit === to.commit);
  if (from.commit === undefined) {
    const fromMs = Math.floor(Date.parse(from.at) / 1000) * 1000;
    return moves.slice(0, moves.findLastIndex(isLast) + 1).filter(({ atMs }) => atMs >= fromMs);
  }
  let best: readonly HeadMove[] | undefined;
  for (const [end, move] of moves.entries()) {
    if (!isLast(move)) continue;
    const past = moves.slice(0, end + 1);
    // HEAD may have been at the first commit since before the log begins.
    const after = past.findLastIndex((one) => one.to === from.commit) + 1;
    const start = after > 0 ? after : past.findLastIndex((one) => one.from === from.commit);
    const span = start < 0 ? undefined : past.slice(start);
    // Without an id at the end, the last move before its time ends the span.
    if (span !== undefined && (to.commit === undefined || best === undefined || span.length < best.length)) best = span;
  }
  return best ?? [];
}
