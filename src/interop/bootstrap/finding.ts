import type { Cited, Citer } from './citation.ts';
import type { Commit } from './history.ts';

export const PATTERNS = ['convention', 'revert', 'fix-chain', 'co-change', 'hot-spot', 'deletion'] as const;
export type Pattern = (typeof PATTERNS)[number];

/** What a finding says once the commits that it cites are cleaned. */
export interface Telling {
  type: string;
  title: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  files_modified: string[];
  files_read: string[];
}

/** Something that the history shows, before it is worded. */
export interface Finding {
  pattern: Pattern;
  /** What it is about, the same at every run: a commit, a pair of files, a file. */
  subject: string;
  /** How much evidence there is, in commits: a finding is told again only when this has grown by half. */
  support: number;
  /** Usefulness from 0 to 1, comparable between patterns. */
  weight: number;
  /** The commits that are cited; the newest gives the record its time. */
  commits: Commit[];
  tell(cite: Citer): Telling;
}

/** A commit as evidence: short id, day and subject. */
export function evidence({ shortId, day, subject }: Cited): string {
  return `${shortId} (${day}): ${subject}`;
}
