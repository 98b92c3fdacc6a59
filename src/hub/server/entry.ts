// What `git mem hub` runs: a bundle of its own, which no other command loads.

import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { messageOf } from '../../errors.ts';
import type { Check } from '../../setup/check.ts';
import type { Environment } from '../../user-folders.ts';
import { type HubConfig, readHubConfig } from '../config.ts';
import { openHub } from '../open.ts';
import type { Hub } from '../port.ts';
import { confirmRights, type RightsReport } from '../rights/rounds.ts';
import { examineHub } from './doctor.ts';
import { knownForges, startHub } from './server.ts';
import { type Log, openLog } from './serving.ts';
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
  const hub = await opened(config, env);
  const ending = new AbortController();
  const server = await startHub({
    hub,
    settings: { ...settings, ...(port !== undefined && { port }) },
    rights: () => readHubConfig(configPath, env),
    auditDays: config.audit.days,
    env,
    now,
    log,
  }).catch(async (error: unknown) => {
    await hub.close();
    throw error;
  });
  const failed = (error: unknown) => {
    log.error('worker', { problem: (error instanceof Error && error.stack) || messageOf(error) });
  };
  // PGlite is in one process: nobody else can sync.
  const working = hub.engine === 'pglite' ? hub.work(ending.signal, reports(log)).catch(failed) : Promise.resolve();
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
  const hub = await opened(config, env);
  const ending = new AbortController();
  log.info('started', { engine: hub.engine });
  const ended = hub.work(ending.signal, reports(log)).finally(() => hub.close());
  return { ended, close: () => ending.abort() };
}

/** What is wrong with the hub. */
export function examine(surroundings: Surroundings, options: Options): Promise<Check[]> {
  return examineHub((use) => withHub(surroundings, options, use));
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

/** One round of rights. */
export function confirmOnce(surroundings: Surroundings, options: Options): Promise<RightsReport> {
  const { env, now } = surroundings;
  return withHub(surroundings, options, async (hub, config) => {
    return confirmRights(hub, config, knownForges(readServerSettings(config.server), env), { now });
  });
}

/** Opens the hub for one piece of work. */
export async function withHub<T>(
  { cwd, env }: Surroundings,
  options: Options,
  use: (hub: Hub, config: HubConfig) => Promise<T>,
): Promise<T> {
  const config = configOf(resolve(cwd, options.config), options, env);
  const hub = await opened(config, env);
  try {
    return await use(hub, config);
  } finally {
    await hub.close();
  }
}

function opened(config: HubConfig, env: Environment): Promise<Hub> {
  return openHub({ config, env });
}

/** The configuration, with the database of the command line if one is given. */
function configOf(path: string, { database }: Options, env: Environment): HubConfig {
  const config = readHubConfig(path, env);
  return database === undefined ? config : { ...config, database };
}
