import type { SourceCaches } from '../../exchange/links/caches.ts';
import { type NamedSource, openLinked, openRegistered } from '../../exchange/links/sources.ts';
import type { Project } from '../../project.ts';
import type { Arguments } from './arguments.ts';

/**
 * Opens the memories of a scope besides this repository's own, or those with these labels, as links come before
 * repositories of the same name. `notes` has a sentence for each that cannot be read.
 */
export async function openOthers(
  { workspace, config }: Project,
  caches: SourceCaches,
  { scope = 'here', names = [] }: { scope?: Arguments<'search'>['scope']; names?: string[] },
): Promise<{ sources: NamedSource[]; notes: string[] }> {
  const { env } = workspace;
  const isWanted = (name: string) => scope !== 'here' || names.includes(name);
  const linked = await openLinked(config().config.links, env, caches, isWanted);
  const isOther = (name: string) => scope === 'all' || (names.includes(name) && !linked.known.includes(name));
  const besides = [workspace, ...linked.sources.map((source) => source.workspace)];
  const others = openRegistered(env, caches, { besides, isWanted: isOther });
  return { sources: [...linked.sources, ...others.sources], notes: [...linked.notes, ...others.notes] };
}
