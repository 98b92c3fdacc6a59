import type { Config } from '../../config.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type Cache, openCache } from '../../recall/index/cache.ts';
import { steadyCache } from '../../recall/index/steady-cache.ts';
import type { SearchHit } from '../../recall/search/search.ts';
import type { Environment } from '../../user-folders.ts';
import { readLinks } from './link.ts';
import { openLink } from './open.ts';

/** A memory to search: this repository's own, which has no origin, or a linked one. */
export interface Source {
  origin?: string;
  workspace: Workspace;
  cache: Cache;
}

export interface SourceHit extends SearchHit {
  source: Source;
}

/** The memories of links, with a sentence for each unreadable one; `isWrong` if the settings are to blame. */
export interface LinkedSources {
  sources: Required<Source>[];
  /** The names of all links, whether wanted or not. */
  known: string[];
  notes: string[];
  isWrong: boolean;
}

/** Opens the memories of all links, or of one by name, for any number of questions until they are closed. */
export async function openLinked(
  entries: Config['links'],
  env: Environment,
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
      const cache = steadyCache(workspace, openCache(workspace));
      linked.sources.push({ origin: one.link.name, workspace, cache });
    }
  }
  return linked;
}
