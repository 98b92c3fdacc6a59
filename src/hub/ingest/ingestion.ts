import { setTimeout as sleep } from 'node:timers/promises';
import { GitMemError, messageOf } from '../../errors.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';
import type { Vectors } from '../vectors/vectors.ts';
import { tooLarge } from './mirror.ts';
import { type RepositoryState, syncRepository } from './sync-repository.ts';

/** How often an idle worker looks for work, in milliseconds; a webhook waits at most this long. */
const IDLE_MS = 1000;

/** Due repositories looked up at once: more than other workers claim at a time. */
const LOOK = 100;

/** Seconds until a failed repository is retried, doubled each time: one that stays broken costs one try an hour. */
const BACKOFF = { first: 10, longest: 3600 } as const;

/** For a sync that only its timeout ends. */
const NEVER = new AbortController().signal;

export type Ingestion = ReturnType<typeof openIngestion>;

/** Outcome of one repository's sync. */
export interface SyncedRepository {
  name: string;
  changed: boolean;
  /** Why it was not synced; the previous state is served. */
  problem?: string;
}

interface Reports {
  onSynced?: (synced: SyncedRepository) => void;
  onOutage?: (problem: string) => void;
}

/**
 * Keeps the database in step with the repositories. A due repository is a job, and its row the queue. It stays due until its
 * changes are committed, and a sync that finds nothing new writes none: a killed worker loses nothing and doubles nothing,
 * and its claim is free at once.
 */
export function openIngestion(
  database: Database,
  { config, env, vectors }: { config: HubConfig; env: Environment; vectors: Vectors },
) {
  const { query } = database;

  async function run(job: Job, ending: AbortSignal): Promise<SyncedRepository> {
    const { name, number, wanted } = job;
    // A request that came meanwhile has changed the time, and stays.
    const done = (seconds: string) =>
      `wanted_at = CASE WHEN wanted_at = $2::timestamptz THEN now() + ${seconds} * interval '1 second' ELSE wanted_at END`;
    const start = performance.now();
    const time = AbortSignal.timeout(config.limits.seconds * 1000);
    try {
      const changed = await syncRepository(database, job, { config, env, signal: AbortSignal.any([ending, time]) });
      // It stays due.
      if (changed === 'overtaken') return { name, changed: false };
      await vectors.fill(number);
      await query(
        `UPDATE repository SET ${done('$3')}, failures = 0, problem = NULL, synced_at = now(),
           sync_ms = coalesce($4, sync_ms) WHERE number = $1`,
        [number, wanted, config.poll_seconds, changed ? Math.round(performance.now() - start) : null],
      );
      return { name, changed };
    } catch (error) {
      if (ending.aborted) return { name, changed: false };
      // A database outage is not the repository's problem, so it stays due.
      if (error instanceof GitMemError && error.code === 'busy' && !time.aborted) throw error;
      // Any other failure concerns this repository alone, and must not stop the others.
      const { seconds } = config.limits;
      const problem = messageOf(time.aborted ? tooLarge(`a sync of it takes more than ${seconds} s`) : error);
      await query(
        `UPDATE repository SET ${done(`least(${BACKOFF.longest}, ${BACKOFF.first} * power(2, least(failures, 12)))`)},
           failures = failures + 1, problem = $3 WHERE number = $1`,
        [number, wanted, problem],
      );
      return { name, changed: false, problem };
    }
  }

  const together = (worker: (due: Set<number>) => Promise<void>, due = new Set<number>()) =>
    Promise.all(Array.from({ length: config.concurrency }, () => worker(due)));

  /** Syncs what is due, or only `names`, or with `all` every repository, and returns; reports each. */
  async function syncDue({
    all = false,
    names,
    onSynced = () => {},
  }: Pick<Reports, 'onSynced'> & { all?: boolean; names?: readonly string[] } = {}): Promise<void> {
    if (all) await query(`UPDATE repository SET ${DUE_NOW}`);
    await together(async (due) => {
      const next = () => claimDue(database, due, (job) => run(job, NEVER), names);
      for (let synced = await next(); synced; synced = await next()) onSynced(synced);
    });
  }

  /**
   * Syncs due repositories until the signal. Reports each, and an outage once when the database stops answering; continues
   * when it answers again.
   */
  async function work(signal: AbortSignal, { onSynced = () => {}, onOutage = () => {} }: Reports = {}): Promise<void> {
    let isAway = false;
    await together(async (due) => {
      while (!signal.aborted) {
        const synced = await claimDue(database, due, (job) => run(job, signal)).catch((error: unknown) => {
          if (!(error instanceof GitMemError)) throw error;
          if (!isAway) onOutage(messageOf(error));
          isAway = true;
          return 'outage' as const;
        });
        if (synced !== 'outage') isAway = false;
        if (synced !== undefined && synced !== 'outage') onSynced(synced);
        else await sleep(IDLE_MS, undefined, { signal }).catch(() => {}); // The signal ends the loop.
      }
    });
  }

  /** `takeOver` applies the configured list of repositories, and purges those no longer in it. */
  return { takeOver: () => takeOver(database, config), syncDue, work };
}

async function takeOver(database: Database, config: HubConfig): Promise<void> {
  const repositories = config.repositories.map(({ id, url, path, teams }) => ({
    name: id,
    url: url ?? `file://${path}`,
    teams,
  }));
  await database.transaction(async (query) => {
    const names = repositories.map(({ name }) => name);
    const sql = 'DELETE FROM repository WHERE name <> ALL ($1) RETURNING number';
    const gone = await query<{ number: number }>(sql, [names]);
    // Last, because a running sync holds the repository's row until it is done.
    await query('DELETE FROM posting WHERE repository = ANY ($1)', [gone.map(({ number }) => number)]);
    await query(
      `INSERT INTO repository (name, url, teams, wanted_at)
       SELECT name, url, teams, now() FROM jsonb_to_recordset($1::text::jsonb) AS new (name text, url text, teams text[])
       ON CONFLICT (name) DO UPDATE SET url = excluded.url, teams = excluded.teams,
         head = CASE WHEN repository.url = excluded.url THEN repository.head ELSE '' END,
         wanted_at = CASE WHEN repository.url = excluded.url THEN repository.wanted_at ELSE now() END
       WHERE repository.url <> excluded.url OR repository.teams <> excluded.teams`,
      [JSON.stringify(repositories)],
    );
  });
}

/** Runs the job of a due repository; undefined if all are claimed. `due` holds those looked up earlier and not yet tried. */
async function claimDue<T>(
  database: Database,
  due: Set<number>,
  run: (job: Job) => Promise<T>,
  names?: readonly string[],
): Promise<T | undefined> {
  const { query } = database;
  const isOld = due.size > 0;
  if (!isOld) {
    const found = await query<{ number: number }>(
      `SELECT number FROM repository WHERE wanted_at <= now() AND ($2::text[] IS NULL OR name = ANY ($2))
       ORDER BY wanted_at, number LIMIT $1`,
      [LOOK, names ?? null],
    );
    for (const { number } of found) due.add(number);
  }
  for (const number of due) {
    due.delete(number);
    const release = await database.claim(number);
    if (release === undefined) continue;
    try {
      // Another worker may have synced it between the look and the claim.
      const [state] = await query<Job>(
        `SELECT number, name, url, head, memory, version, next_row, wanted_at::text AS wanted
         FROM repository WHERE number = $1 AND wanted_at <= now()`,
        [number],
      );
      if (state !== undefined) return await run(state);
    } finally {
      await release();
    }
  }
  return isOld ? claimDue(database, due, run, names) : undefined;
}

type Job = RepositoryState & { name: string; wanted: string };
