/** A model that turns texts into vectors, wherever it runs. Optional: without one the store's own vectors serve. */
export interface Embedder {
  /** Provider and model; stored with the vectors, another name means re-embedding. */
  name: string;
  /** Where texts are sent; undefined for a model that runs in this process. */
  place?: string;
  /** Vectors of length one, in the texts' order; throws GitMemError 'provider'. */
  embed(texts: string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Tries whether it would work, without a word of anybody's memory; throws GitMemError 'provider'. */
  probe(signal: AbortSignal): Promise<void>;
}

export type Purpose = 'document' | 'query';

/** The same embedder, behind a filter that every text passes first: no caller can forget to take secrets out. */
export function cleaning(embedder: Embedder, clean: (text: string) => Promise<string>): Embedder {
  return {
    ...embedder,
    embed: async (texts, purpose, signal) => embedder.embed(await Promise.all(texts.map(clean)), purpose, signal),
  };
}

/** Some model families are trained to be told what a text is for; their cards ask for these words before it. */
const PREFIXES: [family: RegExp, words: Record<Purpose, string>][] = [
  [/nomic-embed-text/i, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-/i, { document: 'passage: ', query: 'query: ' }],
];

/** The text as the model wants it for a purpose. */
export function purposed(model: string, purpose: Purpose, text: string): string {
  const words = PREFIXES.find(([family]) => family.test(model))?.[1];
  return words === undefined ? text : words[purpose] + text;
}
