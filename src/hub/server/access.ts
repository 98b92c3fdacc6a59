import type { Context } from 'hono';
import type { TokenScope, Viewer } from '../port.ts';
import { confirmOpen } from '../rounds.ts';
import { Refusal } from './refusal.ts';
import { isLoopback, type Serving } from './serving.ts';
import type { Cookie, SignIn } from './sign-in.ts';

/** What the routes note about a request. */
export type Answering = { Variables: { asker: Asker | undefined; route: string; request: string } };

export type Access = ReturnType<typeof createAccess>;

/** Finds out who asks, and limits how often; each function throws Refusal. */
export function createAccess(serving: Serving, session: Cookie, signIn: SignIn | undefined) {
  const { settings, origin, now, peerOf } = serving;
  const askerOf = findAskers(serving, session, signIn);
  const take = createRates(settings.requests_per_minute, () => now().getTime());

  function limit(key: string): void {
    const seconds = take(key);
    if (seconds === undefined) return;
    const headers = { 'retry-after': String(seconds) };
    throw new Refusal(429, `Too many requests: wait ${seconds} seconds.`, { headers });
  }

  /** Who asks, if the request says so. */
  async function known(context: Context<Answering>): Promise<Asker | undefined> {
    const found = await askerOf(context.req.raw).catch((error: unknown) => {
      // Makes guessing tokens slow.
      if (error instanceof Refusal && error.status === 401) limit(`guess ${peerOf(context)}`);
      throw error;
    });
    const request = context.get('request');
    const asker = found && { ...found, viewer: async () => ({ ...(await found.viewer()), request }) };
    context.set('asker', asker);
    return asker;
  }

  /** Who asks, with the request counted against the rate; refuses a request without proof. */
  async function asked(context: Context<Answering>): Promise<Asker> {
    const asker = await known(context);
    limit(asker?.key ?? `nobody ${peerOf(context)}`);
    if (asker !== undefined) return asker;
    throw new Refusal(401, 'Sign in, or bring a token.', { code: 'sign-in', hint: new URL('/sign-in', origin).href });
  }

  /** Counts a request against the rate of its peer. */
  const limitPeer = (what: string, context: Context<Answering>) => limit(`${what} ${peerOf(context)}`);

  return { limitPeer, known, asked };
}

/** Maximum keys remembered, to bound memory; beyond it, those with a full allowance are forgotten. */
const MOST_KEYS = 100_000;

/**
 * A bucket for each token, person or address, which holds `perMinute` requests and refills evenly. Takes one request from a
 * key's allowance, and returns the seconds to wait if none is left. `now` is in milliseconds.
 */
function createRates(perMinute: number, now: () => number): (key: string) => number | undefined {
  const buckets = new Map<string, { left: number; at: number }>();
  const filled = ({ left, at }: { left: number; at: number }, time: number) => {
    return Math.min(perMinute, left + ((time - at) / 60_000) * perMinute);
  };
  return (key) => {
    const time = now();
    const left = filled(buckets.get(key) ?? { left: perMinute, at: time }, time);
    if (left < 1) return Math.ceil(((1 - left) * 60) / perMinute);
    if (!buckets.has(key) && buckets.size >= MOST_KEYS) {
      for (const [old, one] of buckets) if (filled(one, time) >= perMinute) buckets.delete(old);
    }
    buckets.set(key, { left: left - 1, at: time });
    return undefined;
  };
}

/**
 * Refuses requests that another site made a browser send, and those to another name of this server, since a page may point
 * its own host name here. A program with a token is not a browser.
 */
export function refuseForeign({ req }: Context, origin: URL): void {
  const host = req.header('host') ?? '';
  const isOurs = host === origin.host || (isLoopback(origin) && isLoopbackHost(host));
  if (!isOurs) throw new Refusal(403, 'This address is not the hub’s.', { hint: 'hub.yaml names it: server.url.' });
  const given = req.header('origin');
  const own = isLoopback(origin) ? `${origin.protocol}//${host}` : origin.origin;
  const isForeign = given !== undefined && given !== own;
  const site = req.header('sec-fetch-site');
  const isCrossPost = req.method !== 'GET' && site !== undefined && site !== 'same-origin';
  if (isForeign || isCrossPost) throw new Refusal(403, 'Requests of other sites are not answered.');
  const hasProof = req.header('authorization') !== undefined;
  // With only a session, every request that changes something must say where it comes from.
  if (req.method !== 'GET' && req.method !== 'HEAD' && !hasProof && req.header('cookie') && given === undefined) {
    throw new Refusal(403, 'Requests of other sites are not answered.');
  }
}

function isLoopbackHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`));
}

/** Who asks, as proven by a token or a session. */
export interface Asker {
  principal: number;
  scopes: readonly TokenScope[];
  /** For rate limits. */
  key: string;
  /** What may be read now; throws refused. */
  viewer(): Promise<Viewer>;
}

/** How long the rights of everybody count as confirmed for one person, in milliseconds, so that not every request writes. */
const OPEN_MS = 60_000;

/** Maximum people remembered for that; beyond it all are forgotten, and confirmed again. */
const MOST = 10_000;

/** Finds out who asks: undefined for a request without proof; throws Refusal for a wrong one. */
function findAskers(
  { hub, now }: Serving,
  session: Cookie,
  signIn: SignIn | undefined,
): (request: Request) => Promise<Asker | undefined> {
  const confirmed = new Map<number, number>();

  async function viewerOf(principal: number, scopes: readonly TokenScope[], isPerson: boolean): Promise<Viewer> {
    const time = now().getTime();
    if (isPerson && !((confirmed.get(principal) ?? 0) > time - OPEN_MS)) {
      if (confirmed.size >= MOST) confirmed.clear();
      confirmed.set(principal, time);
      await confirmOpen(hub, principal);
    }
    return hub.viewerOf(principal, scopes);
  }

  const asker = (principal: number, key: string, scopes: readonly TokenScope[], isPerson: boolean): Asker => {
    return { principal, key, scopes, viewer: () => viewerOf(principal, scopes, isPerson) };
  };
  const person = (principal: number) => asker(principal, `person ${principal}`, ['read'], true);

  async function ofBearer(secret: string): Promise<Asker> {
    const token = await hub.tokenOf(secret);
    if (token !== undefined) return asker(token.principal, `token ${token.id}`, token.scopes, false);
    const principal = await signIn?.ofAccessToken(secret);
    if (principal === undefined) throw new Refusal(401, 'The token is unknown, revoked or expired.');
    return person(principal);
  }

  return async (request) => {
    const header = request.headers.get('authorization');
    if (header !== null) {
      // At most half of the 16 KB that Node reads for all headers.
      const secret = /^bearer +([\x21-\x7e]{1,8192})$/i.exec(header.trim())?.[1];
      if (secret === undefined) throw new Refusal(401, 'Only bearer tokens are known.');
      return ofBearer(secret);
    }
    const secret = session.read(request);
    const principal = secret === undefined ? undefined : await hub.sessionOf(secret);
    return principal === undefined ? undefined : person(principal);
  };
}

/** Throws if the caller lacks a scope. */
export function requireScope({ scopes }: Asker, scope: TokenScope): void {
  if (scopes.includes(scope)) return;
  throw new Refusal(403, `This token lacks the scope "${scope}".`, {
    hint: `It has ${scopes.join(', ') || 'none'}. A token is made by \`git mem hub token create\`.`,
  });
}

/** When to ask again if the hub has more questions than it can answer, in seconds. */
const AGAIN_SECONDS = 2;

/** A queue for `atOnce` questions at a time; one that waits for `patienceMs` milliseconds is refused. */
export function openQueue({ atOnce, patienceMs }: { atOnce: number; patienceMs: number }) {
  /** More than these would time out anyway. */
  const most = atOnce * 8;
  const waiting: (() => void)[] = [];
  let running = 0;
  const refusal = () =>
    new Refusal(503, 'The hub has more questions than it can answer now.', {
      code: 'busy',
      headers: { 'retry-after': String(AGAIN_SECONDS) },
    });

  async function place(): Promise<void> {
    if (running < atOnce) return void running++;
    if (waiting.length >= most) throw refusal();
    await new Promise<void>((start, refuse) => {
      const begin = () => {
        clearTimeout(timer);
        start();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        refuse(refusal());
      }, patienceMs);
      waiting.push(begin);
    });
  }

  /** Runs `work`; throws Refusal if too many wait, or this one waited too long. */
  return async <T>(work: () => Promise<T>): Promise<T> => {
    await place();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
