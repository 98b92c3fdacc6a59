import type { Config } from '../../config.ts';
import type { ExtractionContext, Extractor } from '../extract/extractor.ts';

/** What a drain is given. */
export interface DrainOptions {
  config: Config;
  /** Undefined without a model: sessions leave their digests and nothing else. */
  extractor: Extractor | undefined;
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
