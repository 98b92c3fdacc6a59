import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it. */
export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    max_tokens: number;
    system: string;
    messages: { role: string; content: string }[];
    tools: { name: string; input_schema: Record<string, unknown> }[];
    tool_choice: Record<string, unknown>;
  };
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A server on loopback that speaks the Anthropic Messages API and answers by a script. */
export interface MessagesApi {
  url: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** Starts the server; the n-th request gets the n-th answer, later ones a 400. */
export async function startMessagesApi(script: Answer[]): Promise<MessagesApi> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      const answer = script[requests.push(request) - 1];
      (answer ?? apiError(400, 'invalid_request_error', 'The script has no answer left.'))(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The model calls the tool it was told to call. */
export function toolCall(input: unknown, stopReason = 'tool_use', usage: Record<string, number> = {}): Answer {
  return (response, request) => {
    const name = request.body.tools[0]?.name;
    send(response, 200, message([{ type: 'tool_use', id: 'toolu_01', name, input }], stopReason, usage));
  };
}

/** The model writes text instead. */
export function prose(text: string, stopReason = 'end_turn'): Answer {
  return (response) => send(response, 200, message([{ type: 'text', text }], stopReason));
}

/** The API's error object. */
export function apiError(status: number, type: string, text: string, headers: Record<string, string> = {}): Answer {
  return (response) => send(response, status, { type: 'error', error: { type, message: text } }, headers);
}

/** No answer ever comes. */
export const silence: Answer = () => {};

/** Headers and half a body come, and then nothing. */
export const halfAnswer: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":"msg_01","type":"message","content":[');
};

function message(content: unknown[], stopReason: string, usage: Record<string, number> = {}) {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 1200, output_tokens: 300, ...usage },
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_01', ...headers });
  response.end(JSON.stringify(body));
}
