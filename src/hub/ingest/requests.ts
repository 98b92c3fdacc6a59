import { GitMemError } from '../../errors.ts';
import { networkGit } from '../../git/network.ts';
import type { HubConfig, HubLimits } from '../config.ts';
import { type KnownForge, placeOf } from '../forge/forge.ts';
import type { Mirror } from './mirror.ts';
import { type Files, type Parsed, recordFiles } from './parsed.ts';
import type { Syncing } from './syncing.ts';

/** The open pull requests of a repository by number, each with its commit. */
export type OpenRequests = Record<string, string>;

/** Where code hosts keep the commits of requests: GitHub and Gitea, GitLab. */
const PLACES = ['refs/pull/*/head', 'refs/merge-requests/*/head'];

/**
 * Megabytes that the records of all requests of a repository may have, and seconds that reading them may take: less than
 * the default branch may, since anybody may open a request.
 */
const LIMITS = { megabytes: 10, seconds: 20 };

/** Tells which repositories index their open requests. Throws bad-config where nobody can say which are open. */
export function requestsOf(config: HubConfig, forges: readonly KnownForge[]): Map<string, KnownForge | undefined> {
  const found = new Map<string, KnownForge | undefined>();
  for (const { id, url, pull_requests = config.pull_requests } of config.repositories) {
    if (!pull_requests) continue;
    // A folder of this machine has the references of open ones only; a code host keeps those of closed ones.
    const isHere = url === undefined || url.startsWith('file:');
    const forge = isHere ? undefined : forges.find(({ host }) => host === placeOf(url)?.host);
    if (!isHere && forge === undefined) {
      throw new GitMemError('bad-config', `pull_requests: nothing says which of ${id} are open.`, {
        hint: 'Name its code host in server.forges, with token_env; or set pull_requests: false.',
      });
    }
    found.set(id, forge);
  }
  return found;
}

/** The newest open requests; `forge` says which are open, without it every one that the remote has. Throws git, provider. */
export async function openRequests(
  url: string,
  forge: KnownForge | undefined,
  { most, env, signal }: Syncing & { most: number },
): Promise<OpenRequests> {
  const numbers = forge && (await forge.forge.openRequests(placeOf(url)?.path ?? '', signal)).slice(0, most);
  if (numbers?.length === 0) return {};
  const asked = numbers?.flatMap((number) => PLACES.map((place) => place.replace('*', String(number)))) ?? PLACES;
  const advertised = await networkGit('/', ['ls-remote', '--', url, ...asked], env, { signal });
  const found = [...advertised.matchAll(/^([\da-f]{40,64})\trefs\/(?:pull|merge-requests)\/(\d{1,9})\/head$/gm)];
  const newest = found.map(([, head = '', number]) => ({ head, number: Number(number) }));
  newest.sort((a, b) => b.number - a.number);
  return Object.fromEntries(newest.slice(0, most).map(({ number, head }) => [number, head]));
}

/**
 * The observations and summaries that only open requests have, by blob. A request with too many of them is left out. Marks
 * are: nobody outside the default branch retires, redacts or supersedes what is on it.
 */
export async function requestedRecords(
  mirror: Mirror,
  requests: OpenRequests,
  { reviewed, limits }: { reviewed: Files; limits: HubLimits },
): Promise<Files> {
  const found: Files = new Map();
  for (const [number, files] of await mirror.fetchRequests(requests)) {
    const all = [...recordFiles(files, number)];
    const own = all.filter(([blob, { path }]) => !reviewed.has(blob) && !path.includes('/marks/'));
    if (own.length > limits.request_records || reviewed.size + found.size + own.length > limits.records) continue;
    for (const [blob, file] of own) if (!found.has(blob)) found.set(blob, file);
  }
  return found;
}

/** These records, parsed; none of them if they are too large, since anybody may open a request. */
export async function parseRequested(
  requested: Files,
  parse: (files: Files, limits: Partial<HubLimits>) => Promise<Parsed[]>,
): Promise<Parsed[]> {
  try {
    return await parse(requested, LIMITS);
  } catch (error) {
    if (error instanceof GitMemError && error.code === 'too-large') return [];
    throw error;
  }
}

interface Row {
  oid: string;
  id: string;
  request: number | null;
}

/**
 * Which rows stay, and which records join them: no request says what a record of the default branch says, and of several
 * with one id the first counts. `files` is missing where no record changed.
 */
export function sortOut<Stored extends Row>(stored: Stored[], added: Parsed[], files: Files | undefined) {
  const requestOf = ({ oid, request = null }: { oid: string; request?: number | null }) =>
    files === undefined ? request : (files.get(oid)?.request ?? null);
  const isReviewed = (one: { oid: string; request?: number | null }) => requestOf(one) === null;
  const there = files === undefined ? stored : stored.filter(({ oid }) => files.has(oid));
  const reviewed = new Set([
    ...there.filter(isReviewed).map(({ id }) => id),
    ...added.filter(isReviewed).map(({ record }) => record.id),
  ]);
  const kept = there.filter((one) => isReviewed(one) || !reviewed.has(one.id));
  const stays = new Set(kept);
  const taken = new Set(kept.map(({ id }) => id));
  const joining = added.filter((one) => {
    if (isReviewed(one)) return true;
    const { id } = one.record;
    const isFirst = !reviewed.has(id) && !taken.has(id);
    taken.add(id);
    return isFirst;
  });
  return { kept, gone: stored.filter((one) => !stays.has(one)), joining, requestOf, isReviewed };
}
