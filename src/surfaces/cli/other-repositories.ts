import { Option } from 'commander';
import { GitMemError } from '../../errors.ts';
import type { NamedSource, Source } from '../../exchange/places/reader.ts';
import { PERSONAL } from '../../memory/store/personal.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';
import { shown } from './print.ts';
import type { Row } from './record-table.ts';

export interface OtherOptions {
  allRepositories?: boolean | undefined;
}

/** Makes a command search every repository of the user. `at` names a commit of this one alone. */
export const ALL_REPOSITORIES = new Option(
  '--all-repositories',
  'records of all your repositories too, which `git mem init` set up',
).conflicts('at');

/**
 * Opens the memories of the user's other repositories if the command was asked for them, or only those with these names.
 * Those that are gone are reported on standard error. Throws bad-input for a name that no repository has.
 */
export async function othersFor(
  context: Context,
  { workspace }: Project,
  { allRepositories = false, names = [] }: OtherOptions & { names?: string[] },
): Promise<{ sources: NamedSource[]; close(): void }> {
  if (!allRepositories && names.length === 0) return { sources: [], close() {} };
  const { openPlaces, openSourceCaches } = await import('../../exchange/places/reader.ts');
  const caches = openSourceCaches();
  const isWanted = (name: string) => allRepositories || names.includes(name);
  const { sources, known, notes } = openPlaces(context.env, caches, { besides: workspace, isWanted });
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new GitMemError('bad-input', `There is no other repository called "${unknown}".`, {
      hint: `${known.length > 0 ? `There are ${known.join(', ')}` : 'None is known'}; an id has no colon.`,
    });
  }
  if (known.length === 0) notes.push('No other repository is known: `git mem init` notes each one that it sets up.');
  for (const note of notes) context.stderr.write(`${shown(note)}\n`);
  return { sources, close: () => caches.close() };
}

/** The label of another memory in JSON; empty for this repository's own. */
export function originOf({ origin }: Pick<Source, 'origin'>): { origin?: string; store?: string } {
  return origin === undefined ? {} : { origin, ...(origin === PERSONAL && { store: PERSONAL }) };
}

/** The label of another memory in a table. */
export function fromOf({ origin, workspace }: Source): Pick<Row, 'from'> {
  return origin === undefined ? {} : { from: { origin, workspace } };
}
