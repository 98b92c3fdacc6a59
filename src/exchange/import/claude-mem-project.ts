import { basename, dirname } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { type ClaudeMem, fieldUses } from './claude-mem-columns.ts';
import { claudeMemArrivals, projectsOf } from './claude-mem-rows.ts';
import type { Arrival, ImportSource } from './importer.ts';

/** Most projects that an error names. */
const NAMED = 8;

/**
 * A claude-mem memory's records of this repository, and the use of each of its columns. Its projects are named after
 * their folders. Throws bad-input if it has nothing about this repository.
 */
export function* projectArrivals(memory: ClaudeMem, { workspace, project }: ImportSource): Generator<Arrival> {
  const { root, commonDir } = workspace.checkout;
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : root;
  const wanted = project ?? basename(main);
  const known = projectsOf(memory);
  if (![...known.keys()].some((name) => name === wanted || name.startsWith(`${wanted}/`))) {
    const names = [...known].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} (${count})`);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    throw new GitMemError('bad-input', `It has nothing from a project "${wanted}".`, {
      hint:
        names.length > 0
          ? `Name one with --project: ${names.slice(0, NAMED).join(', ')}${more}.`
          : 'It has no observations and no summaries at all.',
    });
  }
  for (const field of fieldUses(memory)) yield { kind: 'field', field };
  yield* claudeMemArrivals(memory, { project: wanted, roots: [...new Set([root, main])] });
}
