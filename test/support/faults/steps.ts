/** What a call does to a file, which determines how it can fail. */
export type StepClass = 'look' | 'read' | 'open' | 'make' | 'write' | 'flush' | 'close' | 'remove' | 'spawn' | 'tool';

/** How a step goes wrong. `torn` writes the first half and is killed, `clock` puts the time back from there on. */
export const KINDS = [
  'ENOSPC',
  'EIO',
  'EACCES',
  'EMFILE',
  'short',
  'torn',
  'kill-before',
  'kill-after',
  'clock',
] as const;

export type FaultKind = (typeof KINDS)[number];

/** One call of a program on a file of the scratch repository. */
export interface Step {
  class: StepClass;
  /** `renameSync .git/git-mem/spool/tmp/#`: names without what differs from run to run. */
  label: string;
  /** The program asks for the time before its next step. */
  asksTime?: boolean;
  /** The files lie before it just as they lay before the last one. */
  isAsBefore?: boolean;
}

/** What the preload of one process is to do. */
export interface Plan {
  /** Calls on files below this folder are steps. */
  folder: string;
  /** Number of the step that fails, from 1; 0 counts only. */
  at: number;
  /** Only steps of this label count for `at`: how often a program looks at a folder hangs on how fast it is. */
  label?: string;
  kind: FaultKind;
  /** File outside of the folder: the list of steps, or a line when the fault has happened. */
  report: string;
}

/** Milliseconds by which the clock jumps back. */
export const CLOCK_JUMP_MS = 5 * 3_600_000;

/** A step that changes nothing leaves the disk as it was, so a kill after it is the same as one before the next. */
const KINDS_OF: Record<StepClass, readonly FaultKind[]> = {
  look: ['EIO', 'EACCES', 'kill-before', 'clock'],
  read: ['EIO', 'EACCES', 'EMFILE', 'kill-before', 'clock'],
  open: ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'kill-before', 'kill-after', 'clock'],
  make: ['ENOSPC', 'EIO', 'EACCES', 'kill-before', 'kill-after', 'clock'],
  write: ['ENOSPC', 'EIO', 'short', 'torn', 'kill-before', 'kill-after', 'clock'],
  flush: ['ENOSPC', 'EIO', 'kill-before', 'kill-after', 'clock'],
  close: ['ENOSPC', 'EIO', 'kill-before', 'kill-after', 'clock'],
  remove: ['EIO', 'EACCES', 'kill-before', 'kill-after', 'clock'],
  spawn: ['EMFILE', 'kill-before', 'kill-after', 'clock'],
  tool: ['EIO', 'short', 'kill-before', 'kill-after'],
};

/**
 * The kinds of fault that a step can meet. A clock that jumps where nobody looks at it before the next step is the same as
 * one that jumps there, and a kill that finds the files as the last one did leaves what that left.
 */
export function kindsOf({ class: kind, asksTime = false, isAsBefore = false }: Step): readonly FaultKind[] {
  return KINDS_OF[kind].filter((one) => !(one === 'clock' && !asksTime) && !(one === 'kill-before' && isAsBefore));
}
