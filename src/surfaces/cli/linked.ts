import { Option } from 'commander';
import { userConfigPath } from '../../config.ts';
import { GitMemError } from '../../errors.ts';
import type { NamedSource, Source } from '../../exchange/links/sources.ts';
import { PERSONAL } from '../../memory/store/personal.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';
import { shown } from './print.ts';
import type { Row } from './record-table.ts';

export interface LinkedOptions {
  linked?: boolean | undefined;
  allRepositories?: boolean | undefined;
}

/** Make a command search linked repositories, or every one of the user, too. `at` names a commit of this one alone. */
export const LINKED = new Option('--linked', 'records of linked repositories too (`git mem links`)').conflicts('at');
export const ALL_REPOSITORIES = new Option(
  '--all-repositories',
  'records of all your repositories too (`git mem repositories`)',
).conflicts('at');

/**
 * Opens the linked memories if the command was asked for them, or only those with these names. Unreadable ones are
 * reported on standard error; the exit code is only for links of the settings that do not answer. Throws bad-input for
 * a name that no link has.
 */
export async function linkedFor(
  context: Context,
  project: Project,
  { linked = false, allRepositories = false, names = [] }: LinkedOptions & { names?: string[] },
): Promise<{ sources: NamedSource[]; close(): void }> {
  if (!linked && !allRepositories && names.length === 0) return { sources: [], close() {} };
  const [{ openLinked, openRegistered }, { openSourceCaches }] = await Promise.all([
    import('../../exchange/links/sources.ts'),
    import('../../exchange/links/caches.ts'),
  ]);
  const caches = openSourceCaches();
  const { config, warnings } = project.config();
  const isWanted = (name: string) => linked || names.includes(name);
  const { sources, known, notes, isWrong } = await openLinked(config.links, context.env, caches, isWanted);
  const besides = [project.workspace, ...sources.map(({ workspace }) => workspace)];
  const isOther = (name: string) => allRepositories || (names.includes(name) && !known.includes(name));
  const others = openRegistered(context.env, caches, { besides, isWanted: isOther });
  const unknown = names.find((name) => ![...known, ...others.known].includes(name));
  if (unknown !== undefined) {
    throw new GitMemError('bad-input', `There is no link and no repository called "${unknown}".`, {
      hint: '`git mem links` and `git mem repositories` list them; an id has no colon.',
    });
  }
  const ignored = warnings.filter((warning) => warning.includes('"links"'));
  if (linked && known.length === 0 && notes.length === 0 && ignored.length === 0) {
    notes.push(`No repository is linked: add \`links: ["~/src/other"]\` to ${userConfigPath(context.env)}.`);
  }
  if (allRepositories && others.known.length === 0) {
    notes.push('No other repository is known: `git mem init` notes each one that it sets up.');
  }
  for (const note of [...ignored, ...notes, ...others.notes]) context.stderr.write(`${shown(note)}\n`);
  if (isWrong) context.setExitCode(1);
  return { sources: [...sources, ...others.sources], close: () => caches.close() };
}

/** The label of another memory in JSON; empty for this repository's own. */
export function originOf({ origin }: Pick<Source, 'origin'>): { origin?: string; store?: string } {
  return origin === undefined ? {} : { origin, ...(origin === PERSONAL && { store: PERSONAL }) };
}

/** The label of a linked memory in a table. */
export function fromOf({ origin, workspace }: Source): Pick<Row, 'from'> {
  return origin === undefined ? {} : { from: { origin, workspace } };
}
