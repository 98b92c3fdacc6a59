import type { Kind, MarkType, StoreName } from '../../memory/record.ts';

/** The parts of a record that are searched, in the order of every list of lengths and counts. */
export const FIELDS = ['title', 'narrative', 'facts', 'concepts', 'files'] as const;
export type Field = (typeof FIELDS)[number];

/** What the index tells of a record without its file: enough to filter, to rank and to print a line. */
export interface Card {
  id: string;
  kind: Kind;
  type: string;
  title: string;
  /** ISO 8601, UTC. */
  created: string;
  session?: string;
  prompt_number?: number;
  branch?: string;
  concepts: string[];
  /** Cited paths, the modified ones first. */
  files: string[];
  /** How many of `files` were modified. */
  modified: number;
  supersedes: string[];
  /** A mark's own words. */
  mark?: { type: MarkType; targets: string[]; by?: string };
}

/** A record as it goes into the index; `terms` are token streams, one a field, joined by spaces. */
export interface IndexDocument {
  blob: string;
  card: Card;
  terms: string[];
}

/** A record as it comes out. A row names one content as long as the index lives. */
export interface IndexedDocument extends IndexDocument {
  row: number;
  /** Which store of this checkout has it; the team's where both have. */
  store: StoreName;
}

/** What is remembered of a file, so that an unchanged one need not be read again. */
export interface KnownFile {
  size: number;
  /** Times in milliseconds; -1 for a file that was too young to be sure of. */
  modifiedMs: number;
  changedMs: number;
}

/** A file that appeared, changed, or only got new times. */
export interface SeenFile extends KnownFile {
  store: StoreName;
  path: string;
  /** Undefined for a file that is no readable record. */
  blob?: string;
}

export interface Changes {
  seen: SeenFile[];
  gone: { store: StoreName; path: string }[];
  /** Documents that `knows` denied. */
  documents: IndexDocument[];
  /** What folders look like now; without a digest those that are no longer there. */
  folders: { store: StoreName; folder: string; digest?: string }[];
}

/** A place in the order of all documents: by time, then by id. Without an id it comes before all of that time. */
export interface Moment {
  /** ISO 8601, UTC. */
  created: string;
  id: string;
}

/** As much of an observation or summary as counting needs. */
export interface Outline {
  id: string;
  blob: string;
  store: StoreName;
  /** Path of its file inside the store. */
  path: string;
}

/** A record that nobody said is known, with what has to be known of its file to judge it. */
export interface Unknown {
  row: number;
  store: StoreName;
  /** Path of its file inside the store. */
  path: string;
  blob: string;
}

/** Numbers over the searchable records of this checkout. */
export interface Statistics {
  documents: number;
  /** Mean tokens a field. */
  meanLengths: number[];
  /** In how many records each term is. */
  frequencies: Map<string, number>;
}

/** What ranking by words asks; a browser has this much. */
export interface WordIndex {
  statistics(terms: readonly string[]): Statistics;
  /**
   * Documents with any of the weighted terms, roughly best first, that `accepts` lets through; at most `limit`. It lets
   * through only those that hold one of each list in `required`, which spares looking at others.
   */
  candidates(
    weights: ReadonlyMap<string, number>,
    limit: number,
    accepts: (document: IndexedDocument) => boolean,
    required?: readonly (readonly string[])[],
  ): IndexedDocument[];
  /** Every term of the store, in any order; some of them perhaps only of records that other checkouts have. */
  vocabulary(): readonly string[];
  /** The documents of rows; rows that this checkout does not have are left out. */
  documents(rows: Iterable<number>): IndexedDocument[];
  /** Documents on one side of a moment, nearest first; one at that very moment lies after it. */
  around(side: 'before' | 'after', moment: Moment): Iterable<IndexedDocument>;
  /** Records that cite a path. */
  citing(path: string): number[];
  /** Rows of a session's observations, summaries and prompts, in their order. */
  session(session: string): number[];
  /** Changes whenever what this checkout has may have changed; caches of readers hang on it. */
  version(): string;
}

