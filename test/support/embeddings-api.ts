import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the server saw it. */
export interface SeenEmbedding {
  path: string;
  authorization: string | undefined;
  body: { model: string; input: string[]; input_type?: string };
}

export type EmbeddingAnswer = (response: ServerResponse, request: SeenEmbedding) => void;

/** A server on loopback that speaks the OpenAI and Voyage embeddings protocol, until the test ends. */
export interface EmbeddingsApi {
  base: string;
  requests: SeenEmbedding[];
  /** All texts that came, in order. */
  texts(): string[];
  /** How it answers from now on. */
  answer: EmbeddingAnswer;
  close(): void;
}

export async function startEmbeddingsApi(answer: EmbeddingAnswer = vectorsBy(toyVector)): Promise<EmbeddingsApi> {
  const requests: SeenEmbedding[] = [];
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const { url = '', headers } = incoming;
    const request = { path: url, authorization: headers.authorization, body: JSON.parse(text) };
    requests.push(request);
    api.answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: EmbeddingsApi = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    texts: () => requests.flatMap(({ body }) => body.input),
    answer,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  onTestFinished(() => api.close());
  return api;
}

/** Answers with a vector for each text. */
export function vectorsBy(vectorOf: (text: string) => number[]): EmbeddingAnswer {
  return (response, { body }) => {
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    // Order is the index's business, not the list's.
    const list = { object: 'list', data: data.reverse(), model: body.model, usage: { total_tokens: 1 } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
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
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
}

/** No answer ever comes. */
export const silence: EmbeddingAnswer = () => {};

/** Something that is not the API answers. */
export const webPage: EmbeddingAnswer = (response) => void response.end('<html>Please log in.</html>');

/** The connection breaks. */
export const hangUp: EmbeddingAnswer = (response) => void response.destroy();
