import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { bodyWithin } from '../body-within.ts';

interface ApiClientOptions {
  /** For messages: `GitHub`. */
  name: string;
  api: string;
  headers: Record<string, string>;
}

/** A host that is silent for this long is down; the next round asks again. */
const TIMEOUT_MS = 30_000;
/** Longest pause that a host may ask for, in milliseconds: beyond it a round goes on with other repositories. */
const PATIENCE_MS = 60_000;

/** Largest response that is read, in bytes: ten times a page of a hundred people. */
const LONGEST = 4_000_000;

/** Maximum pages of one list: ten thousand people. */
const MOST_PAGES = 100;

const NEXT_ROUND = 'The next round asks again.';

/** Not found, gone or forbidden by law; Gitea says 405 for the teams of a person's repository. */
const NOTHING = [404, 405, 410, 451];

/** Maximum redirects: a repository may have been renamed or moved more than once. */
const MOST_REDIRECTS = 3;

/** A client that follows pages and redirects on the same host, and waits briefly if the host asks it to. */
export function openApiClient({ name, api, headers }: ApiClientOptions) {
  const base = new URL(api.endsWith('/') ? api : `${api}/`);

  async function ask(address: URL, signal: AbortSignal | undefined): Promise<Response | undefined> {
    let at = address;
    let hasWaited = false;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; ) {
      const response = await send(at, signal);
      const { status } = response;
      if (status === 200) return response;
      if (NOTHING.includes(status)) return undefined;
      const pauseMs = pauseOf(response, Date.now());
      if (status >= 300 && status < 400) {
        redirects++;
        at = sameHost(new URL(response.headers.get('location') ?? '', at));
      } else if (pauseMs !== undefined && !hasWaited && pauseMs <= PATIENCE_MS) {
        hasWaited = true;
        await wait(pauseMs, undefined, signal ? { signal } : {});
      } else throw refusedBy(name, status, pauseMs);
    }
    throw new GitMemError('provider', `${name} redirects in circles.`);
  }

  async function send(address: URL, signal: AbortSignal | undefined): Promise<Response> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(address, {
      headers: { accept: 'application/json', ...headers },
      // The token must not reach another host.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).catch(unreached);
  }

  function unreached(error: unknown): never {
    throw new GitMemError('provider', `${name} was not reached: ${messageOf(error)}.`);
  }

  function sameHost(address: URL): URL {
    if (address.origin === base.origin) return address;
    throw new GitMemError('provider', `${name} points to ${address.origin}, which gets no token.`);
  }

  async function read(response: Response): Promise<unknown> {
    const body = await bodyWithin(response.body, LONGEST).catch(unreached);
    if (body === undefined) throw new GitMemError('provider', `${name} sent too long a response.`);
    const value = jsonIn(body.toString('utf8'));
    if (value === undefined) throw new GitMemError('provider', `${name} sent no JSON: is its address right?`);
    return value;
  }

  return {
    /** A response as JSON; undefined if there is nothing at this path. Throws GitMemError for everything else. */
    async get(path: string, signal?: AbortSignal): Promise<unknown> {
      const response = await ask(new URL(path, base), signal);
      return response && read(response);
    },
    /** The entries of all pages of a list; undefined if there is no such list. */
    async all(path: string, signal?: AbortSignal): Promise<unknown[] | undefined> {
      const entries: unknown[] = [];
      let next: URL | undefined = new URL(path, base);
      for (let page = 0; next !== undefined; page++) {
        if (page === MOST_PAGES)
          throw new GitMemError('provider', `${name} has more than ${MOST_PAGES} pages of a list.`);
        const response = await ask(next, signal);
        // Half a list would take rights away from those on the missing pages.
        if (response === undefined && page > 0) {
          throw new GitMemError('provider', `${name} broke off a list midway.`, { hint: NEXT_ROUND });
        }
        if (response === undefined) return undefined;
        const found = await read(response);
        if (!Array.isArray(found)) throw new GitMemError('provider', `${name} did not send a list.`);
        entries.push(...found);
        const link = nextPage(response.headers.get('link'));
        next = link === undefined ? undefined : sameHost(new URL(link, next));
      }
      return entries;
    },
  };
}

function refusedBy(name: string, status: number, pauseMs: number | undefined): GitMemError {
  const isKey = pauseMs === undefined && (status === 401 || status === 403);
  const seconds = Math.ceil((pauseMs ?? 0) / 1000);
  const said = pauseMs === undefined ? `answered ${status}` : `allows no more requests for ${seconds} seconds`;
  const hint = isKey ? 'Its token must be able to read the members of every repository.' : NEXT_ROUND;
  return new GitMemError('provider', `${name} ${said}.`, { hint });
}

/** The address of the next page (https://www.rfc-editor.org/rfc/rfc8288), which all three hosts send. */
function nextPage(header: string | null): string | undefined {
  for (const link of header?.split(/,\s*(?=<)/) ?? []) {
    const [, address, parameters = ''] = /^<([^>]*)>(.*)$/.exec(link) ?? [];
    if (/;\s*rel="?next"?(?:;|\s|$)/.test(parameters)) return address;
  }
  return undefined;
}

/** How long a host asks to wait, in milliseconds; undefined if the response does not ask. */
function pauseOf({ status, headers }: Response, now: number): number | undefined {
  if (status !== 429 && status !== 403 && status !== 503) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (after >= 0) return after * 1000;
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  if (left === '0' && reset > 0) return Math.max(0, reset * 1000 - now);
  return status === 429 ? 60_000 : undefined;
}

/** Validates entries of a host's response; throws provider for an unknown shape, since rights are not guessed from a part. */
export function entriesOf<T>(name: string, schema: z.ZodMiniType<T[]>, given: unknown[]): T[] {
  const result = z.safeParse(schema, given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new GitMemError('provider', `${name} answered in an unknown shape: ${issue?.path.slice(1).join('.') ?? ''}.`);
}

/** Validates one entry; undefined if there is none. */
export function entryOf<T>(name: string, schema: z.ZodMiniType<T>, given: unknown): T | undefined {
  return given === undefined ? undefined : entriesOf(name, z.array(schema), [given])[0];
}

/** Distinct login names of people, in lower case. */
export function loginsOf<K extends string>(people: Record<K, string>[], key: K): string[] {
  return [...new Set(people.map((one) => one[key].toLowerCase()))];
}

/** A repository's name as part of an address; throws bad-config unless it is OWNER/NAME. */
export function pathOf(name: string): string {
  const parts = name.split('/');
  if (parts.length === 2 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return name;
  throw new GitMemError('bad-config', `"${name}" is not the name of a repository on the host.`, {
    hint: 'Such as acme/platform.',
  });
}
