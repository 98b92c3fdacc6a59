import { type Cache, openCache } from '../../index/cache.ts';
import type { StoreName } from '../../memory/record.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import type { Annotated } from '../../records/annotate.ts';
import { readRecords } from '../../records/records.ts';
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

/** Documents that each cache keeps in memory: there may be a hundred caches, and few answers come from each. */
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

/** Looks at folders only, because checking fifty repositories' files takes a third of a second. In-place edits go unnoticed. */
function openAtGlance(workspace: Workspace): Cache {
  const cache = openCache(workspace, { remember: REMEMBERED });
  return { ...cache, query: (use) => cache.query(use, { glance: 'folders' }) };
}

/**
 * Opens the memories of this user's other repositories, or of some by name, as they are opened there: what is trusted, retired or
 * superseded there is so here too. `besides` is a memory that is searched anyway. `known` are the names of all, and `notes` has a
 * sentence for each that is gone.
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
      // That variable moves only this repository's state.
      const workspace = workspaceOf(checkout, { ...env, GIT_MEM_STATE: undefined });
      sources.push({ origin: name, workspace, cache: caches.of(workspace) });
    }
  }
  return { sources, known: others.map(({ name }) => name), notes };
}

/** As shown: the paths of another repository are absolute. */
export function sourceFolders({ origin, workspace }: Pick<Source, 'origin' | 'workspace'>): Record<StoreName, string> {
  return foldersOf(workspace, origin !== undefined);
}

/** An id as agents and people may give it: that of another repository begins with its name, as `lib:k3v9`. */
export function labelled(id: string, { origin }: Pick<Source, 'origin'>): string {
  return origin === undefined ? id : `${origin}:${id}`;
}

/** The repository that an id such as `lib:k3v9` names. */
export function nameIn(id: string): string | undefined {
  return /^([^:]+):/.exec(id)?.[1];
}

/** The records that ids name, here or by `NAME:ID` in another repository, whose private records stay there. */
export async function readNamed(own: Source, others: NamedSource[], ids: string[]) {
  const found: { annotated: Annotated; source: Source }[] = [];
  const missing: string[] = [];
  for (const name of new Set([undefined, ...ids.map(nameIn)])) {
    const wanted = ids.filter((id) => nameIn(id) === name);
    const source = name === undefined ? own : others.find(({ origin }) => origin === name);
    if (source === undefined) missing.push(...wanted);
    if (source === undefined || wanted.length === 0) continue;
    const label = name === undefined ? '' : `${name}:`;
    const given = wanted.map((id) => id.slice(label.length));
    const read = await readRecords(source.workspace, source.cache, given);
    const isOpen = ({ entry }: Annotated) => name === undefined || entry.store === 'team';
    const hidden = read.found.filter((one) => !isOpen(one)).map(({ record }) => record.id);
    found.push(...read.found.filter(isOpen).map((annotated) => ({ annotated, source })));
    missing.push(...[...read.missing, ...hidden].map((id) => `${label}${id}`));
  }
  return { found, missing };
}
