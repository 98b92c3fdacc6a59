import type { Content } from '../../memory/record.ts';
import type { Commit } from './history.ts';
import type { Cited, Citer } from './records.ts';

/** In the order in which a newcomer needs them. */
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

/** A finding in the repository, before it is worded. */
export interface Finding {
  pattern: Pattern;
  /** Its subject, the same in every run: a commit, a pair of files, a section of a page. */
  subject: string;
  /** Number of commits as evidence: a finding is written again only when this has grown by half. */
  support: number;
  /** A hash of the quoted words, for a finding that quotes files: it is written again only when they change. */
  edition?: string;
  /** Usefulness from 0 to 1, estimated, not measured: it only orders findings, and those without a reason come last. */
  weight: number;
  /** The cited commits; the newest gives the record its time and its anchors. Empty if files are quoted. */
  commits: Commit[];
  /** The ids of the commits that it explains: no other record explains any of them. */
  incident: string[];
  /** Its text, once the commits that it cites are cleaned. */
  textWith(cite: Citer): Content;
}

/** A commit as evidence: short id, day and subject. */
export function evidence({ shortId, day, subject }: Cited): string {
  return `${shortId} (${day}): ${subject}`;
}
