import type { Card, FileOfRecord, Insight, Meta, RecordPage } from './protocol.ts';

/** What a static site holds: the team's records as they were when it was written. */
export interface SiteData {
  meta: Meta;
  /** Of the tokens only what the records themselves tell: nothing of the machine that wrote it. */
  insight: Insight;
  /** Newest first. */
  records: SiteRecord[];
  /** Who replaces whom, by the word of trusted records and marks. */
  replacements: { old: string; by: string }[];
  /** Cited files that were renamed since: the cited path and the current one. */
  renames: [cited: string, now: string][];
}

/** One record of a static site; what pages show besides is derived from these. */
export interface SiteRecord {
  card: Card;
  /** The whole file; empty for a redacted one. */
  raw: string;
  path: string;
  /** What follows the title; empty where nothing does. */
  subtitle: string;
  facts: string[];
  files: FileOfRecord[];
  provenance: RecordPage['provenance'];
  marks: RecordPage['marks'];
}
