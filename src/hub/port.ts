// The hub's viewers, their questions, and the answers.

import type { EffectiveState } from '../memory/marks.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Filter } from '../records/card-filter.ts';
import type { Card } from '../surfaces/viewer/protocol.ts';

/** A person or a service, and what it may read now. Only `viewerOf` makes one. */
export interface Viewer {
  principal: number;
  name: string;
  /** Numbers of the repositories that may be read. The database checks them against the rights again. */
  repositories: readonly number[];
  /** The oldest confirmation among these rights. */
  rightsAt: Date;
  scopes: readonly TokenScope[];
  /** The id of the request, for the audit log. */
  request?: string;
}

/** What a service token may do. */
export const TOKEN_SCOPES = ['read', 'sync', 'metrics'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Missing means everything; lists are alternatives. Freshness is as of the indexed commit. */
export interface HubFilter extends Omit<Filter, 'branch' | 'store' | 'trust'> {
  repository?: readonly string[] | undefined;
  team?: readonly string[] | undefined;
  /** The person (git's name) or the agent that wrote it. */
  author?: readonly string[] | undefined;
}

export interface HubQuestion {
  text: string;
  filter?: HubFilter;
  limit: number;
  now?: Date;
}

/** A record as lists show it, in fields of the viewer's cards; a hit's excerpt is the best-matching sentence. */
export interface HubCard extends Omit<Card, 'store' | 'edited' | 'inputs' | keyof EffectiveState> {
  repository: string;
  /** Its file in the repository. */
  path: string;
  /** A hub holds only what is on the default branch. */
  trust: 'reviewed';
  state: EffectiveState;
}

export interface HubHit extends HubCard {
  /** Comparable within one answer only. */
  score: number;
  /** How likely it is relevant to the question at all, 0 to 1. */
  confidence: number;
  /** The viewer's other repositories with the same record: forks and copies. */
  also: string[];
}

export interface HubRecord extends HubCard {
  record: MemoryRecord;
  /** The indexed commit of its repository. */
  head: string;
}

export type Facet = { name: string; count: number }[];

export type HubFacets = Record<'repository' | 'team' | 'type' | 'concept' | 'author' | 'freshness', Facet>;
