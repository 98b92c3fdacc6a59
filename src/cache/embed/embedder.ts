/** A model that turns texts into vectors, wherever it runs. Optional: without one the store's own vectors serve. */
export interface Embedder {
  /** Provider and model; stored with the vectors, another name means embedding anew. */
  name: string;
  /** Vectors of length one, in the texts' order; throws GitMemError 'provider'. */
  embed(texts: string[], purpose: 'document' | 'query', signal?: AbortSignal): Promise<Float32Array[]>;
}

export interface EmbedSettings {
  /** `local` is the store's own vectors and needs no embedder. */
  provider: 'local' | 'openai' | 'voyage' | 'transformers';
  model: string;
  base_url: string;
  api_key_env: string;
}
