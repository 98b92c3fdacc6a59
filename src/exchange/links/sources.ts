import type { Config } from '../../config.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import type { Cache } from '../../recall/index/cache.ts';
import type { SearchHit, SearchRequest } from '../../recall/search/search.ts';
import type { Environment } from '../../user-folders.ts';
import type { SourceCaches } from './caches.ts';
import { readLinks } from './link.ts';
import { openLink } from './open.ts';
import { goneNote, registered } from './registry.ts';

/**
 * A memory to search: this repository's own, which has no origin, a linked one, or that of another repository of the
 * user.
 */
export interface Source {
  origin?: string;
  workspace: Workspace;
  cache: Cache;
  /** The trust and the state of its records, where they are kept for many questions. */
  judged?(): Promise<NonNullable<SearchRequest['judged']>>;
}

/** A memory that is not this repository's own. */
export type NamedSource = Source & { origin: string };

export interface SourceHit extends SearchHit {
  source: Source;
}

/** The memories of links, with a sentence for each unreadable one; `isWrong` if the settings are to blame. */
export interface LinkedSources {
  sources: NamedSource[];
  /** The names of all links, whether wanted or not. */
  known: string[];
  notes: string[];
  isWrong: boolean;
}

/** Opens the memories of all links, or of some by name, for any number of questions until the caches are closed. */
export async function openLinked(
  entries: Config['links'],
  env: Environment,
  caches: SourceCaches,
  isWanted: (name: string) => boolean = () => true,
): Promise<LinkedSources> {
  const { links, problems } = readLinks(entries, env);
  const opened = await Promise.all(links.filter(({ name }) => isWanted(name)).map((link) => openLink(link, env)));
  const known = links.map(({ name }) => name);
  const linked: LinkedSources = { sources: [], known, notes: [...problems], isWrong: problems.length > 0 };
  for (const one of opened) {
    if ('problem' in one) {
      linked.notes.push(one.problem);
      linked.isWrong ||= one.isWrong;
    } else {
      const { workspace } = one;
      linked.sources.push({ origin: one.link.name, workspace, cache: caches.of(workspace) });
    }
  }
  return linked;
}

/**
 * Opens the memories of this user's other repositories, or of some by name, as they are opened over there: what is
 * trusted, retired or superseded there is so here. `besides` are memories that are searched anyway.
 */
export function openRegistered(
  env: Environment,
  caches: SourceCaches,
  { besides = [], isWanted = () => true }: { besides?: Workspace[]; isWanted?: (name: string) => boolean } = {},
): Pick<LinkedSources, 'sources' | 'known' | 'notes'> {
  const searched = new Set(besides.map(({ checkout: { commonDir } }) => commonDir));
  const others = registered(env).filter(({ checkout }) => checkout === undefined || !searched.has(checkout.commonDir));
  const opened: Pick<LinkedSources, 'sources' | 'known' | 'notes'> = {
    sources: [],
    known: others.map(({ name }) => name),
    notes: [],
  };
  for (const { name, root, checkout } of others.filter((one) => isWanted(one.name))) {
    if (checkout === undefined) {
      opened.notes.push(goneNote({ name, root }));
    } else {
      // That variable moves the state of this repository.
      const workspace = workspaceOf(checkout, { ...env, GIT_MEM_STATE: undefined });
      opened.sources.push({ origin: name, workspace, cache: caches.of(workspace) });
    }
  }
  return opened;
}
