import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { messageOf } from '../../errors.ts';
import { webFolder } from '../../templates.ts';
import { ASSETS } from '../viewer/assets.ts';
import { SECURITY_HEADERS } from '../viewer/guard.ts';
import { API_ROUTES } from './api.ts';
import { type Asker, findAskers, requireScope } from './asker.ts';
import { cookieNamed } from './cookies.ts';
import { closedDoor, signedOut } from './door.ts';
import { MCP_PATH, METADATA_PATHS, openMcp } from './mcp.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { openPages } from './pages.ts';
import { createRates } from './rates.ts';
import { json, Refusal, refusalOf, refused } from './refusal.ts';
import { isLoopback, type Serving } from './serving.ts';
import { CALLBACK, openSignIn } from './sign-in.ts';
import { LONGEST_WEBHOOK, openWebhooks } from './webhooks.ts';

/** What the server tells its routes. */
export interface AppOptions {
  metrics: Metrics;
  /** A signed policy for members; undefined if there is none. */
  policy: string | undefined;
  /** False while the server ends: it takes no new work. */
  isOpen(): boolean;
  /** The address of the other end of the connection. */
  peerOf(context: Context): string;
  /** Asks for a round of rights soon. */
  wantRights(): void;
}

type Answering = { Variables: { asker: Asker | undefined; route: string } };

/** Largest request that is not a webhook, in bytes: questions are short. */
const LONGEST = 1_000_000;

/** How long an answer of the database counts for probes, which anybody may send, in milliseconds. */
const READY_MS = 2000;

