import * as z from 'zod/mini';
import { withoutEndSlashes } from '../../slashes.ts';
import { entriesOf, entryOf, loginsOf, openApiClient, pathOf } from './api-client.ts';

const OPENERS: Record<ForgeKind, (access: ForgeAccess) => Forge> = {
  github: openGitHub,
  gitlab: openGitLab,
  gitea: openGitea,
};

/** The client of a code host. */
export function openForge(kind: ForgeKind, access: ForgeAccess): Forge {
  return OPENERS[kind](access);
}

const repository = z.object({
  private: z.boolean(),
  internal: z.optional(z.boolean()),
  owner: z.object({ login: z.string(), visibility: z.optional(z.string()) }),
});
const person = z.object({ login: z.string() });
const team = z.object({
  id: z.int(),
  permission: z.string(),
  /** What the team may do with each part of a repository; missing in old versions. */
  units_map: z.optional(z.nullable(z.record(z.string(), z.string()))),
});

/** Gitea and Forgejo. Readers are the owner, the collaborators and the members of the teams that reach the code. */
function openGitea({ api, token, internalForAll }: ForgeAccess): Forge {
  const client = openApiClient({ name: 'Gitea', api, headers: { authorization: `token ${token}` } });
  const people = async (path: string, signal: AbortSignal | undefined) => {
    return entriesOf('Gitea', z.array(person), (await client.all(`${path}?limit=50`, signal)) ?? []);
  };
  return {
    kind: 'gitea',
    async readersOf(name, signal) {
      const path = `repos/${pathOf(name)}`;
      const about = entryOf('Gitea', repository, await client.get(path, signal));
      if (about === undefined) return NOBODY;
      // A repository is no more visible than its owner.
      const { owner, internal = false } = about;
      const isInternal = internal || owner.visibility === 'limited';
      const isOpen = !about.private && owner.visibility !== 'private' && (!isInternal || internalForAll);
      if (isOpen) return { everybody: true, logins: [] };
      const teams = entriesOf('Gitea', z.array(team), (await client.all(`${path}/teams`, signal)) ?? []);
      const readers = [owner, ...(await people(`${path}/collaborators`, signal))];
      for (const { id } of teams.filter(readsCode)) readers.push(...(await people(`teams/${id}/members`, signal)));
      return { everybody: false, logins: loginsOf(readers, 'login') };
    },
  };
}

function readsCode({ permission, units_map }: z.infer<typeof team>): boolean {
  if (permission === 'owner' || permission === 'admin') return true;
  return units_map ? (units_map['repo.code'] ?? 'none') !== 'none' : permission !== 'none';
}

const project = z.object({
  visibility: z.enum(['private', 'internal', 'public']),
  /** Who among those who see the project sees its code. */
  repository_access_level: z.optional(z.enum(['disabled', 'private', 'enabled'])),
});
const member = z.object({ username: z.string(), state: z.string(), access_level: z.int() });

/** Members below this level (Reporter) do not see the code of a project that is not public. */
const READS_CODE = 20;

/** GitLab, hosted or self-managed. Members of a project's parent groups are its members. */
function openGitLab({ api, token, internalForAll }: ForgeAccess): Forge {
  const client = openApiClient({ name: 'GitLab', api, headers: { 'private-token': token } });
  return {
    kind: 'gitlab',
    async readersOf(name, signal) {
      const id = encodeURIComponent(name);
      const about = entryOf('GitLab', project, await client.get(`projects/${id}`, signal));
      if (about === undefined || about.repository_access_level === 'disabled') return NOBODY;
      const { visibility, repository_access_level: code = 'enabled' } = about;
      const isOpen = visibility === 'public' || (visibility === 'internal' && internalForAll);
      if (isOpen && code === 'enabled') return { everybody: true, logins: [] };
      const listed = (await client.all(`projects/${id}/members/all?per_page=100`, signal)) ?? [];
      const members = entriesOf('GitLab', z.array(member), listed);
      const readers = members.filter(({ state, access_level }) => state === 'active' && access_level >= READS_CODE);
      return { everybody: false, logins: loginsOf(readers, 'username') };
    },
  };
}

const githubRepository = z.object({ private: z.boolean(), visibility: z.optional(z.string()) });
const permissions = z.object({ pull: z.optional(z.boolean()) });
const githubPerson = z.object({ login: z.string(), permissions: z.optional(permissions) });

/**
 * GitHub, hosted or Enterprise Server. Its list of collaborators holds everybody who may read: outside collaborators, and
 * members of the organisation directly, through a team or by the organisation's default.
 */
function openGitHub({ api, token, internalForAll }: ForgeAccess): Forge {
  const version = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const headers = { authorization: `Bearer ${token}`, ...version };
  const client = openApiClient({ name: 'GitHub', api, headers });
  return {
    kind: 'github',
    async readersOf(name, signal) {
      const about = entryOf('GitHub', githubRepository, await client.get(`repos/${pathOf(name)}`, signal));
      if (about === undefined) return NOBODY;
      const everybody = about.visibility === 'internal' ? internalForAll : !about.private;
      if (everybody) return { everybody, logins: [] };
      const listed = await client.all(`repos/${pathOf(name)}/collaborators?affiliation=all&per_page=100`, signal);
      const people = entriesOf('GitHub', z.array(githubPerson), listed ?? []);
      const readers = people.filter(({ permissions }) => permissions?.pull !== false);
      return { everybody, logins: loginsOf(readers, 'login') };
    },
  };
}

/** Who may read a repository, as the code host says. */
export interface Readers {
  /** Anybody signed in: it is public, or internal where the configuration says that everybody belongs to the organisation. */
  everybody: boolean;
  /** Login names of those who may read its code, in lower case. */
  logins: string[];
}

/** A code host that is asked who may read what. */
export interface Forge {
  kind: ForgeKind;
  /**
   * Who may read a repository, such as `acme/platform`; nobody if the host does not know it. Throws GitMemError if the
   * host refuses or does not answer, so that nothing is known.
   */
  readersOf(repository: string, signal?: AbortSignal): Promise<Readers>;
}

/** A code host, with the host name in its repositories' addresses. */
export interface KnownForge {
  forge: Forge;
  host: string;
}

/** The host and the path of a repository's address: `https://HOST/PATH.git`, `ssh://git@HOST/PATH` or `git@HOST:PATH`. */
export function placeOf(url: string): { host: string; path: string } | undefined {
  const short = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/)(.+)$/.exec(url);
  const parsed = short === null && URL.canParse(url) ? new URL(url) : undefined;
  const [host, path] = short ? [short[1], short[2]] : [parsed?.hostname, parsed?.pathname];
  if (!host || !path) return undefined;
  return { host: host.toLowerCase(), path: withoutEndSlashes(path.replace(/^\/+/, '')).replace(/\.git$/, '') };
}

export const FORGES = ['github', 'gitlab', 'gitea'] as const;
export type ForgeKind = (typeof FORGES)[number];

/** How a code host is reached. */
interface ForgeAccess {
  /** The API's address, such as `https://api.github.com`. */
  api: string;
  /** May read the members of every repository. */
  token: string;
  /** Whether repositories that the host calls internal are open to everybody who signed in. */
  internalForAll: boolean;
}

const NOBODY: Readers = { everybody: false, logins: [] };
