// What `git mem hub` runs: a bundle of its own, which no other command loads.

import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { GitMemError, messageOf } from '../../errors.ts';
import { type HubConfig, readHubConfig } from '../../hub/config.ts';
import type { KnownForge } from '../../hub/forge/forge.ts';
import { openHub } from '../../hub/open.ts';
import type { Hub } from '../../hub/port.ts';
import type { AuditFilter, AuditLine, HubStatus, SyncedRepository, TokenScope } from '../../hub/port-operation.ts';
import { confirmRights, type RightsReport } from '../../hub/rights/rounds.ts';
import type { Check } from '../../setup/check.ts';
import type { Environment } from '../../user-folders.ts';
import { examineHub } from './doctor.ts';
import { type Log, openLog } from './log.ts';
import { knownForges, startHub } from './server.ts';
import { readServerSettings } from './settings.ts';

/** What these commands use instead of globals. */
interface Surroundings {
  cwd: string;
  env: Environment;
  stderr: Writable;
  now: () => Date;
}

interface Options {
  config: string;
  database?: string;
}

export async function serveHub(
  { cwd, env, stderr, now }: Surroundings,
  { port, ...options }: Options & { port?: number },
): Promise<{ url: string; close(): Promise<void>; ended: Promise<void> }> {
  const configPath = resolve(cwd, options.config);
  const config = configOf(configPath, options, env);
  const settings = readServerSettings(config.server);
  const log = openLog(stderr, now);
  const hub = await openHub({ config, env, forges: requestForges(config, env) });
  const ending = new AbortController();
  const server = await startHub({
    hub,
    settings: { ...settings, ...(port !== undefined && { port }) },
    rights: () => readHubConfig(configPath, env),
    auditDays: config.audit.days,
    configPath,
    env,
    now,
    log,
  }).catch(async (error: unknown) => {
    await hub.close();
    throw error;
  });
  // PGlite is in one process: nobody else can sync.
  const working =
    hub.engine === 'pglite' ? hub.work(ending.signal, reports(log)).catch(failed(log)) : Promise.resolve();
  let done = () => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  return {
    url: server.url,
    ended,
    async close() {
      ending.abort();
      await server.close();
      await working;
      await hub.close();
      done();
    },
  };
}

/** Syncs repositories until it is closed: one of any number of workers. */
export async function workFor(
  { cwd, env, stderr, now }: Surroundings,
  options: Options,
): Promise<{ close(): void; ended: Promise<void> }> {
  const log = openLog(stderr, now);
  const config = configOf(resolve(cwd, options.config), options, env);
  const hub = await openHub({ config, env, forges: requestForges(config, env) });
  const ending = new AbortController();
  log.info('started', { engine: hub.engine });
  const ended = hub.work(ending.signal, reports(log)).finally(() => hub.close());
  return { ended, close: () => ending.abort() };
}

/** Syncs some repositories, or all, and ends. Throws bad-input for a name that the configuration does not have. */
export function syncOnce(
  surroundings: Surroundings,
  { names, onSynced, ...options }: Options & { names: string[]; onSynced: (synced: SyncedRepository) => void },
): Promise<void> {
  return withHub(surroundings, options, async (hub) => {
    for (const name of names) {
      if (await hub.requestSync(name)) continue;
      throw new GitMemError('bad-input', `The hub has no repository ${name.slice(0, 200)}.`, {
        hint: '`git mem hub status` lists them.',
      });
    }
    await hub.sync({ all: names.length === 0, onSynced });
  });
}

/** What is wrong with the hub. */
export function examine(surroundings: Surroundings, options: Options): Promise<Check[]> {
  return examineHub((use) => withHub(surroundings, options, use));
}

/** What happened to each repository, for operators. */
export function statusOf(surroundings: Surroundings, options: Options): Promise<HubStatus> {
  return withHub(surroundings, options, (hub) => hub.status());
}

