import { withoutEndSlashes } from '../../slashes.ts';
/** Who may read a repository, as the code host says. */
export interface Readers {
  /** Anybody who signed in: it is public, or internal where the configuration says that everybody belongs to the organisation. */
  everybody: boolean;
  /** Login names of those who may read its code, in lower case. */
  logins: string[];
}

/** A code host that is asked who may read what. */
export interface Forge {
  kind: ForgeKind;
  /**
   * Who may read a repository, such as `acme/platform`: nobody if the host does not know it. Throws GitMemError when the
   * host does not answer or refuses: then nothing is known.
   */
  readersOf(repository: string, signal?: AbortSignal): Promise<Readers>;
}

/** A code host, with the host in the addresses of its repositories. */
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
export interface ForgeAccess {
  /** The API's address, such as `https://api.github.com`. */
  api: string;
  /** May read the members of every repository. */
  token: string;
  /** Whether repositories that the host calls internal are open to everybody who signed in. */
  internalForAll: boolean;
}

export const NOBODY: Readers = { everybody: false, logins: [] };
