import type { Cited, Citer } from './citation.ts';
import type { Commit } from './history.ts';

/** In the order in which somebody new wants to know. */
export const PATTERNS = [
  'command',
  'layout',
  'rule',
  'convention',
  'decision',
  'revert',
  'regression',
  'co-change',
  'fix-chain',
  'removal',
] as const;
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

/** Something that the repository shows, before it is worded. */
export interface Finding {
  pattern: Pattern;
  /** What it is about, the same at every run: a commit, a pair of files, a section of a page. */
  subject: string;
  /** How much evidence there is, in commits: a finding is written again only when this has grown by half. */
  support: number;
  /** A hash of what files say now, for a finding that quotes them: it is written again only when that has changed. */
  edition?: string;
  /** Usefulness from 0 to 1, comparable between patterns. */
  weight: number;
  /** The commits that are cited; the newest gives the record its time and its anchors. Empty where files are quoted. */
  commits: Commit[];
  /** The ids of the commits that it explains: no other record explains one of them. */
  incident: string[];
  tell(cite: Citer): Telling;
}

/** A commit as evidence: short id, day and subject. */
export function evidence({ shortId, day, subject }: Cited): string {
  return `${shortId} (${day}): ${subject}`;
}
