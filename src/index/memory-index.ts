import type { Kind, MarkType, StoreName } from '../memory/record.ts';

/** The parts of a record that are searched, in the order of every list of lengths and counts. */
export const FIELDS = ['title', 'narrative', 'facts', 'concepts', 'files'] as const;
export type Field = (typeof FIELDS)[number];

/** A record as the index knows it without its file: enough to filter, to rank and to print a line. */
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
  /** How many of `files` were modified; those come first. */
  modified: number;
  supersedes: string[];
  mark?: { type: MarkType; targets: string[]; by?: string };
  /** In the index of commits: the commit's author, and the sentences of its message's body. */
  commit?: { author: string; sentences: string[] };
}

/** A record in the form that the index takes; `terms` are token streams, one per field, joined by spaces. */
export interface IndexDocument {
  blob: string;
  card: Card;
  terms: string[];
}

/** A record in the form that the index returns. A row stands for one content for as long as the index exists. */
export interface IndexedDocument extends IndexDocument {
  row: number;
  /** Which store of this checkout has it; `team` if both have. */
  store: StoreName;
}

/** What is remembered about a file, so that it is not read again while unchanged. */
export interface KnownFile {
  size: number;
  /** Times in milliseconds; -1 for a file too young for its times to be reliable. */
  modifiedMs: number;
  changedMs: number;
}

/** A file that appeared, changed, or only got new times. */
export interface SeenFile extends KnownFile {
  store: StoreName;
  path: string;
  /** Undefined for a file that is not a readable record. */
  blob?: string;
}

export interface Changes {
  seen: SeenFile[];
  gone: { store: StoreName; path: string }[];
  /** Documents for which `knows` returned false. */
  documents: IndexDocument[];
  /** The current state of folders; without a digest for folders that no longer exist. */
  folders: { store: StoreName; folder: string; digest?: string }[];
}

/** A place in the order of all documents, by time, then by id; without an id before everything of that time. */
export type Moment = Pick<Card, 'created' | 'id'>;

/** A record of the index and its file. */
export interface Outline extends Pick<IndexedDocument, 'row' | 'blob' | 'store'> {
  id: string;
  /** Path of its file inside the store. */
  path: string;
}

/** Numbers over the searchable records of this checkout. */
export interface Statistics {
  documents: number;
  /** Mean tokens per field. */
  meanLengths: number[];
  /** Number of records that contain each term. */
  frequencies: Map<string, number>;
}

/** What ranking by words needs. */
export interface WordIndex {
  statistics(terms: readonly string[]): Statistics;
  /**
   * Documents with any of the weighted terms that `accepts` admits, roughly best first; at most `limit`. Callers
   * promise that `accepts` admits only documents with at least one term of each list in `required`, so others need not
   * be looked at.
   */
  candidates(
    weights: ReadonlyMap<string, number>,
    limit: number,
    accepts: (document: IndexedDocument) => boolean,
    required?: readonly (readonly string[])[],
  ): IndexedDocument[];
  /** The documents of rows; rows not in this checkout are left out. */
  documents(rows: Iterable<number>): IndexedDocument[];
  /** Documents on one side of a moment, nearest first; a document at that very moment counts as after it. */
  around(side: 'before' | 'after', moment: Moment): Iterable<IndexedDocument>;
  /** Records that cite a path. */
  citing(path: string): number[];
  /** Rows of a session's observations, summaries and prompts, in their order. */
  session(session: string): number[];
  /** Changes whenever the records of this checkout may have changed; readers' caches depend on it. */
  version(): string;
}

export interface VectorIndex {
  /** The vectors of a model for this checkout's documents. */
  vectors(model: string): Iterable<[row: number, vector: Uint8Array]>;
  vector(model: string, row: number): Uint8Array | undefined;
  termVector(model: string, term: string): Uint8Array | undefined;
  /** Rows of this checkout without a vector of this model. */
  rowsWithout(model: string): number[];
  putVectors(model: string, vectors: Iterable<[row: number, vector: Uint8Array]>): void;
  /** Deletes a model's vectors and replaces its term vectors. */
  replaceModel(model: string, terms: Iterable<[term: string, vector: Uint8Array]>): void;
}