/** Who searched and read what, newest first; beforehand removes what is older than the configuration keeps. */
export function auditOf(
  surroundings: Surroundings,
  { filter, ...options }: Options & { filter: AuditFilter },
): Promise<AuditLine[]> {
  return withHub(surroundings, options, async (hub, { audit: { days } }) => {
    await hub.retain(new Date(surroundings.now().getTime() - days * 86_400_000));
    return hub.audit(filter);
  });
}

/** Logs what changed and what went wrong; a look that found nothing new is no line. */
function reports(log: Log): NonNullable<Parameters<Hub['work']>[1]> {
  return {
    onSynced({ name, changed, problem }) {
      if (problem !== undefined) log.error('sync', { repository: name, problem });
      else if (changed) log.info('sync', { repository: name });
    },
    onOutage: (problem) => log.error('database', { problem }),
  };
}

function failed(log: Log): (error: unknown) => void {
  return (error) => log.error('worker', { problem: (error instanceof Error && error.stack) || messageOf(error) });
}

/** Makes a token of a service, whose secret is not stored. */
export function createToken(
  surroundings: Surroundings,
  { name, scopes, days, ...options }: Options & { name: string; scopes: TokenScope[]; days: number },
): Promise<{ id: string; secret: string; name: string; scopes: TokenScope[]; expires: string }> {
  return withHub(surroundings, options, async (hub) => {
    const principal = await hub.principal(`service:${name}`, name);
    const expires = new Date(surroundings.now().getTime() + days * 86_400_000);
    const { id, secret } = await hub.createToken({ principal, name, scopes, expires });
    await hub.note({ principal, action: 'token-created', subject: id });
    return { id, secret, name, scopes, expires: expires.toISOString() };
  });
}

/** Every token, without its secret. */
export function listTokens(surroundings: Surroundings, options: Options) {
  return withHub(surroundings, options, async (hub) => {
    return (await hub.tokens()).map(({ id, name, scopes, created, expires, usedAt }) => ({
      id,
      name,
      scopes,
      created: created.toISOString(),
      expires: expires.toISOString(),
      used: usedAt?.toISOString() ?? null,
    }));
  });
}

/** Ends a token; throws bad-input if there is none. */
export function revokeToken(surroundings: Surroundings, { id, ...options }: Options & { id: string }): Promise<void> {
  return withHub(surroundings, options, async (hub) => {
    if (!(await hub.revokeToken(id))) {
      throw new GitMemError('bad-input', `There is no token ${id.slice(0, 80)}.`, { hint: '`git mem hub token list`' });
    }
    await hub.note({ action: 'token-revoked', subject: id });
  });
}

/** One round of rights. */
export function confirmOnce(surroundings: Surroundings, options: Options): Promise<RightsReport> {
  const { env, now } = surroundings;
  return withHub(surroundings, options, async (hub, config) => {
    return confirmRights(hub, config, knownForges(readServerSettings(config.server), env), { now });
  });
}

async function withHub<T>(
  { cwd, env }: Surroundings,
  options: Options,
  use: (hub: Hub, config: HubConfig) => Promise<T>,
): Promise<T> {
  const config = configOf(resolve(cwd, options.config), options, env);
  const hub = await openHub({ config, env, forges: requestForges(config, env) });
  try {
    return await use(hub, config);
  } finally {
    await hub.close();
  }
}

/** The code hosts that say which pull requests are open; their tokens are needed for nothing else here. */
function requestForges(config: HubConfig, env: Environment): KnownForge[] {
  const isOn = config.pull_requests || config.repositories.some(({ pull_requests }) => pull_requests);
  return isOn ? knownForges(readServerSettings(config.server), env) : [];
}

/** The configuration, with the database of the command line if one is given. */
function configOf(path: string, { database }: Options, env: Environment): HubConfig {
  const config = readHubConfig(path, env);
  return database === undefined ? config : { ...config, database };
}
