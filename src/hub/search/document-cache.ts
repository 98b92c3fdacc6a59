import type { Card } from '../../index/memory-index.ts';

/** The parts of a record that ranking needs, by its blob: the same in every repository that has it. */
export interface KnownDocument {
  card: Card;
  terms: string[];
  /** How its words are spelt. */
  spelling: Uint8Array;
}

/** Documents cached in memory. A database says first which of them a reader may see. */
export type DocumentCache = ReturnType<typeof documentCache>;

/** Most documents that are kept, at some kilobytes each. */
const MOST_CACHED = 4000;

export function documentCache() {
  const documents = new Map<string, KnownDocument>();
  return {
    get(oid: string): KnownDocument | undefined {
      const found = documents.get(oid);
      if (found === undefined) return undefined;
      // A map keeps the order of insertion: the one used longest ago is its first.
      documents.delete(oid);
      documents.set(oid, found);
      return found;
    },
    put(oid: string, document: KnownDocument): void {
      documents.set(oid, document);
      const [oldest] = documents.keys();
      if (documents.size > MOST_CACHED && oldest !== undefined) documents.delete(oldest);
    },
  };
}