/** The vectors of models, as ranking reads them. */
export interface VectorIndex {
  /** The vectors of a model for this checkout's documents. */
  vectors(model: string): Iterable<[row: number, vector: Uint8Array]>;
  vector(model: string, row: number): Uint8Array | undefined;
  termVector(model: string, term: string): Uint8Array | undefined;
}

/** The vectors of models, as those who make them see them. */
export interface VectorStore extends VectorIndex {
  /** Rows, whichever checkout has them, that have no local vectors yet; ascending. */
  unlearned(): number[];
  /** Says that the rows up to this one have them. */
  noteLearned(last: number): void;
  /** Rows of this checkout without a vector of this model. */
  rowsWithout(model: string): number[];
  putVectors(model: string, vectors: Iterable<[row: number, vector: Uint8Array]>): void;
  /** Forgets a model's vectors and puts term vectors in place of its old ones. */
  replaceModel(model: string, terms: Iterable<[term: string, vector: Uint8Array]>): void;
}

/** As much of an index as ranking asks. */
export type RankedIndex = WordIndex & VectorIndex;

/** What is known of the stores' files and of the records in them. */
export interface RecordIndex {
  /** The folders of a store as they were last seen: a digest each, empty where nothing may be concluded from it. */
  folders(store: StoreName): Map<string, string>;
  /** The files of a store, or of one of its folders, as they were last seen, by path. */
  files(store: StoreName, folder?: string): Map<string, KnownFile>;
  /** The blob that a file was last seen to be; undefined for an unknown file, or one that is no record. */
  blobAt(store: StoreName, path: string): string | undefined;
  /** Tells whether the document of a blob is at hand, from whichever branch or worktree. */
  knows(blob: string): boolean;
  /** Path, inside its store, of the file that holds a row's content. */
  pathOf(row: number): string | undefined;
  /** The token streams of a row, whichever checkout has it. */
  termsOf(row: number): string[];
  /** How many records this checkout has. */
  size(): number;
  /** All documents of this checkout, newest first. */
  newest(): Iterable<IndexedDocument>;
  /** Documents whose id begins with this. */
  named(prefix: string): IndexedDocument[];
  /** The ids that begin with this, without reading a document. */
  ids(prefix: string): string[];
  /** All observations and summaries, in no order and one of each content, without their cards. */
  outlines(): Outline[];
  /** The files that are no readable records. */
  unreadable(): { store: StoreName; path: string }[];
  /**
   * Marks, and records that replace others: those that have a say about other records. With `about` only those that bear
   * on what becomes of these ids, directly or by way of others.
   */
  statements(about?: Iterable<string>): IndexedDocument[];
}

/**
 * The search index of one checkout: both stores' records, keyed by blob. Files are the truth; whatever is in here can be
 * thrown away. Implementations answer alike: one contract test runs for all.
 */
export interface MemoryIndex extends RecordIndex, WordIndex, VectorStore {
  readonly kind: 'sqlite' | 'minisearch';
  /** Takes all changes or none. */
  apply(changes: Changes): void;
  /** Runs `use` on one unmoving state. */
  snapshot<T>(use: () => T): T;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
  /** Changes with the files that this checkout has, in whatever process; undefined where no other process would know. */
  writes(): string | undefined;
  /**
   * The same index as if it had only the known records and the few that came since these were noted: what a branch brings
   * by the thousand takes part in nothing. The whole index where none were noted.
   */
  known(): MemoryIndex;
  /** The records that are not noted as known; a content that lies in several places once for each. */
  unknown(): Unknown[];
  /** Notes that these rows are known too. */
  noteKnown(rows: readonly number[]): void;
  /** Keeps what every process would have to count before its first question. */
  settle(): void;
  /** Says that writing has come to an end: damage to the index's file from now on is noticed when it is next opened. */
  seal(): void;
  close(): void;
}
