import type { SourceCaches } from '../../exchange/links/caches.ts';
import { type NamedSource, openLinked, openRegistered } from '../../exchange/links/sources.ts';
import type { Project } from '../../project.ts';

/** Which memories a call looks into: this repository's, linked ones too, or all of the user's repositories too. */
export type Scope = 'here' | 'linked' | 'all';

/** Memories besides this repository's own. */
export interface OtherMemories {
  sources: NamedSource[];
  /** A sentence for each that cannot be read. */
  notes: string[];
}

/** Opens the memories of a scope, or those with these labels, as links come before repositories of the same name. */
export async function openOthers(
  { workspace, config }: Project,
  caches: SourceCaches,
  { scope = 'here', names = [] }: { scope?: Scope | undefined; names?: string[] },
): Promise<OtherMemories> {
  const { env } = workspace;
  const isWanted = (name: string) => scope !== 'here' || names.includes(name);
  const linked = await openLinked(config().config.links, env, caches, isWanted);
  const isOther = (name: string) => scope === 'all' || (names.includes(name) && !linked.known.includes(name));
  const besides = [workspace, ...linked.sources.map((source) => source.workspace)];
  const others = openRegistered(env, caches, { besides, isWanted: isOther });
  return { sources: [...linked.sources, ...others.sources], notes: [...linked.notes, ...others.notes] };
}
