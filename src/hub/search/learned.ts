import { foldIn, LATENT, learnTerms } from '../../recall/index/embed/latent.ts';
import { toBytes, toScaledBytes } from '../../recall/index/embed/quantised.ts';
import type { Card } from '../../recall/index/memory-index.ts';

/**
 * What one repository's records teach about which words occur together. Such vectors do not compare between
 * repositories, so they serve questions about one alone.
 */
export interface Learned {
  terms: ReadonlyMap<string, Uint8Array>;
  vectors: [row: number, vector: Uint8Array][];
}

/** What was learned from repositories, as long as they do not change. */
interface LearnedCache {
  /** Learns from documents, which are read only if the version is new; undefined if they are too few or too many. */
  of(
    repository: number,
    version: number,
    documents: () => Promise<[row: number, terms: string[]][]>,
  ): Promise<Learned | undefined>;
}

/** Repositories that are remembered, at about two megabytes each. */
const MOST = 100;

/** A repository with more records is answered without: learning would delay all questions. */
const MOST_DOCUMENTS = 5000;

function learnedCache(): LearnedCache {
  const kept = new Map<number, { version: number; learned: Promise<Learned | undefined> }>();
  return {
    of(repository, version, documents) {
      const known = kept.get(repository);
      if (known?.version === version) return known.learned;
      const learned = documents().then(learn);
      kept.delete(repository);
      kept.set(repository, { version, learned });
      // A failure is reported to its caller, and not cached.
      learned.catch(() => kept.delete(repository));
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
      return learned;
    },
  };
}

export function isLearnable(documents: number): boolean {
  return documents >= LATENT.fewestDocuments && documents <= MOST_DOCUMENTS;
}

function learn(documents: [row: number, terms: string[]][]): Learned | undefined {
  const all = documents.map(([row, terms]) => ({
    row,
    tokens: terms.flatMap((stream) => (stream ? stream.split(' ') : [])),
  }));
  const terms = learnTerms(all.map(({ tokens }) => tokens));
  if (terms === undefined) return undefined;
  const vectors = all.map(({ row, tokens }): [number, Uint8Array] => {
    const vector = foldIn(tokens, (term) => terms.get(term)) ?? new Float32Array(LATENT.dimensions);
    return [row, toBytes(vector)];
  });
  return { terms: new Map([...terms].map(([term, vector]) => [term, toScaledBytes(vector)])), vectors };
}

/** The parts of a record that ranking needs, by its blob: the same in every repository that has it. */
export interface KnownDocument {
  card: Card;
  terms: string[];
}

/** Documents cached in memory. A database says first which of them a reader may see. */
export interface DocumentCache {
  get(oid: string): KnownDocument | undefined;
  put(oid: string, document: KnownDocument): void;
  learned: LearnedCache;
}

/** Most documents that are kept, at some kilobytes each. */
const MOST_CACHED = 20_000;

export function documentCache(): DocumentCache {
  const documents = new Map<string, KnownDocument>();
  return {
    learned: learnedCache(),
    get(oid) {
      const found = documents.get(oid);
      if (found === undefined) return undefined;
      // A map keeps the order of insertion: the one used longest ago is its first.
      documents.delete(oid);
      documents.set(oid, found);
      return found;
    },
    put(oid, document) {
      documents.set(oid, document);
      const [oldest] = documents.keys();
      if (documents.size > MOST_CACHED && oldest !== undefined) documents.delete(oldest);
    },
  };
}
