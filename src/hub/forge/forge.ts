/** Who may read a repository, as the code host says. */
export interface Readers {
  /** Anybody who signed in: it is public, or internal where the configuration says that everybody is of the house. */
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
