import { GitMemError } from '../../errors.ts';
import { clampPhrase, clampSentences } from '../../extract/clamp.ts';
import { typesOf } from '../../extract/mode.ts';
import { LIMITS, oneLine } from '../../memory/record.ts';
import { fullIds } from '../../recall/records.ts';
import { foldersOf } from '../../recall/store-folders.ts';
import { createCleaner } from '../../worker/clean.ts';
import { save } from '../../worker/save.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

/** Writes an observation, kept to the limits of a record, to where this repository's captured records go. */
export async function saveObservation(
  { project: { workspace, config: load } }: Repository,
  given: Arguments<'save_observation'>,
  now: Date,
): Promise<Answer> {
  const { config } = load();
  const { type = 'change', facts = [], concepts = [], files_modified = [], files_read = [], supersedes = [] } = given;
  const types = typesOf(config);
  if (!types.includes(type)) {
    throw new GitMemError('bad-input', `"${type}" is not a type of observation.`, { hint: `Use ${types.join(', ')}.` });
  }
  const made = {
    type,
    title: clampPhrase(given.title, LIMITS.title),
    ...(given.subtitle && { subtitle: clampPhrase(given.subtitle, LIMITS.subtitle) }),
    narrative: clampSentences(given.narrative ?? '', LIMITS.narrative),
    facts: facts.map((fact) => clampSentences(oneLine(fact), LIMITS.fact)).slice(0, LIMITS.facts),
    concepts: concepts.slice(0, LIMITS.concepts),
    files_modified: files_modified.slice(0, LIMITS.files),
    files_read: files_read.slice(0, LIMITS.files),
    supersedes: fullIds(workspace, supersedes),
  };
  const store = config.capture.destination;
  const cleaner = createCleaner(config.privacy.redact);
  const { root } = workspace.checkout;
  const saved = await save(workspace, made, { store, by: 'mcp', now, cwd: root, cleaner });
  const path = `${foldersOf(workspace)[store]}/${saved.path}`;
  const cut = shortened(given, made);
  const lines = [
    saved.created ? `Saved ${saved.id}: ${path}` : `${saved.id} was there already: ${path}`,
    cut.length > 0 && `Shortened to a record's limits: ${cut.join(', ')}.`,
  ];
  return { text: lines.filter(Boolean).join('\n'), data: { id: saved.id, path, created: saved.created } };
}

function shortened(given: Arguments<'save_observation'>, made: Omit<typeof given, 'supersedes'>): string[] {
  const sizeOf = (value: string | string[] | undefined) =>
    value === undefined
      ? 0
      : typeof value === 'string'
        ? oneLine(value).replace(/\W+$/u, '').length
        : value.join('').length;
  const keys = ['title', 'subtitle', 'narrative', 'facts', 'concepts', 'files_modified', 'files_read'] as const;
  return keys.filter((key) => sizeOf(made[key]) < sizeOf(given[key]));
}
