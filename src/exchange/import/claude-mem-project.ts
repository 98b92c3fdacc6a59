import { basename, dirname } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { type ClaudeMem, fieldUses } from './claude-mem-columns.ts';
import { claudeMemArrivals, projectsOf } from './claude-mem-rows.ts';
import type { Arrival, ImportSource } from './importer.ts';

/** Projects that an error names. */
const NAMED = 8;

/**
 * What a claude-mem memory holds of this repository, and what becomes of each of its columns. Its projects are called
 * after their folders. Throws bad-input where it has nothing of this one.
 */
export function* projectArrivals(memory: ClaudeMem, { workspace, project }: ImportSource): Generator<Arrival> {
  const { root, commonDir } = workspace.checkout;
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : root;
  const wanted = project ?? basename(main);
  const known = projectsOf(memory);
  if (![...known.keys()].some((name) => name === wanted || name.startsWith(`${wanted}/`))) {
    const names = [...known].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} (${count})`);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    throw new GitMemError('bad-input', `It holds nothing of a project "${wanted}".`, {
      hint:
        names.length > 0
          ? `Name one with --project: ${names.slice(0, NAMED).join(', ')}${more}.`
          : 'It has no observations and no summaries at all.',
    });
  }
  for (const field of fieldUses(memory)) yield { kind: 'field', field };
  yield* claudeMemArrivals(memory, { project: wanted, roots: [...new Set([root, main])] });
}
