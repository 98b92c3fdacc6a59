import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a server saw it; `body` is its JSON. */
export interface SeenCall<Body = Record<string, unknown>> {
  path: string;
  headers: IncomingHttpHeaders;
  body: Body;
}

/** Answers one request. */
export type Reaction<Body = Record<string, unknown>> = (response: ServerResponse, call: SeenCall<Body>) => void;

/** A server on loopback that answers by a script, until the test ends. */
export interface Loopback<Body = Record<string, unknown>> {
  url: string;
  calls: SeenCall<Body>[];
  close(): void;
}

/** Starts the server; the n-th request gets the n-th reaction, later ones the last. */
export function startLoopback(...script: Reaction[]): Promise<Loopback> {
  return openLoopback(script);
}

/** The same for requests with a body of this type; `atEnd` gets what closes the server. */
export async function openLoopback<Body>(
  script: Reaction<Body>[],
  atEnd: (close: () => void) => void = onTestFinished,
): Promise<Loopback<Body>> {
  const calls: SeenCall<Body>[] = [];
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const call = { path: incoming.url ?? '', headers: incoming.headers, body: text === '' ? {} : JSON.parse(text) };
    script[Math.min(calls.push(call), script.length) - 1]?.(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  atEnd(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close };
}

/** A port on which nothing listens now, for a server that a program starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** JSON with this status. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reaction {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Half a JSON answer, whose connection is then closed, or stays open for ever. */
export function half(ending: 'closed' | 'open'): Reaction {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"id":"1","choices":[{"message":{"content":"');
    if (ending === 'closed') setImmediate(() => response.destroy());
  };
}

/** No answer ever comes. */
export const nothing: Reaction = () => {};

/** Another address is named. */
export function elsewhere(url: string): Reaction {
  return (response) => {
    response.writeHead(307, { location: url }).end();
  };
}

/** Something that is not the API answers, as a proxy's login page does. */
export function loginPage(status = 200): Reaction {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>Please log in.</body></html>');
  };
}

/** The connection breaks. */
export const hangUp: Reaction = (response) => void response.destroy();
