import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { GitMemError, isSystemError, messageOf } from '../../errors.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { Environment } from '../../user-folders.ts';
import { type KnownForge, openForge } from '../forge/open.ts';
import type { Hub } from '../open.ts';
import type { Viewer } from '../port.ts';
import { confirmRights, type RightsConfig } from '../rounds.ts';
import { createApp } from './app.ts';
import { createMetrics } from './metrics.ts';
import { FORGE_API, isLoopback, type Log, type ServerSettings, secretIn } from './serving.ts';

interface HubServerOptions {
  hub: Hub;
  settings: ServerSettings;
  /** Reads the configuration again: its rights may have changed. */
  rights: () => RightsConfig;
  /** How long the audit log is kept, in days. */
  auditDays: number;
  env: Environment;
  now: () => Date;
  log: Log;
}

/** How long responses in progress may take while the server shuts down, in milliseconds: less than `docker stop` waits. */
const GRACE_MS = 7000;

/** Delay of the round of rights that a webhook asks for, in milliseconds, so that several at once share one. */
const SOON_MS = 2_000;

/** Starts serving a hub; throws busy if the port is taken. */
export async function startHub(options: HubServerOptions) {
  const { settings, env, now, log } = options;
  const hub = audited(options.hub);
  let handle: (request: Request, bindings: object) => Response | Promise<Response> = () =>
    new Response(null, { status: 503 });
  const server = createAdaptorServer({
    fetch: (request, bindings) => handle(request, bindings),
    overrideGlobalObjects: false,
  }) as Server;
  requireAddress(settings);
  const port = await listen(server, settings);
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  const forges = knownForges(settings, env);
  let isOpen = true;
  const ending = new AbortController();

  const rounds = oneAtATime(
    async () => {
      const { signal } = ending;
      const report = await confirmRights(hub, options.rights(), forges, { now, signal });
      for (const problem of report.problems) log.error('rights', { problem });
      log.info('rights', { confirmed: report.confirmed, failed: report.problems.length });
      await hub.retain(new Date(now().getTime() - options.auditDays * 86_400_000));
    },
    { signal: ending.signal, onError: (error) => log.error('rights', { problem: messageOf(error) }) },
  );
  const parts = { hub, settings, env, now, log, metrics: createMetrics() };
  const app = createApp({
    ...parts,
    origin: new URL(settings.url ?? url),
    isOpen: () => isOpen,
    peerOf: (context) =>
      peerOf(getConnInfo(context).remote.address ?? '', context.req.header('x-forwarded-for'), settings.proxies),
    wantRights: () => void (settings.rights_minutes > 0 && setTimeout(rounds.wake, SOON_MS).unref()),
  });
  handle = (request, bindings) => app.fetch(request, bindings);
  const firstRound = settings.rights_minutes > 0 ? rounds.wake() : Promise.resolve();
  const timer = settings.rights_minutes > 0 ? setInterval(rounds.wake, settings.rights_minutes * 60_000) : undefined;
  log.info('started', { url, engine: hub.engine });

  let closing: Promise<void> | undefined;
  return {
    /** The address on this machine. */
    url,
    /** Settles with the first round of rights. */
    firstRound,
    /** Finishes requests in progress, for some seconds at most, and ends. */
    close(): Promise<void> {
      closing ??= (async () => {
        isOpen = false;
        clearInterval(timer);
        ending.abort();
        const ended = new Promise<void>((done) => server.close(() => done()));
        server.closeIdleConnections();
        const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        await ended;
        clearTimeout(late);
        await rounds.idle();
        log.info('ended');
      })();
      return closing;
    },
  };
}

/** The clients of the configured code hosts that have a token. */
function knownForges({ forges }: ServerSettings, env: Environment): KnownForge[] {
  return forges.flatMap(({ kind, api = FORGE_API[kind], host, token_env, internal_for_all }) => {
    const token = secretIn(env, token_env);
    if (token === undefined) return [];
    if (api === undefined) throw new GitMemError('bad-config', `The ${kind} in hub.yaml has no "api".`);
    const usual = new URL(api).hostname.replace(/^api\.github\.com$/, 'github.com');
    return [{ forge: openForge(kind, { api, token, internalForAll: internal_for_all }), host: host ?? usual }];
  });
}

/** Throws bad-config unless people's address is on this machine or https: sessions must not travel in the clear. */
function requireAddress({ url, host }: ServerSettings): void {
  const isHere = isLoopback(new URL(url ?? `http://${host.includes(':') ? `[${host}]` : host}`));
  if (isHere || (url !== undefined && new URL(url).protocol === 'https:')) return;
  throw new GitMemError('bad-config', `server.url has to begin with https: server.host is ${host}.`, {
    hint: 'It is the address that people use, where a proxy of yours ends TLS.',
  });
}

function listen(server: Server, { port, host }: ServerSettings): Promise<number> {
  return new Promise((done, reject) => {
    server.once('error', (error) => {
      if (!isSystemError(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL')) return reject(error);
      const message = `${host}:${port} cannot be used: ${messageOf(error)}.`;
      reject(new GitMemError('busy', message, { hint: 'Give another --port.' }));
    });
    server.listen(port, host, () => done((server.address() as AddressInfo).port));
  });
}

/** The same hub, noting who searched and read what before the answer leaves. */
function audited(hub: Hub): Hub {
  const noted = async <Answer>(
    { principal, request }: Viewer,
    action: string,
    answering: Promise<Answer>,
    about: (answer: Answer) => [subject: string, places: { repository: string }[]],
  ): Promise<Answer> => {
    const start = performance.now();
    const answer = await answering;
    const [subject, places] = about(answer);
    const repositories = [...new Set(places.map(({ repository }) => repository))];
    const ms = performance.now() - start;
    if (subject !== '') await hub.note({ principal, request, action, subject, repositories, ms });
    return answer;
  };
  return {
    ...hub,
    search(viewer, question) {
      const subject = question.text || JSON.stringify(question.filter ?? {});
      return noted(viewer, 'search', hub.search(viewer, question), ({ hits }) => [subject, hits]);
    },
    feed: (viewer, filter, page) =>
      noted(viewer, 'list', hub.feed(viewer, filter, page), ({ items }) => [JSON.stringify(filter), items]),
    records: (viewer, repository, ids) =>
      noted(viewer, 'read', hub.records(viewer, repository, ids), (found) => [
        found.map(({ id }) => id).join(' '),
        found,
      ]),
  };
}

/**
 * The address that a request comes from: the connection's peer or, if that is a configured proxy, the last address in
 * X-Forwarded-For that is not one. Anybody can write the addresses before it.
 */
export function peerOf(remote: string, forwarded: string | undefined, proxies: readonly string[]): string {
  const trusted = new Set(proxies.map(plain));
  const way = [...(forwarded ?? '').split(','), remote].map(plain).filter(Boolean);
  return way.findLast((address) => !trusted.has(address)) ?? plain(remote);
}

/** Removes the IPv6 prefix from a mapped IPv4 address. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=[\d.]+$)/, '');
}
