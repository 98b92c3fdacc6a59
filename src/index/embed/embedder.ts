/** A model that turns texts into vectors. Optional: without one the store's own vectors are used. */
export interface Embedder {
  /** Provider and model; stored with the vectors. A different name means re-embedding. */
  name: string;
  /** Where texts are sent; undefined if the address in the settings is none. */
  place?: string;
  /** Vectors of length one, in the texts' order; throws GitMemError 'provider'. */
  embed(texts: string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Tests whether it would work without sending any memory; throws GitMemError 'provider'. */
  probe(signal: AbortSignal): Promise<void>;
}

export type Purpose = 'document' | 'query';

/** The same embedder behind a filter that every text passes first, so that no caller can forget to remove secrets. */
export function cleaning(embedder: Embedder, clean: (text: string) => Promise<string>): Embedder {
  return {
    ...embedder,
    embed: async (texts, purpose, signal) => embedder.embed(await Promise.all(texts.map(clean)), purpose, signal),
  };
}

/** Prefixes that some model families expect before a text, by its purpose, according to their model cards. */
const PREFIXES: [family: RegExp, words: Record<Purpose, string>][] = [
  [/nomic-embed-text/i, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-/i, { document: 'passage: ', query: 'query: ' }],
];

/** The text with the prefix that the model expects for a purpose. */
export function purposed(model: string, purpose: Purpose, text: string): string {
  const words = PREFIXES.find(([family]) => family.test(model))?.[1];
  return words === undefined ? text : words[purpose] + text;
}
