import type { Turn } from './turn.ts';

/** An observation before it has an id: what an extractor makes of a turn. Limits are those of `memory/record`. */
export interface Draft {
  type: string;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  files_read: string[];
  files_modified: string[];
  /** Ids of earlier observations of this session that this one makes wrong. */
  supersedes: string[];
}

/** What one turn adds to the session's summary; every entry is one plain sentence. */
export interface TurnDigest {
  request: string;
  investigated: string[];
  learned: string[];
  completed: string[];
  next_steps: string[];
  notes: string[];
}

/** An observation of the same session, written by an earlier turn. */
export interface Earlier {
  id: string;
  type: string;
  title: string;
  narrative: string;
  facts: string[];
  files_modified: string[];
}

export interface ExtractionContext {
  /** Oldest first, only those that still stand. */
  earlier: Earlier[];
  /** Requests of the earlier turns, oldest first. */
  requests: string[];
  /** Types that the store knows. */
  types: readonly string[];
  /** Language of what is written, as a BCP 47 tag. */
  language: string;
  signal: AbortSignal;
}

export interface Extraction {
  /** None where the turn deserves no memory. */
  observations: Draft[];
  digest: TurnDigest;
  /** As written to the records: `rules/1`, `anthropic/claude-haiku-4-5`. */
  extractor: string;
  /** Tokens that a paid provider counted. */
  spent?: { input: number; output: number };
}

/** Turns one turn into at most a few observations. Rejects with ProviderError when the provider cannot answer now. */
export interface Extractor {
  extract(turn: Turn, context: ExtractionContext): Promise<Extraction>;
  /** True while nobody may be asked: the turns wait, and nothing is tried. */
  isResting?(): boolean;
}
