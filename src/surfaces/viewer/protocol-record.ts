// The protocol's part about one record.

import type { Evidence, Freshness, Trust } from '../../provenance/levels.ts';
import type { RecordUse } from '../../recall/query/record-use.ts';
import type { Card } from './protocol.ts';

export interface FileOfRecord {
  path: string;
  change: 'modified' | 'read';
  freshness: Freshness;
  /** Where the same content is now, if it moved. */
  now_at: string | null;
  /** Commits that changed it since, most recent first; null if git cannot tell. */
  commits_since: number | null;
  last_commit: Commit | null;
  /** On the code host, if that is known and has the file. */
  url?: string | undefined;
}

export interface Commit {
  commit: string;
  subject: string;
  author: string;
  /** ISO 8601. */
  at: string;
  /** On the code host, if known. */
  url?: string;
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
  /** Of an active observation, in a viewer with a server. */
  evidence?: Evidence;
  /** How often it was used in this clone, in a viewer with a server. */
  used?: RecordUse;
  files: FileOfRecord[];
  provenance: {
    by: string;
    extractor: string | null;
    prompt: string | null;
    prompt_number: number | null;
    trust_reason: string;
    /** The commit that added its file, and the one that landed its work. */
    added: Commit | null;
    landed: Commit | null;
    /** In the form of merge and squash subjects: `#123` or `!123`. */
    pull_request: string | null;
    discovery_tokens: number | null;
    read_tokens: number;
  };
  /** Records around this one that replace each other, including itself. */
  chain: {
    nodes: { id: string; title: string; state: 'active' | 'superseded' | 'retired' | 'missing' }[];
    /** From the older record to the one that replaces it. */
    edges: { from: string; to: string }[];
  };
  marks: {
    id: string;
    type: string;
    reason: string;
    /** Who decided it. */
    by: string;
    created: string;
    trust: Trust;
    active: boolean;
    /** What a pin guards. */
    guards?: string[];
  }[];
  cited_by: Card[];
  /** Active records whose titles contradict it. */
  rivals: Card[];
  /** Other records of its session, oldest first. */
  session: Card[];
  /** The records before and after it in time, oldest first, including itself. */
  around: Card[];
}

/** GET /api/record/ID/change?file=PATH: a cited file at capture compared with the working tree. */
export interface FileChange {
  path: string;
  /** Unified diff; null if the old content is not in this repository, empty if nothing changed. */
  diff: string | null;
  /** The diff was cut at a length that a page can show. */
  truncated: boolean;
}
