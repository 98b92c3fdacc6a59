import { Option } from 'commander';
import { userConfigPath } from '../../config.ts';
import { GitMemError } from '../../errors.ts';
import type { Source } from '../../exchange/links/sources.ts';
import type { Project } from '../../project.ts';
import type { Context } from './context.ts';
import { shown } from './print.ts';
import type { Row } from './record-table.ts';

export interface LinkedOptions {
  linked?: boolean | undefined;
}

/** The linked memories that a command searches, and how it closes them. */
export interface Linked {
  sources: Required<Source>[];
  close(): void;
}

/** The option that makes a command search linked repositories too. */
export function addLinked(): Option {
  // A commit of this repository does not exist in the others: `at` in the settings pins a link.
  return new Option('--linked', 'records of linked repositories too (`git mem links`)').conflicts('at');
}

/**
 * Opens the linked memories if the command was asked for them, or only those with these names. Unreadable ones are
 * reported on standard error; the exit code is only for links of the settings that do not answer. Throws bad-input for
 * a name that no link has.
 */
export async function linkedFor(
  context: Context,
  project: Project,
  { linked = false, names = [] }: LinkedOptions & { names?: string[] },
): Promise<Linked> {
  if (!linked && names.length === 0) return { sources: [], close() {} };
  const { openLinked } = await import('../../exchange/links/sources.ts');
  const { config, warnings } = project.config();
  const isWanted = (name: string) => linked || names.includes(name);
  const { sources, known, notes, isWrong } = await openLinked(config.links, context.env, isWanted);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new GitMemError('bad-input', `There is no link called "${unknown}".`, {
      hint: '`git mem links` lists them; an id has no colon.',
    });
  }
  const ignored = warnings.filter((warning) => warning.includes('"links"'));
  if (known.length === 0 && notes.length === 0 && ignored.length === 0) {
    notes.push(`No repository is linked: add \`links: ["~/src/other"]\` to ${userConfigPath(context.env)}.`);
  }
  for (const note of [...ignored, ...notes]) context.stderr.write(`${shown(note)}\n`);
  if (isWrong) context.setExitCode(1);
  return {
    sources,
    close() {
      for (const { cache } of sources) cache.close();
    },
  };
}

/** The label of a linked memory in JSON; empty for this repository's own. */
export function originOf({ origin }: Source): { origin?: string } {
  return origin === undefined ? {} : { origin };
}

/** The label of a linked memory in a table. */
export function fromOf({ origin, workspace }: Source): Pick<Row, 'from'> {
  return origin === undefined ? {} : { from: { origin, workspace } };
}
