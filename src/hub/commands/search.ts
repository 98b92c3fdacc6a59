import * as z from 'zod/mini';
import type { Config } from '../../config.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { parseQuery } from '../../search/parse-query.ts';
import type { Context } from '../../surfaces/cli/command.ts';
import type { FilterOptions } from '../../surfaces/cli/option-values.ts';
import { printJson, printMore, shown } from '../../surfaces/cli/print.ts';
import { printLines } from '../../surfaces/cli/record-table.ts';
import type { Environment } from '../../user-folders.ts';
import { bodyWithin } from '../body-within.ts';

/** Asks the hub and prints its answer. */
export async function answerFromHub(
  context: Context,
  query: string,
  { limit, json, ...options }: FilterOptions & { limit: number; json: boolean },
): Promise<void> {
  const { config } = context.project().config();
  const found = await searchHub(config.hub, context.env, parametersOf(query, limit, options));
  if (found.note) context.stderr.write(`${shown(found.note)}\n`);
  const hits = found.hits.map(({ repository: origin, ...hit }) => ({ ...hit, origin }));
  if (json) return printJson(context.stdout, { ...found, hits });
  if (found.hits.length === 0) return void context.stderr.write('Nothing found.\n');
  const lines = found.hits.map((hit) => {
    const { repository, created: at, type, title, snippet } = hit;
    return { id: `${repository}:${hit.id}`, at, type, title, snippet, notes: notesOn(hit) };
  });
  printLines(lines, context, new Set(parseQuery(query, context.now()).terms.keys()));
  printMore(context, found.hits.length, found.total);
}

/** The API's parameters. Paths belong to other repositories and start at their roots, so they are sent as typed. */
function parametersOf(query: string, limit: number, options: FilterOptions): URLSearchParams {
  const parameters = new URLSearchParams({ q: query, limit: String(limit) });
  for (const key of ['type', 'concept', 'file', 'kind'] as const) {
    for (const value of options[key] ?? []) parameters.append(key, value);
  }
  for (const key of ['since', 'until', 'trust', 'freshness'] as const) {
    const value = options[key];
    if (value !== undefined) parameters.set(key, value);
  }
  if (options.all) parameters.set('all', '1');
  return parameters;
}

function notesOn({ pinned, superseded_by, retired, disputed, freshness, trust }: HubHits['hits'][number]): string[] {
  return [
    pinned && 'pinned',
    superseded_by.length > 0 && 'superseded',
    retired && 'retired',
    disputed && 'disputed',
    freshness !== 'fresh' && freshness !== 'unknown' && freshness,
    trust !== 'reviewed' && trust,
  ].filter((note) => note !== false);
}

/** A hit as the hub's API returns it; fields that a newer hub adds are dropped. */
const hit = z.object({
  repository: z.string(),
  id: z.string(),
  kind: z.string(),
  type: z.string(),
  title: z.string(),
  created: z.string(),
  path: z.string(),
  trust: z.string(),
  freshness: z.string(),
  superseded_by: z.array(z.string()),
  retired: z.boolean(),
  pinned: z.boolean(),
  disputed: z.boolean(),
  snippet: z.string(),
  score: z.number(),
  confidence: z.number(),
});
const answer = z.object({
  query: z.string(),
  took_ms: z.number(),
  total: z.int(),
  note: z.optional(z.string()),
  hits: z.array(hit),
});
const failure = z.object({ error: z.object({ message: z.string(), hint: z.nullable(z.string()) }) });

type HubHits = z.infer<typeof answer>;

/** A search takes far less: a hub that is silent for this long is down, or not at this address. */
const TIMEOUT_MS = 30_000;

/** The environment variable with the user's token. */
const TOKEN = 'GIT_MEM_HUB_TOKEN';

/** Largest response that is read, in bytes: far more than a full page of hits; a wrong server may send anything. */
const LONGEST = 8_000_000;

/**
 * Asks the user's hub; `query` has the parameters of its API. Throws bad-config if no hub or token is set, too-large for an
 * endless answer, and provider if the hub does not answer as one.
 */
async function searchHub({ url }: Config['hub'], env: Environment, query: URLSearchParams): Promise<HubHits> {
  if (url === '') {
    throw new GitMemError('bad-config', 'No hub is set.', { hint: 'git mem config hub.url https://hub.example' });
  }
  const token = env[TOKEN]?.trim();
  if (!token) {
    throw new GitMemError('bad-config', `The environment variable ${TOKEN} holds no hub token.`, {
      hint: 'An operator of the hub makes one: git mem hub token create NAME.',
    });
  }
  const address = addressOf(url);
  let response: Response;
  let read: Buffer | undefined;
  try {
    response = await fetch(new URL(`api/v1/search?${query}`, address), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    read = await bodyWithin(response.body, LONGEST);
  } catch (error) {
    throw new GitMemError('provider', `The hub ${address.host} was not reached: ${messageOf(error)}.`);
  }
  if (read === undefined) throw new GitMemError('too-large', 'The answer of the hub is too long.');
  const body = jsonIn(read.toString('utf8'));
  const known = answer.safeParse(body);
  if (response.ok && known.success) return known.data;
  const refused = failure.safeParse(body);
  if (refused.success) {
    const { message, hint } = refused.data.error;
    throw new GitMemError('provider', `The hub: ${message}`, hint === null ? {} : { hint });
  }
  throw new GitMemError('provider', `${address.host} answered ${response.status}, which is not a hub's response.`, {
    hint: '`git mem config hub.url` is the address without a path of the API.',
  });
}

/** The hub's base address. Throws bad-config unless it is https or this machine, since a token is sent there. */
function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url.endsWith('/') ? url : `${url}/`) : undefined;
  const isPlain = address?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
  if (address !== undefined && (address.protocol === 'https:' || isPlain)) return address;
  throw new GitMemError('bad-config', `"${url}" is not an address of a hub.`, { hint: 'It begins with https://.' });
}
