import { json, type Loopback, openLoopback, type Reaction } from './loopback.ts';
import type { AtEnd } from './set-up.ts';

type Texts = { model: string; input: string[]; input_type?: string };

export type EmbeddingAnswer = Reaction<Texts>;

/** A server on loopback that speaks the OpenAI and Voyage embeddings protocol, until the test ends. */
export interface EmbeddingsApi extends Loopback<Texts> {
  base: string;
  /** All texts that came, in order. */
  texts(): string[];
  /** How it answers from now on. */
  answer: EmbeddingAnswer;
}

export async function startEmbeddingsApi(
  answer: EmbeddingAnswer = vectorsBy(toyVector),
  atEnd?: AtEnd,
): Promise<EmbeddingsApi> {
  const server = await openLoopback<Texts>([(response, call) => api.answer(response, call)], atEnd);
  const { url, calls } = server;
  const api = { ...server, base: `${url}/v1`, texts: () => calls.flatMap(({ body }) => body.input), answer };
  return api;
}

/** Answers with a vector for each text. */
export function vectorsBy(vectorOf: (text: string) => number[]): EmbeddingAnswer {
  return (response, call) => {
    const { body } = call;
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    // Order is the index's business, not the list's.
    const list = { object: 'list', data: data.reverse(), model: body.model, usage: { total_tokens: 1 } };
    json(200, list)(response, call);
  };
}

/** Words that mean the same share a dimension. */
const MEANINGS = [
  ['login', 'authentication', 'sign-in', 'token'],
  ['database', 'postgres', 'storage', 'persistence'],
  ['slow', 'latency', 'performance'],
];

/** A model of three ideas; the last dimension makes all texts a little alike, as real models do. */
export function toyVector(text: string): number[] {
  const words = text.toLowerCase().split(/[^\w-]+/);
  return [...MEANINGS.map((same) => words.filter((word) => same.includes(word)).length), 0.5];
}

/** The API's error object. */
export function embeddingError(status: number, message: string): EmbeddingAnswer {
  return json(status, { error: { message } });
}
