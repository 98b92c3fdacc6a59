// What `git mem hub` runs: a separate bundle that no other command loads.

import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { GitMemError, messageOf } from '../../errors.ts';
import { type Check, fail, ok, warn } from '../../setup/check.ts';
import type { Environment } from '../../user-folders.ts';
import { type HubConfig, readHubConfig } from '../config.ts';
import { type Hub, openHub } from '../open.ts';
import type { HubStatus } from '../operation.ts';
import { type Log, openLog, readServerSettings } from './serving.ts';

/** What these commands use instead of globals. */
interface Surroundings {
  cwd: string;
  env: Environment;
  stderr: Writable;
  now: () => Date;
}

interface Options {
  config: string;
}

async function opened({ cwd, env }: Surroundings, options: Options): Promise<{ config: HubConfig; hub: Hub }> {
  const config = readHubConfig(resolve(cwd, options.config), env);
  return { config, hub: await openHub({ config, env }) };
}

/** Opens the hub for one piece of work. */
export async function withHub<T>(
  surroundings: Surroundings,
  options: Options,
  use: (hub: Hub, config: HubConfig) => Promise<T>,
): Promise<T> {
  const { config, hub } = await opened(surroundings, options);
  try {
    return await use(hub, config);
  } finally {
    await hub.close();
  }
}

export async function serveHub(
  surroundings: Surroundings,
  { port, ...options }: Options & { port?: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const { cwd, env, stderr, now } = surroundings;
  const log = openLog(stderr, now);
  const rights = () => readHubConfig(resolve(cwd, options.config), env);
  const settings = readServerSettings(rights().server);
  const { config, hub } = await opened(surroundings, options);
  const ending = new AbortController();
  // The other commands do without the packages of a server.
  const { startHub } = await import('./server.ts');
  const server = await startHub({
    hub,
    settings: { ...settings, ...(port !== undefined && { port }) },
    rights,
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
  // PGlite runs in one process: no other can sync.
  const working = hub.engine === 'pglite' ? hub.work(ending.signal, reports(log)).catch(failed) : undefined;
  return {
    url: server.url,
    async close() {
      ending.abort();
      await server.close();
      await working;
      await hub.close();
    },
  };
}

/** Syncs repositories until closed; any number of workers may run. */
export async function workFor(
  surroundings: Surroundings,
  options: Options,
): Promise<{ close(): void; ended: Promise<void> }> {
  const log = openLog(surroundings.stderr, surroundings.now);
  const { hub } = await opened(surroundings, options);
  const ending = new AbortController();
  log.info('started', { engine: hub.engine });
  const ended = hub.work(ending.signal, reports(log)).finally(() => hub.close());
  return { ended, close: () => ending.abort() };
}

/** Logs changes and failures; checks that find nothing new aren't logged. */
function reports(log: Log): NonNullable<Parameters<Hub['work']>[1]> {
  return {
    onSynced({ name, changed, problem }) {
      if (problem !== undefined) log.error('sync', { repository: name, problem });
      else if (changed) log.info('sync', { repository: name });
    },
    onOutage: (problem) => log.error('database', { problem }),
  };
}

/** Maximum records that PGlite is meant to serve (docs/hub.md). */
const PGLITE_RECORDS = 20_000;

/** A repository that waits longer than this has no worker, in seconds: more than the default time between polls. */
const WAITING_SECONDS = 900;

/** Repositories named one by one; the rest are only counted. */
const NAMED = 5;

/** What is wrong with the hub. */
export async function examine(surroundings: Surroundings, options: Options): Promise<Check[]> {
  try {
    return await withHub(surroundings, options, async (hub) => {
      const status = await hub.status();
      const whole = [databaseCheck(hub, status), wallCheck(status), await meaningCheck(hub), syncCheck(status)];
      return [...whole, ...withheldChecks(status), ...repositoryChecks(status)];
    });
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    return [fail('database', error.message, error.hint ?? '')];
  }
}

function databaseCheck({ engine }: Hub, { records, databaseBytes }: HubStatus): Check {
  const size = `${records} records, ${Math.ceil(databaseBytes / 1e6)} MB`;
  if (engine === 'postgres') return ok('database', `PostgreSQL, ${size}.`);
  if (records <= PGLITE_RECORDS) return ok('database', `PGlite, ${size}.`);
  return warn('database', `PGlite, ${size}.`, 'This many records need PostgreSQL: database: postgres://… in hub.yaml');
}

function wallCheck({ hasWall }: HubStatus): Check {
  if (hasWall) return ok('rights', 'Each answer names its repositories, and the database checks the rights again.');
  return warn(
    'rights',
    'Each answer names its repositories; the database does not check the rights again: its role may not make roles.',
    'Once: ALTER ROLE … CREATEROLE, and restart; or let an administrator make the roles, as docs/hub.md says.',
  );
}

async function meaningCheck(hub: Hub): Promise<Check> {
  const vectors = await hub.vectors();
  if (vectors === undefined) return ok('meaning', 'Questions are answered by words: hub.yaml names no model (embed).');
  const { model, records, missing, problem, hint } = vectors;
  if (problem !== undefined) return warn('meaning', problem, hint ?? `The next syncs ask ${model} again.`);
  if (missing === 0) return ok('meaning', `${model}, with a vector of each record.`);
  return ok('meaning', `${model}; ${missing} of ${records} records have no vector yet, and are found by words.`);
}

function syncCheck({ repositories, waiting, oldestWaitSeconds }: HubStatus): Check {
  if (repositories.length === 0) return fail('sync', 'The configuration names no repositories.', 'See docs/hub.md.');
  const failed = repositories.filter(({ problem }) => problem !== undefined).length;
  const isLate = oldestWaitSeconds >= WAITING_SECONDS;
  const hint = isLate ? '`git mem hub worker` runs until it is stopped; more of them share the work.' : '';
  const queue = `${waiting} repositories wait, the longest for ${oldestWaitSeconds} s.`;
  if (failed > 0) {
    const message = `${failed} of ${repositories.length} repositories cannot be synced.`;
    return fail('sync', waiting === 0 ? message : `${message} ${queue}`, hint);
  }
  if (waiting === 0) return ok('sync', `Each of ${repositories.length} repositories was checked when it was due.`);
  return isLate ? warn('sync', queue, hint) : ok('sync', queue);
}

/** Names redactions that reach another repository, whose people did not ask for them. */
function withheldChecks({ repositories }: HubStatus): Check[] {
  return repositories
    .filter(({ withheldBy }) => withheldBy.length > 0)
    .slice(0, NAMED)
    .map(({ name, withheldBy }) => {
      const hint = 'If nobody meant that, undo the mark there, or take that repository out of hub.yaml.';
      const by = withheldBy.join(', ');
      return warn('redactions', `Records of ${name} are withheld: ${by} redacts the same files.`, hint);
    });
}

function repositoryChecks({ repositories }: HubStatus): Check[] {
  const failing = repositories.filter(({ problem }) => problem !== undefined);
  const named = failing.slice(0, NAMED).map(({ name, problem = '', failures }) => {
    const hint = `Failed ${failures} times in a row; the state before is served. \`git mem hub sync ${name}\` tries again.`;
    return fail(name, problem, hint);
  });
  const more = failing.length - named.length;
  if (more > 0) named.push(fail('others', `${more} more cannot be synced.`, '`git mem hub status` lists them.'));
  return named;
}
