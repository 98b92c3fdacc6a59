import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Context, Hono, type HonoRequest } from 'hono';
import { messageOf } from '../../errors.ts';
import { ASSETS, SECURITY_HEADERS } from '../../surfaces/viewer/guard.ts';
import { webFolder } from '../../templates.ts';
import { bodyWithin } from '../body-within.ts';
import type { Hub } from '../open.ts';
import { type Access, type Answering, createAccess, openQueue, refuseForeign, requireScope } from './access.ts';
import { ANSWERS, requestSync } from './api.ts';
import { MCP_PATH, type McpService, METADATA_PATHS, openMcp } from './mcp.ts';
import { answerPage } from './pages.ts';
import { json, nothing, Refusal, refusalOf, refused } from './refusal.ts';
import type { Log, Serving } from './serving.ts';
import { CALLBACK, type Cookie, cookieNamed, noSignInPage, openSignIn, type SignIn, signedOutPage } from './sign-in.ts';
import { LONGEST_WEBHOOK, openWebhooks } from './webhooks.ts';

/** Largest request that is not a webhook, in bytes: questions are short. */
const LONGEST = 1_000_000;

/** How long a question waits for others before it is refused, in milliseconds. */
const PATIENCE_MS = 500;

/** How long probes, which anybody may send, reuse the database's last answer, in milliseconds. */
const READY_MS = 2000;

type Routes = Hono<Answering>;

/** All routes. A request about a repository is authenticated and counted first. */
export function createApp(serving: Serving): Routes {
  const { settings, origin } = serving;
  const session = cookieNamed('git-mem', origin);
  const signIn = settings.sign_in && openSignIn(serving, settings.sign_in, session);
  const access = createAccess(serving, session, signIn);
  const mcp = openMcp(serving, signIn?.issuer);
  const app: Routes = new Hono();

  addLog(app, serving);
  app.onError((error, context) => answerTo(error, context, mcp, serving.log));
  app.notFound(() => refused(nothing()));
  // Probes, before the checks: they use a container's address, and reveal nothing of the contents.
  addProbes(app, serving);
  app.use(async (context, next) => {
    const { req } = context;
    requireReadable(req.url);
    refuseForeign(context, origin);
    await requireLength(req, req.path.startsWith('/webhooks/') ? LONGEST_WEBHOOK : LONGEST);
    await next();
  });
  addWebhooks(app, serving, access);
  for (const path of METADATA_PATHS) app.get(path, named('metadata'), () => json(200, mcp.metadata()));
  addSignIn(app, serving.hub, access, session, signIn);
  addAssets(app, access, signIn);
  // From here on, requests are authenticated.
  app.get('/metrics', named('metrics'), async (context) => {
    const { hub, metrics, now } = serving;
    requireScope(await access.asked(context), 'metrics');
    const text = metrics.text(await hub.status(), { now: now(), databaseMs: hub.databaseMs() });
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  });
  const queue = openQueue({ atOnce: 2 * availableParallelism(), patienceMs: PATIENCE_MS });
  addQuestions(app, serving, access, queue);
  app.all(MCP_PATH, named('mcp'), async (context) => {
    const asker = await access.asked(context);
    requireScope(asker, 'read');
    return queue(() => mcp.answer(context.req.raw, asker));
  });
  return app;
}

function addLog(app: Routes, { origin, log, metrics }: Serving): void {
  app.use(async (context, next) => {
    const began = performance.now();
    context.set('route', 'other');
    const given = context.req.header('x-request-id') ?? '';
    // A proxy's own id, if it sends one, so that the lines of both logs can be matched.
    const id = /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
    context.set('request', id);
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
    // Plain http is for this machine only. A year is the least that browsers' preload lists take.
    if (origin.protocol === 'https:') context.res.headers.set('strict-transport-security', 'max-age=31536000');
    context.res.headers.set('x-request-id', id);
    const seconds = (performance.now() - began) / 1000;
    const [route, { status }] = [context.get('route'), context.res];
    metrics.answered(route, status, seconds);
    const asker = context.get('asker')?.key;
    const about = { request: id, method: context.req.method, route, status, ms: Math.round(seconds * 1000) };
    log.info('request', { ...about, ...(asker && { asker }) });
  });
}

function answerTo(error: Error, context: Context<Answering>, mcp: McpService, log: Log): Response {
  const refusal = refusalOf(error);
  // Readers learn that it is busy, the log where and why.
  if (refusal?.status === 503) log.error('outage', { problem: messageOf(error) });
  if (refusal === undefined) {
    log.error('bug', { problem: error.stack ?? messageOf(error) });
    return refused(new Refusal(503, 'The hub failed: its log says why.', { code: 'bug' }));
  }
  const isPage = context.get('route') === 'page';
  if (refusal.status !== 401 || isPage) return refused(refusal);
  const problem = context.req.header('authorization') === undefined ? undefined : refusal.message;
  const headers = { 'www-authenticate': mcp.challenge(problem) };
  return refused(new Refusal(401, refusal.message, { ...refusal, headers }));
}

