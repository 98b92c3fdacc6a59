import { type ChildProcess, spawn } from 'node:child_process';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { Acted, Action, Failure } from '../../src/surfaces/viewer/protocol.ts';
import type { Environment } from '../../src/user-folders.ts';
import { PROGRAM } from './program.ts';

/** A viewer's answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request as nobody's browser would make it. */
export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A running viewer, and a page of it. */
export interface ViewerClient {
  url: string;
  port: number;
  /** The cookie that opening the address gave. */
  cookie: string;
  /** A question of the page; fails the test where the answer is no success. */
  ask<T>(path: string): Promise<T>;
  /** What is amiss with a question. */
  refused(path: string): Promise<{ status: number } & Failure['error']>;
  post(path: string, body: unknown): Promise<Answer>;
  act(action: Action): Promise<Acted[]>;
  raw(path: string, request?: RawRequest): Promise<Answer>;
}

/** The same of a viewer in a process of its own. */
export interface ViewerProgram extends ViewerClient {
  child: ChildProcess;
}

/** Starts the real program in a repository and opens its address; `onStart` gets the process before anything can fail. */
export async function openViewer(
  { root, env }: { root: string; env: Environment },
  onStart: (child: ChildProcess) => void,
  args: string[] = [],
): Promise<ViewerProgram> {
  const child = spawn(process.execPath, [PROGRAM, 'ui', '--no-open', '--json', '--keep', ...args], { cwd: root, env });
  onStart(child);
  return { ...(await connectViewer(await announced(child))), child };
}

/** Opens the address of a running viewer, which gives the cookie of a page. */
export async function connectViewer({ url, port }: { url: string; port: number }): Promise<ViewerClient> {
  const raw = (path: string, options: RawRequest = {}) => send(port, path, options);
  const [cookie = ''] = (await raw(new URL(url).pathname + new URL(url).search)).headers['set-cookie'] ?? [];
  const own = { cookie: cookie.split(';')[0] ?? '' };
  const get = (path: string) => raw(`/api/${path}`, { headers: own });
  const post = (path: string, body: unknown) => {
    const headers = { ...own, origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
    return raw(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  return {
    url,
    port,
    cookie: own.cookie,
    raw,
    post,
    ask: async (path) => successOf(await get(path)),
    async refused(path) {
      const { status, text } = await get(path);
      return { status, ...(JSON.parse(text) as Failure).error };
    },
    act: async (action) => successOf(await post('act', action)),
  };
}

/** Sends one request to a port of this machine. */
export function send(port: number, path: string, { method = 'GET', headers, body }: RawRequest = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function successOf<T>({ status, text }: Answer): T {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return JSON.parse(text) as T;
}

function announced(child: ChildProcess): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    let [output, complaint] = ['', ''];
    child.stderr?.on('data', (chunk) => (complaint += chunk));
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.trimEnd().endsWith('}')) resolve(JSON.parse(output));
    });
    child.on('close', (code) => reject(new Error(`The viewer ended with ${code}: ${complaint}`)));
  });
}
