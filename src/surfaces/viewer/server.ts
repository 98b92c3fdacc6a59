import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GitMemError, isSystemError, messageOf } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { webFolder } from '../../templates.ts';
import { createAudience, MOST_PAGES } from './audience.ts';
import { ASSETS, createGuard, type Refusal, SECURITY_HEADERS } from './guard.ts';
import type { Failure } from './protocol.ts';
import type { Opening } from './served.ts';

export interface ViewerOptions {
  /** 0 for any free one. */
  port: number;
  /** Whether it stays open without a page. */
  keep: boolean;
  /** How long it waits after the last page was closed, and for the first one, before it ends, in milliseconds. */
  aloneMs?: { after: number; before: number };
  now: () => Date;
  onError: (error: unknown) => void;
}

export interface Viewer {
  /** The address to print, with the token. */
  url: string;
  port: number;
  /** Returns an address that opens one page, once. */
  ticket(): string;
  /** Settles when the server has ended, on its own or by `close`. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** A page that reloads is gone for a moment; a browser may be opened by hand. */
const ALONE_MS = { after: 60_000, before: 600_000 };

/** A page that just opened is drawn before any other work. */
const WARM_MS = 300;

/** Largest request, in bytes: an edited record has 1 MB at most, and JSON escapes make it longer. */
const LONGEST_BODY = 2_000_000;

/**
 * Serves the viewer on the loopback interface; throws busy if the port is taken. Its functions share one lifetime: each
 * may end the server, or be ended with it.
 */
export async function startViewer(open: Opening, options: ViewerOptions): Promise<Viewer> {
  const { aloneMs = ALONE_MS } = options;
  const server = createServer();
  const port = await listen(server, options.port);
  const guard = createGuard(port);
  let alone: NodeJS.Timeout | undefined;
  const waitAlone = (ms: number) => {
    clearTimeout(alone);
    if (!options.keep) alone = setTimeout(() => void close(), ms);
  };
  let isWarm = false;
  const onJoin = () => {
    clearTimeout(alone);
    if (!isWarm) setTimeout(warm, WARM_MS).unref();
    isWarm = true;
  };
  const audience = createAudience({ onJoin, onEmpty: () => waitAlone(aloneMs.after) });
  const served = await open({ onChange: audience.send, onError: options.onError });
  const ended = new Promise<void>((resolve) => server.once('close', resolve));

  /** Asks a first question, so that nobody has to wait for loading. */
  function warm(): void {
    if (closing) return;
    const query = new URLSearchParams({ q: 'first question', limit: '1' });
    served.answer({ path: 'search', query, body: undefined }, options.now()).catch(() => {
      // The next request gets the error.
    });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const url = addressOf(request);
    if (url === undefined)
      return fail(response, 400, { code: 'refused', message: 'There is no page at this address.', hint: null });
    const refusal = guard.refuse(request, url);
    if (refusal) {
      if (isNavigation(request)) return sendClosedDoor(response, refusal);
      return fail(response, refusal.status, { code: 'refused', message: refusal.message, hint: null });
    }
    const cookie = guard.cookieFor(url);
    if (cookie) response.setHeader('set-cookie', cookie);
    if (cookie && isTyped(request)) return void response.writeHead(303, { location: '/' }).end();
    const asset = ASSETS[url.pathname];
    if (asset && request.method !== 'POST') return sendFile(response, asset);
    if (url.pathname === '/api/events') {
      if (!audience.join(response)) fail(response, 503, { ...CROWDED });
      return;
    }
    if (!url.pathname.startsWith('/api/')) return fail(response, 404, { ...NOWHERE });
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const asked = { path: url.pathname.slice('/api/'.length), query: url.searchParams, body };
    const result = await served.answer(asked, options.now());
    if (result === undefined) return fail(response, 404, { ...NOWHERE });
    sendJson(response, 200, result);
  }

  server.on('request', (request, response) => {
    respond(request, response).catch((error: unknown) => failWith(error, response, options.onError));
  });

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= (async () => {
      clearTimeout(alone);
      audience.close();
      server.close();
      server.closeAllConnections();
      await served.close();
    })();
    return closing;
  }

  waitAlone(aloneMs.before);
  const address = (token: string) => `http://127.0.0.1:${port}/?token=${token}`;
  return { url: address(guard.token), ticket: () => address(guard.ticket()), port, ended, close };
}

const NOWHERE: Failure['error'] = { code: 'not-found', message: 'There is nothing at this address.', hint: null };

const CROWDED: Failure['error'] = {
  code: 'busy',
  message: `${MOST_PAGES} pages of the viewer are open.`,
  hint: 'Close some of them.',
};

/**
 * A page that a person opened, whose address with the token should be forgotten: a redirect keeps it out of the
 * history. A page opened from another site gets no cookie with the second request, and its own script cleans the
 * address.
 */
function isTyped(request: IncomingMessage): boolean {
  return isNavigation(request) && request.headers['sec-fetch-site'] === 'none';
}

function isNavigation({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}

/** The page for a person whose request is rejected: nothing about the repository, only why, and how to get in. */
function sendClosedDoor(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>git-mem</title>
<h1>This page needs its key</h1>
<p>${message}</p>
<p>The viewer answers only the browser that was opened with the address in the terminal. Open the whole address that
<code>git mem ui</code> printed, with <code>?token=</code> and what follows, or run <code>git mem ui</code> again.</p>
</html>
`);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (!isSystemError(error, 'EADDRINUSE', 'EACCES')) return reject(error);
      const hint = 'Without --port a free one is taken.';
      reject(new GitMemError('busy', `Port ${port} cannot be used: ${messageOf(error)}.`, { hint }));
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Undefined for an invalid address, such as `//`. */
function addressOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, 'http://viewer') ? new URL(url, 'http://viewer') : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    // The rest is still read, or the connection would end before the answer arrives.
    if (length <= LONGEST_BODY) chunks.push(chunk);
  }
  if (length > LONGEST_BODY) throw new GitMemError('bad-input', 'That is too long for one record.');
  const body = jsonIn(Buffer.concat(chunks).toString('utf8'));
  if (body === undefined) throw new GitMemError('bad-input', 'The request is not JSON.');
  return body;
}

function sendFile(response: ServerResponse, { file, type }: { file: string; type: string }): void {
  response.setHeader('content-type', type);
  createReadStream(join(webFolder(), file))
    .on('error', () => response.destroy())
    .pipe(response);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function failWith(error: unknown, response: ServerResponse, onBug: (error: unknown) => void): void {
  if (response.headersSent) return void response.destroy();
  if (error instanceof GitMemError) {
    const { code, message, hint = null } = error;
    fail(response, code === 'no-such-record' ? 404 : 400, { code, message, hint });
    return;
  }
  onBug(error);
  const hint = 'The terminal that runs the viewer shows more.';
  fail(response, 500, { code: 'bug', message: messageOf(error), hint });
}

function fail(response: ServerResponse, status: number, error: Failure['error']): void {
  sendJson(response, status, { error } satisfies Failure);
}