function addProbes(app: Routes, { hub, now, log, isOpen }: Serving): void {
  let readyAt = 0;
  app.get('/health', named('health'), () => json(200, { ok: true }));
  app.get('/ready', named('ready'), async () => {
    if (!isOpen()) throw new Refusal(503, 'The hub is shutting down.');
    if (now().getTime() - readyAt >= READY_MS) {
      await hub.status().catch((error: unknown) => {
        log.error('ready', { problem: messageOf(error) });
        throw new Refusal(503, 'The database does not answer.', { code: 'busy' });
      });
      readyAt = now().getTime();
    }
    return json(200, { ok: true });
  });
}

function addWebhooks(app: Routes, serving: Serving, access: Access): void {
  const webhook = openWebhooks(serving);
  app.post('/webhooks/:forge', named('webhook'), async (context) => {
    return webhook(context.req.param('forge') ?? '', context.req.raw).catch((error: unknown) => {
      // Valid ones are never limited: a host does not send them again.
      access.limitPeer('webhook', context);
      throw error;
    });
  });
}

function addSignIn(app: Routes, hub: Hub, access: Access, session: Cookie, signIn: SignIn | undefined): void {
  app.get('/signed-out', named('page'), () => signedOutPage());
  app.get('/sign-in', named('sign-in'), async (context) => {
    access.limitPeer('sign-in', context);
    if (signIn === undefined) throw new Refusal(404, 'Sign-in is not configured: hub.yaml names no issuer.');
    return signIn.begin();
  });
  app.get(CALLBACK, named('sign-in'), async (context) => {
    access.limitPeer('sign-in', context);
    if (signIn === undefined) throw nothing();
    return signIn.complete(context.req.raw);
  });
  app.post('/sign-out', named('sign-out'), async (context) => {
    const secret = session.read(context.req.raw);
    if (secret !== undefined) await hub.endSession(secret);
    const to = (await signIn?.farewell().catch(() => undefined)) ?? '/signed-out';
    return json(200, { to }, { 'set-cookie': session.set('', 0) });
  });
}

function addAssets(app: Routes, access: Access, signIn: SignIn | undefined): void {
  for (const [path, { file, type }] of Object.entries(ASSETS)) {
    app.get(path, named('page'), async (context) => {
      // Scripts and styles are the same in every installation; only the first page asks who comes.
      if (path === '/' && !(await access.known(context))) {
        return signIn === undefined ? noSignInPage() : context.redirect('/sign-in');
      }
      return new Response(readFileSync(join(webFolder(), file)), { headers: { 'content-type': type } });
    });
  }
}

function addQuestions(
  app: Routes,
  { hub, now }: Serving,
  { asked }: Access,
  queue: ReturnType<typeof openQueue>,
): void {
  const questions = Object.entries(ANSWERS).map(([path, run]) => ['GET', path, 'read', run] as const);
  for (const [method, path, scope, run] of [...questions, ['POST', 'sync', 'sync', requestSync] as const]) {
    app.on(method, `/api/v1/${path}`, named(`api ${path}`), async (context) => {
      const asker = await asked(context);
      requireScope(asker, scope);
      const { searchParams: query } = new URL(context.req.url);
      return json(200, await queue(async () => run({ hub, viewer: await asker.viewer(), query, now: now() })));
    });
  }
  app.get('/api/events', named('page events'), () => new Response(null, { status: 204 }));
  app.get('/api/*', named('page data'), async (context) => {
    const asker = await asked(context);
    requireScope(asker, 'read');
    const { pathname, searchParams } = new URL(context.req.url);
    const path = pathname.slice('/api/'.length);
    const answer = await queue(async () => answerPage(hub, await asker.viewer(), path, searchParams, now()));
    if (answer === undefined) throw nothing();
    return json(200, answer);
  });
}

/** Refuses an address that is not valid text, or that no database accepts. */
function requireReadable(address: string): void {
  const wrong = new Refusal(400, 'The address holds no readable text.', { code: 'bad-input' });
  const { pathname, searchParams } = new URL(address);
  try {
    if (decodeURIComponent(pathname).includes('\0')) throw wrong;
  } catch {
    throw wrong;
  }
  if ([...searchParams].flat().some((text) => text.includes('\0'))) throw wrong;
}

/** Refuses a longer request, by its stated length or by its chunks, which are put together. */
async function requireLength(req: HonoRequest, most: number): Promise<void> {
  const tooLong = new Refusal(413, 'The request is too long.');
  if (Number(req.header('content-length') ?? 0) > most) throw tooLong;
  const isChunked = req.header('transfer-encoding') !== undefined && !['GET', 'HEAD'].includes(req.method);
  if (!isChunked || req.raw.body === null) return;
  const body = await bodyWithin(req.raw.body, most);
  if (body === undefined) throw tooLong;
  req.raw = new Request(req.url, { method: req.method, headers: req.raw.headers, body });
}

/** The name of a route in metrics and in the log. */
function named(route: string) {
  return async (context: Context<Answering>, next: () => Promise<void>) => {
    context.set('route', route);
    await next();
  };
}