/** The parts of an index that ranking needs; the viewer's index in a browser and the hub's have only these. */
export type RankedIndex = WordIndex & Pick<VectorIndex, 'vectors' | 'vector' | 'termVector'>;

/** What is known about the stores' files and the records in them, with notes that are lost with the index. */
export interface RecordIndex {
  /** The folders of a store as last seen, each with a digest; empty if the digest proves nothing. */
  folders(store: StoreName): Map<string, string>;
  /** The files of a store, or of one of its folders, as last seen, by path. */
  files(store: StoreName, folder?: string): Map<string, KnownFile>;
  /** The blob of a file as last seen; undefined for an unknown file or one that is not a record. */
  blobAt(store: StoreName, path: string): string | undefined;
  /** Tells whether the document of a blob is in the index, from any branch or worktree. */
  knows(blob: string): boolean;
  /** Path, inside its store, of the file that holds a row's content. */
  pathOf(row: number): string | undefined;
  /** The token streams of a row of any checkout. */
  termsOf(row: number): string[];
  /** How many records this checkout has. */
  size(): number;
  /** All documents of this checkout, newest first. */
  newest(): Iterable<IndexedDocument>;
  /** Documents whose id begins with the prefix. */
  named(prefix: string): IndexedDocument[];
  /** The ids that begin with the prefix, without reading a document. */
  ids(prefix: string): string[];
  /** All observations and summaries, unordered and one per content, without their cards. */
  outlines(): Outline[];
  /** The paths that records of this checkout cite, of one kind or of all. */
  cited(kind?: Kind): Set<string>;
  /** The files that are not readable records. */
  unreadable(): { store: StoreName; path: string }[];
  /**
   * Marks, and records that replace others: those that change the state of others. With `about`, only those that
   * affect these ids, directly or through others.
   */
  statements(about?: Iterable<string>): IndexedDocument[];
  /** A short text kept with the index. */
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
  /** Changes when the files of this checkout do, in any process; undefined if other processes would not see it. */
  writes(): string | undefined;
  /** The records not noted as known; content at several places appears once for each. */
  unknown(): Omit<Outline, 'id'>[];
  noteKnown(rows: readonly number[]): void;
}

/**
 * The search index of one checkout: both stores' records, keyed by blob. Files are the truth; everything in here can be
 * thrown away. All implementations give the same answers: one contract test runs for all.
 */
export interface MemoryIndex extends RecordIndex, WordIndex, VectorIndex {
  readonly kind: 'sqlite' | 'minisearch';
  /** Applies all changes or none. */
  apply(changes: Changes): void;
  /** Runs `use` on one consistent state. */
  snapshot<T>(use: () => T): T;
  /**
   * The same index reduced to the known records and the few added since they were noted, without the thousands of records
   * that a branch may add. The whole index if none were noted.
   */
  known(): MemoryIndex;
  /** Stores counts that every process would otherwise have to compute before its first question. */
  settle(): void;
  /** Marks the end of writing, so that later damage to the index's file is noticed when it is next opened. */
  seal(): void;
  close(): void;
}

/** The ids that a mark or replacement connects, including its own; empty for a record that changes no other. */
export function mentionsOf({ id, mark, supersedes }: Card): string[] {
  if (mark === undefined && supersedes.length === 0) return [];
  return [...new Set([id, ...(mark?.targets ?? []), ...(mark?.by === undefined ? [] : [mark.by]), ...supersedes])];
}

/**
 * The statements that affect the state of these ids: those that mention one of them, those that mention the ids that
 * these mention, and so on. The effects of marks and replacements never reach further, so folding these gives the same
 * states as folding all.
 */
export function connected(
  about: Iterable<string>,
  mentioning: (id: string) => Iterable<IndexedDocument>,
): IndexedDocument[] {
  const ids = new Set(about);
  const found = new Map<number, IndexedDocument>();
  // Iterating a Set also visits values that are added on the way.
  for (const id of ids) {
    for (const document of mentioning(id)) {
      if (found.has(document.row)) continue;
      found.set(document.row, document);
      for (const other of mentionsOf(document.card)) ids.add(other);
    }
  }
  return [...found.values()];
}
