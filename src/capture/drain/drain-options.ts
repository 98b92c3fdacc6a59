import type { Config } from '../../config.ts';
import type { ExtractionContext, Extractor } from '../extract/extractor.ts';

/** What a drain is given. */
export interface DrainOptions {
  config: Config;
  extractor: Extractor;
  /** Extracts what no provider would for longer than `extract.fallback_after`. */
  fallback: Extractor;
  /** Finds the records of the whole store that are nearest to a session's matter. */
  nearest: ExtractionContext['nearest'];
  /** Takes incomplete turns too, and closes open sessions. */
  all: boolean;
  /** A person asks: nobody is left alone for what failed before. */
  now?: boolean;
  clock: () => Date;
  signal: AbortSignal;
  /** Called after every record, for progress. */
  onWritten?: (id: string, path: string) => void;
  /** Called for every session that begins, and that is over once its records are written, with the root of its worktree. */
  onBoundary?: (root: string) => void;
}

/** The shape of `drain --json`. */
export interface DrainReport {
  /** Spool files handled. */
  events: number;
  written: string[];
  /** Spool files that still wait. */
  pending: number;
  /** Spool files set aside as unreadable, in all. */
  failed: number;
  /** Records that were not written because they say again what was redacted; left out where there are none. */
  redacted?: number;
}
