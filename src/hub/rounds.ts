import { GitMemError, messageOf } from '../errors.ts';
import type { HubConfig } from './config.ts';
import { type KnownForge, placeOf } from './forge/open.ts';
import type { Hub } from './open.ts';
import type { AccessEntry } from './rights/access.ts';

/** The part of the configuration that rights are computed from. */
export type RightsConfig = Pick<HubConfig, 'repositories' | 'access'>;

/** The principal that holds the rights of everybody signed in. */
const EVERYBODY = 'everybody';

/** Repositories asked about at once: few, because code hosts limit clients that send many requests at a time. */
const AT_ONCE = 4;

/**
 * Confirms who may read what: what the configuration says, and what each code host says about its repositories, one by one,
 * so that a failure costs no other repository its readers. Returns how many were confirmed, and a sentence for each that
 * was not: its last rights count until they are an hour old.
 */
export async function confirmRights(
  hub: Hub,
  config: RightsConfig,
  forges: readonly KnownForge[],
  { now, signal }: { now: () => Date; signal?: AbortSignal },
): Promise<{ confirmed: number; problems: string[] }> {
  const report: { confirmed: number; problems: string[] } = { confirmed: 0, problems: [] };
  await hub.putAccess('file', await entriesOf(hub, config), now(), { complete: true });
  const open: string[] = [];
  const queue = config.repositories.flatMap(({ id, url = '' }) => {
    const place = placeOf(url);
    return forges.flatMap(({ host, forge }) => (host === place?.host ? [{ id, forge, path: place.path }] : []));
  });
  const work = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { id, forge, path } = one;
      try {
        const { everybody, logins } = await forge.readersOf(path, signal);
        if (everybody) open.push(id);
        const people: AccessEntry[] = [];
        for (const login of logins) {
          people.push({ principal: await hub.principal(`${forge.kind}:${login}`, login), repositories: [id] });
        }
        await hub.putAccess(`${forge.kind}/${id}`, people, now(), { complete: true });
        report.confirmed++;
      } catch (error) {
        if (!(error instanceof GitMemError)) throw error;
        report.problems.push(`${id}: ${messageOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const everybody = await hub.principal(EVERYBODY, 'Everybody who signed in');
  await hub.putAccess(EVERYBODY, [{ principal: everybody, repositories: open }], now(), {});
  return report;
}

/** Gives a person the rights of everybody, as of the last round. Everybody cannot be listed, so each gets them on arrival. */
export async function confirmOpen(hub: Hub, principal: number): Promise<void> {
  const everybody = await hub.principal(EVERYBODY, 'Everybody who signed in');
  try {
    const viewer = await hub.viewerOf(everybody);
    const repositories = (await hub.repositories(viewer)).map(({ name }) => name);
    await hub.putAccess(EVERYBODY, [{ principal, repositories }], viewer.rightsAt);
  } catch (error) {
    // Nothing is open, or it was not confirmed lately.
    if (!(error instanceof GitMemError && error.code === 'refused')) throw error;
  }
}

async function entriesOf(hub: Hub, { repositories, access }: RightsConfig): Promise<AccessEntry[]> {
  const entries = new Map<number, Set<string>>();
  for (const { subject, name, repositories: named, teams, all } of access) {
    const principal = await hub.principal(subject, name ?? subject);
    const own = entries.get(principal) ?? new Set();
    entries.set(principal, own);
    for (const { id, teams: of } of repositories) {
      if (all || named.includes(id) || of.some((team) => teams.includes(team))) own.add(id);
    }
  }
  return [...entries].map(([principal, ids]) => ({ principal, repositories: [...ids] }));
}
