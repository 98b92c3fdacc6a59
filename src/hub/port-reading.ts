// Questions about records, and the answers.

import type { EffectiveState } from '../memory/marks.ts';
import type { Kind, MemoryRecord } from '../memory/record.ts';
import type { Freshness } from '../provenance/levels.ts';

/** Missing means everything; lists are alternatives. */
export interface HubFilter {
  repository?: readonly string[];
  team?: readonly string[];
  kind?: readonly Kind[];
  type?: readonly string[];
  concept?: readonly string[];
  /** A file, a folder or a glob, as `--file`. */
  file?: readonly string[];
  /** The person (git's name) or the agent that wrote it. */
  author?: readonly string[];
  /** A prefix of its id is enough. */
  session?: string;
  /** ISO 8601, both included. */
  since?: string;
  until?: string;
  /** Freshness at the indexed commit. */
  freshness?: Freshness;
  /** Include superseded, retired and redacted records. */
  all?: boolean;
}

export interface HubQuestion {
  text: string;
  filter?: HubFilter;
  limit: number;
  /** The text is prose, not a query: quotes and dashes have no meaning. */
  plain?: boolean;
  now?: Date;
}

/** A record as lists show it. */
export interface HubCard {
  repository: string;
  id: string;
  kind: Kind;
  type: string;
  title: string;
  /** The first sentences, as plain text; of a hit the sentence that answers best. */
  excerpt: string;
  /** ISO 8601, UTC. */
  created: string;
  author: string;
  session: string | null;
  branch: string | null;
  concepts: string[];
  files: string[];
  /** Its file in the repository. */
  path: string;
  /** A hub has what the default branch has. */
  trust: 'reviewed';
  freshness: Freshness;
  state: EffectiveState;
}

export interface HubHit extends HubCard {
  /** Comparable within one answer only. */
  score: number;
  /** How likely this bears on the question at all, 0 to 1. */
  confidence: number;
  /** Other repositories of the viewer that hold the same record: forks and copies. */
  also: string[];
}

export interface HubRecord extends HubCard {
  record: MemoryRecord;
  /** The indexed commit of its repository. */
  head: string;
}

export type Facet = { name: string; count: number }[];

export type HubFacets = Record<'repository' | 'team' | 'type' | 'concept' | 'author' | 'freshness', Facet>;
