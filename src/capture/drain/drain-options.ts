import type { Config } from '../../config.ts';
import type { ExtractionContext, Extractor } from '../extract/extractor.ts';

/** What a drain is given. */
export interface DrainOptions {
  config: Config;
  extractor: Extractor;
  /** Extracts turns that no provider has answered for longer than `extract.fallback_after`. */
  fallback: Extractor;
  /** Finds the records of the whole store that are nearest to a session's topic. */
  nearest: ExtractionContext['nearest'];
  /** Takes incomplete turns too, and closes open sessions. */
  all: boolean;
  /** A person asks: backoffs after earlier failures are ignored. */
  now?: boolean;
  clock: () => Date;
  signal: AbortSignal;
  /** Called after every record, for progress. */
  onWritten?: (id: string, path: string) => void;
  /** Called with the worktree's root when a session begins, and when one is over and its records are written. */
  onBoundary?: (root: string) => void;
}

/** The shape of `drain --json`. */
export interface DrainReport {
  /** Spool files handled. */
  events: number;
  written: string[];
  /** Spool files still waiting. */
  pending: number;
  /** Spool files set aside as unreadable, in all. */
  failed: number;
  /** Records not written because they repeat what was redacted; left out where there are none. */
  redacted?: number;
}