/** All routes. A request about a repository is authenticated and counted first. */
export function createApp(serving: Serving, options: AppOptions): Hono<Answering> {
  const { hub, settings, origin, now, log } = serving;
  const { metrics, policy, isOpen, peerOf } = options;
  const session = cookieNamed('git-mem', origin);
  const signIn = settings.sign_in && openSignIn(serving, settings.sign_in, session);
  const askers = findAskers(serving, session, signIn);
  const rates = createRates(settings.requests_per_minute, () => now().getTime());
  const pages = openPages(hub);
  const mcp = openMcp(serving, signIn?.issuer);
  const webhook = openWebhooks(serving, options.wantRights);
  const app = new Hono<Answering>();
  let readyAt = 0;

  app.use(async (context, next) => {
    const began = performance.now();
    context.set('route', 'other');
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
    // Over plain http only on this machine.
    if (origin.protocol === 'https:') context.res.headers.set('strict-transport-security', 'max-age=31536000');
    const seconds = (performance.now() - began) / 1000;
    const [route, { status }] = [context.get('route'), context.res];
    metrics.answered(route, status, seconds);
    const asker = context.get('asker')?.key;
    log.info('request', {
      method: context.req.method,
      route,
      status,
      ms: Math.round(seconds * 1000),
      ...(asker && { asker }),
    });
  });
  app.onError((error, context) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      log.error('bug', { problem: error.stack ?? messageOf(error) });
      return refused(new Refusal(503, 'The hub failed: its log says why.', { code: 'bug' }));
    }
    const isPage = context.get('route') === 'page';
    if (refusal.status !== 401 || isPage) return refused(refusal);
    const problem = context.req.header('authorization') === undefined ? undefined : refusal.message;
    return refused(
      new Refusal(401, refusal.message, { ...refusal, headers: { 'www-authenticate': mcp.challenge(problem) } }),
    );
  });
  app.notFound(() => refused(new Refusal(404, 'There is nothing at this address.')));

  // Probes: they come by the address of a container, and say nothing of what is inside.
  app.get('/health', named('health'), () => json(200, { ok: true }));
  app.get('/ready', named('ready'), async () => {
    if (!isOpen()) throw new Refusal(503, 'The hub is ending.');
    if (now().getTime() - readyAt >= READY_MS) {
      await hub.status().catch((error: unknown) => {
        log.error('ready', { problem: messageOf(error) });
        throw new Refusal(503, 'The database does not answer.', { code: 'busy' });
      });
      readyAt = now().getTime();
    }
    return json(200, { ok: true });
  });

  app.use(async (context, next) => {
    refuseForeign(context, origin);
    await next();
  });
  app.use(
    bodyLimit({ maxSize: LONGEST_WEBHOOK, onError: () => refused(new Refusal(413, 'The request is too long.')) }),
  );
  app.post('/webhooks/:forge', named('webhook'), async (context) => {
    return webhook(context.req.param('forge') ?? '', context.req.raw).catch((error: unknown) => {
      // Those with a signature are never refused: a host does not send them again.
      limit(`webhook ${peerOf(context)}`);
      throw error;
    });
  });
  app.use(bodyLimit({ maxSize: LONGEST, onError: () => refused(new Refusal(413, 'The request is too long.')) }));

  for (const path of METADATA_PATHS) app.get(path, named('metadata'), () => json(200, mcp.metadata()));
  app.get('/api/v1/openapi.json', named('openapi'), () => json(200, openApi(origin)));
  app.get('/signed-out', named('page'), () => signedOut());
  app.get('/sign-in', named('sign-in'), async (context) => {
    limit(`sign-in ${peerOf(context)}`);
    if (signIn === undefined) throw new Refusal(404, 'Nobody signs in here: hub.yaml names no issuer.');
    return signIn.begin();
  });
  app.get(CALLBACK, named('sign-in'), async (context) => {
    limit(`sign-in ${peerOf(context)}`);
    if (signIn === undefined) throw new Refusal(404, 'There is nothing at this address.');
    return signIn.complete(context.req.raw);
  });
  app.post('/sign-out', named('sign-out'), async (context) => {
    const secret = session.read(context.req.raw);
    if (secret !== undefined) await hub.endSession(secret);
    const to = (await signIn?.farewell().catch(() => undefined)) ?? '/signed-out';
    return json(200, { to }, { 'set-cookie': session.set('', 0) });
  });
  for (const [path, { file, type }] of Object.entries(ASSETS)) {
    app.get(path, named('page'), async (context) => {
      // The scripts and styles are those of every installation; only the first page asks who comes.
      if (path === '/' && !(await known(context))) {
        return signIn === undefined
          ? closedDoor()
          : new Response(null, { status: 302, headers: { location: '/sign-in' } });
      }
      return new Response(readFileSync(join(webFolder(), file)), { headers: { 'content-type': type } });
    });
  }

  // From here on it is known who asks.
  app.get('/metrics', named('metrics'), async (context) => {
    requireScope(await asked(context), 'metrics');
    const text = metrics.text(await hub.status(), now());
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  });
  app.get('/policy', named('policy'), async (context) => {
    await asked(context);
    if (policy === undefined) throw new Refusal(404, 'This hub has no policy.');
    return new Response(policy, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  });
  for (const { path, method, scope, run } of API_ROUTES) {
    app.on(method, `/api/v1/${path}`, named(`api ${path}`), async (context) => {
      const asker = await asked(context);
      requireScope(asker, scope);
      const { searchParams: query } = new URL(context.req.url);
      return json(200, await run({ hub, viewer: await asker.viewer(), query, now: now() }));
    });
  }
  app.all(MCP_PATH, named('mcp'), async (context) => {
    const asker = await asked(context);
    requireScope(asker, 'read');
    return mcp.answer(context.req.raw, asker);
  });
  app.get('/api/events', named('page events'), () => new Response(null, { status: 204 }));
  app.get('/api/*', named('page data'), async (context) => {
    const asker = await asked(context);
    requireScope(asker, 'read');
    const { pathname, searchParams } = new URL(context.req.url);
    const answer = await pages.answer(await asker.viewer(), pathname.slice('/api/'.length), searchParams, now());
    if (answer === undefined) throw new Refusal(404, 'There is nothing at this address.');
    return json(200, answer);
  });
  return app;

  function limit(key: string): void {
    const seconds = rates.take(key);
    if (seconds === undefined) return;
    throw new Refusal(429, `Too many requests: wait ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }

  async function known(context: Context<Answering>): Promise<Asker | undefined> {
    const asker = await askers.of(context.req.raw).catch((error: unknown) => {
      // Guessing tokens is slow.
      if (error instanceof Refusal && error.status === 401) limit(`guess ${peerOf(context)}`);
      throw error;
    });
    context.set('asker', asker);
    return asker;
  }

  async function asked(context: Context<Answering>): Promise<Asker> {
    const asker = await known(context);
    limit(asker?.key ?? `nobody ${peerOf(context)}`);
    if (asker !== undefined) return asker;
    throw new Refusal(401, 'Sign in, or bring a token.', { code: 'sign-in', hint: new URL('/sign-in', origin).href });
  }
}

/** The name of a route in metrics and in the log. */
function named(route: string) {
  return async (context: Context<Answering>, next: () => Promise<void>) => {
    context.set('route', route);
    await next();
  };
}

/**
 * Refuses requests that another site made a browser send, and those by another name of this server: a page may point its
 * own host name here. A program with a token is no browser.
 */
function refuseForeign({ req }: Context, origin: URL): void {
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
  // With a session alone, every request that changes something says where it comes from.
  if (req.method !== 'GET' && req.method !== 'HEAD' && !hasProof && req.header('cookie') && given === undefined) {
    throw new Refusal(403, 'Requests of other sites are not answered.');
  }
}

function isLoopbackHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`));
}
