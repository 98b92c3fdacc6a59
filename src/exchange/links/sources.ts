import type { Config } from '../../config.ts';
import { locate } from '../../git/locate.ts';
import { linkedWorkspace } from '../../memory/store/linked.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import type { Cache } from '../../recall/index/cache.ts';
import type { SearchHit, SearchRequest } from '../../recall/search/search.ts';
import type { Environment } from '../../user-folders.ts';
import type { SourceCaches } from './caches.ts';
import { lacking, readFetched, resolveCommit } from './clone.ts';
import { type Link, readLinks } from './link.ts';
import { goneNote, registered } from './registry.ts';

/**
 * A memory to search: this repository's own, which has no origin, a linked one, or that of another repository of the
 * user.
 */
export interface Source {
  origin?: string;
  workspace: Workspace;
  cache: Cache;
  /** The trust and the state of its records, where they are cached for many questions. */
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
  const linked: LinkedSources = { sources: [], known, notes: problems, isWrong: problems.length > 0 };
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
  const [sources, notes]: [NamedSource[], string[]] = [[], []];
  for (const { name, root, checkout } of others.filter((one) => isWanted(one.name))) {
    if (checkout === undefined) {
      notes.push(goneNote({ name, root }));
    } else {
      // That variable moves the state of this repository.
      const workspace = workspaceOf(checkout, { ...env, GIT_MEM_STATE: undefined });
      sources.push({ origin: name, workspace, cache: caches.of(workspace) });
    }
  }
  return { sources, known: others.map(({ name }) => name), notes };
}

/** A link's memory, or why it cannot be read; `isWrong` if the settings name something that does not exist. */
type Opened = { link: Link; workspace: Workspace } | { link: Link; problem: string; isWrong: boolean };

/** Opens a link's memory for reading: nothing is written there, and nothing is fetched. */
export async function openLink(link: Link, env: Environment): Promise<Opened> {
  return 'url' in link.place ? openFetched(link, env) : openPath(link, link.place.path, env);
}

async function openFetched(link: Link, env: Environment): Promise<Opened> {
  const fetched = readFetched(link);
  const fetch = `run \`git mem links update ${link.name}\``;
  if (fetched === undefined) return { link, problem: `${link.name} was never fetched: ${fetch}.`, isWrong: false };
  const { root, commit } = fetched;
  if (commit === '') return { link, problem: `${link.name} had no commit: ${fetch}.`, isWrong: false };
  const gitDir = `${root}/.git`;
  const checkout = { root, gitDir, commonDir: gitDir };
  const workspace = await linkedWorkspace(checkout, { state: root, env, at: commit });
  if (workspace) return { link, workspace };
  return { link, problem: `What was fetched of ${link.name} is damaged: ${fetch}.`, isWrong: false };
}

async function openPath(link: Link, path: string, env: Environment): Promise<Opened> {
  const checkout = locate(path);
  if (checkout === undefined) {
    return { link, problem: `${link.name} is not there: ${link.source} is not a git checkout.`, isWrong: false };
  }
  const at = link.at && (await resolveCommit(checkout.root, link.at, env));
  if (link.at !== undefined && !at) return { link, problem: lacking(link.name, link.at).message, isWrong: true };
  const workspace = await linkedWorkspace(checkout, { state: link.folder, env, at });
  if (workspace) return { link, workspace };
  return { link, problem: `${link.name} cannot be read: git does not list ${link.at}.`, isWrong: true };
}
