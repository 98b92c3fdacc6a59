/** The page of one record: its types are part of the protocol, and the static site's data is made of them. */

import type { Freshness, Trust } from '../../provenance/levels.ts';
import type { Card, Meta } from './protocol.ts';

/** The data of a static site: the team's records at the time of writing. */
export interface SiteData {
  meta: Meta;
  /** Newest first. */
  records: SiteRecord[];
  /** Which record replaces which, according to trusted records and marks. */
  replacements: { old: string; by: string }[];
  /** Cited files that were renamed since: the cited path and the current one. */
  renames: [cited: string, now: string][];
}

/** One record of a static site; everything else on the pages is derived from these. */
export type SiteRecord = Pick<
  RecordPage,
  'card' | 'raw' | 'path' | 'subtitle' | 'facts' | 'files' | 'provenance' | 'marks'
>;

export interface FileOfRecord {
  path: string;
  change: 'modified' | 'read';
  freshness: Freshness;
  /** Its current path, if it was renamed. */
  now_at: string | null;
  /** Names in the record that none of its cited files has any more. */
  missing: string[];
  /** On the code host, if that is known and has the file. */
  url?: string | undefined;
}

/** GET /api/record/ID: everything about one record. */
export interface RecordPage {
  card: Card;
  /** The line after the title; empty if there is none. */
  subtitle: string;
  /** The body as Markdown, below the front matter. */
  markdown: string;
  /** The whole file. */
  raw: string;
  /** Relative to the top of the repository; absolute in the private store. */
  path: string;
  facts: string[];
  files: FileOfRecord[];
  provenance: {
    by: string;
    extractor: string | null;
    prompt: string | null;
    prompt_number: number | null;
    trust_reason: string;
    /** The commit that added its file, and whether it also changed a file that the record cites. */
    recorded: {
      commit: string;
      subject: string;
      author: string;
      /** ISO 8601. */
      at: string;
      /** On the code host, if known. */
      url?: string;
      with_change: boolean;
    } | null;
    /** The history here ends before that commit. */
    history_ends: boolean;
    /** The commit that reverted the record's change; unknown in the static site. */
    reverted_by: string | null;
    discovery_tokens: number | null;
    read_tokens: number;
  };
  /** Records around this one that replace each other, including itself, each after those that it replaces. */
  chain: { id: string; title: string; state: 'active' | 'superseded' | 'retired' | 'missing' }[];
  marks: {
    id: string;
    type: string;
    reason: string;
    by: string;
    created: string;
    trust: Trust;
    active: boolean;
    guards?: string[];
  }[];
  cited_by: Card[];
  /** Other records of its session, oldest first. */
  session: Card[];
}
