import type { Content, Observation } from '../../memory/record.ts';
import type { Turn } from './turn.ts';

/** An observation before it has an id, as an extractor makes it. The limits of `memory/record` apply. */
export interface Draft extends Content {
  /** Key of the turn that it is about. */
  turn: string;
  subtitle: string;
  /** Ids of known records that this one makes wrong. */
  supersedes: string[];
}

/** What is true at the end of a session; every entry is one plain sentence. `next_steps`: only those that are still open. */
export type SessionSummary = { request: string } & Record<SummaryList, string[]>;

type SummaryList = 'next_steps' | 'completed' | 'learned' | 'notes' | 'investigated';

/** Applies a change to each list of a summary: the most important first, for when not all of them fit. */
export function mapLists<T>(summary: SessionSummary, change: (entries: string[]) => T): Record<SummaryList, T> {
  return {
    next_steps: change(summary.next_steps),
    completed: change(summary.completed),
    learned: change(summary.learned),
    notes: change(summary.notes),
    investigated: change(summary.investigated),
  };
}

/** A record that exists already. */
export type Known = Pick<Observation, 'id' | 'type' | 'title' | 'narrative' | 'facts' | 'files_modified'>;

/** What a session is about, as a query to the store. */
export interface Topic {
  files: string[];
  text: string;
}

export interface ExtractionContext {
  /** Active records that earlier parts of this session left, oldest first. */
  earlier: Known[];
  /** First sentences of the answer before the first of the turns; empty where there is none. */
  previousReply: string;
  /** The summary after the previous part; undefined for the first part. */
  summary: SessionSummary | undefined;
  /** What came of the whole session so far: the files it changed, and its commits, each as a short hash and a subject. */
  outcome: { files: string[]; commits: string[] };
  /** Removes this machine's folders from a text. */
  local: (text: string) => string;
  /** The records of the whole store that are nearest to a topic, best first. */
  nearest: (topic: Topic) => Promise<Known[]>;
  /** Types that the store knows. */
  types: readonly string[];
  /** Language of the records, as a BCP 47 tag. */
  language: string;
  signal: AbortSignal;
}

export interface Extraction {
  /** None where the session deserves no memory. */
  observations: Draft[];
  /** Undefined if the extractor has nothing to add to its observations. */
  summary?: SessionSummary | undefined;
  /** As written in the records: `anthropic/claude-haiku-4-5`. */
  extractor: string;
  /** Tokens that a paid provider counted. */
  spent?: { input: number; output: number };
}

/**
 * Turns a part of a session, oldest turn first, into at most a few observations. Rejects with ProviderError when the
 * provider gives no usable answer now.
 */
export interface Extractor {
  extract(turns: Turn[], context: ExtractionContext): Promise<Extraction>;
  /** True while no provider may be asked: the turns wait, and nothing is tried. */
  isResting?(): boolean;
  /** How many characters of new material are worth a question before the session ends; undefined to ask only at its end. */
  portion?: number;
}
