import { holdAll } from './condition.ts';
import type { Mapping } from './mapping.ts';
import { textAt } from './tool-facts.ts';

/** The beginning of a log that only repeats what another session did. */
export interface CopiedHistory {
  /** Tells of the next line whether it is part of it; the line that opens the log is not. */
  holds(line: unknown): boolean;
}

/**
 * A forked session's log opens with its own line and then repeats its parent's, under the parent's ids. The repetition
 * ends with the first turn that was begun after the session itself.
 */
export function copiedHistory({ forks }: Mapping): CopiedHistory {
  let beganMs: number | undefined;
  let isOpen = false;
  return {
    holds(line) {
      if (forks === undefined) return false;
      const isFirst = !isOpen;
      isOpen ||= holdAll(forks.when, { line });
      if (isFirst && isOpen) {
        const isFork = textAt([forks.from], { line }) !== '';
        beganMs = isFork ? timeIn(textAt([forks.session], { line })) : undefined;
        return false;
      }
      if (beganMs === undefined) return false;
      const turnMs = timeIn(textAt([forks.turn], { line }));
      if (turnMs === undefined || turnMs < beganMs) return true;
      beganMs = undefined;
      return false;
    },
  };
}

/** Milliseconds since 1970 in a UUID of version 7; undefined where it is none. */
function timeIn(id: string): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id);
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}
