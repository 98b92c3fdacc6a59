import { type Cache, openCache } from '../../index/cache.ts';
import type { StoreName } from '../../memory/record.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { foldersOf } from '../../records/view.ts';
import type { SearchHit, SearchRequest } from '../../search/search.ts';
import type { Environment } from '../../user-folders.ts';
import { goneNote, registered } from './registry.ts';

/** A memory to search: this repository's own, which has no origin, or that of another repository of the user. */
export interface Source {
  origin?: string;
  workspace: Workspace;
  cache: Cache;
  /** The trust and the state of its records, where they are cached for many questions. */
  judged?(): Promise<NonNullable<SearchRequest['judged']>>;
}

export type NamedSource = Source & { origin: string };

export interface SourceHit extends SearchHit {
  source: Source;
}

/** The caches of other memories, each opened once however often it is asked for. */
export interface SourceCaches {
  of(workspace: Workspace): Cache;
  close(): void;
}

/** Documents that each keeps in memory: there may be a hundred caches, and few answers come from each. */
const REMEMBERED = 50;

export function openSourceCaches(): SourceCaches {
  const caches = new Map<string, Cache>();
  return {
    of(workspace) {
      const key = JSON.stringify([workspace.checkout.root, workspace.layout.state]);
      const cache = caches.get(key) ?? openAtGlance(workspace);
      caches.set(key, cache);
      return cache;
    },
    close() {
      for (const cache of caches.values()) cache.close();
      caches.clear();
    },
  };
}

/** Looks at folders only: checking fifty repositories' files takes a third of a second. In-place edits are left out. */
function openAtGlance(workspace: Workspace): Cache {
  const cache = openCache(workspace, { remember: REMEMBERED });
  return { ...cache, query: (use) => cache.query(use, { glance: 'folders' }) };
}

/**
 * Opens the memories of this user's other repositories, or of some by name, as they are opened over there: what is
 * trusted, retired or superseded there is so here. `besides` is a memory that is searched anyway. `known` are the names
 * of all, and `notes` has a sentence for each that is gone.
 */
export function openPlaces(
  env: Environment,
  caches: SourceCaches,
  { besides, isWanted = () => true }: { besides: Workspace; isWanted?: (name: string) => boolean },
): { sources: NamedSource[]; known: string[]; notes: string[] } {
  const own = besides.checkout.commonDir;
  const others = registered(env).filter(({ checkout }) => checkout?.commonDir !== own);
  const [sources, notes]: [NamedSource[], string[]] = [[], []];
  for (const { name, root, checkout, file } of others.filter((one) => isWanted(one.name))) {
    if (checkout === undefined) {
      notes.push(goneNote({ name, root, file }));
    } else {
      // That variable moves the state of this repository.
      const workspace = workspaceOf(checkout, { ...env, GIT_MEM_STATE: undefined });
      sources.push({ origin: name, workspace, cache: caches.of(workspace) });
    }
  }
  return { sources, known: others.map(({ name }) => name), notes };
}

/** As shown: the paths of another repository are absolute. */
export function sourceFolders({ origin, workspace }: Pick<Source, 'origin' | 'workspace'>): Record<StoreName, string> {
  const folders = foldersOf(workspace);
  return origin === undefined ? folders : { ...folders, team: workspace.layout.memory };
}
