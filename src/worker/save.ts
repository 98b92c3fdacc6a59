import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { GitMemError } from '../errors.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { blobId, idOf } from '../memory/id.ts';
import { canonical, type Observation, type StoreName } from '../memory/record.ts';
import { readHead } from '../repo/locate.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Cleaner } from './clean.ts';

/** A hand-made observation, before git-mem adds what it knows itself. */
export type HandMade = Pick<Observation, 'type' | 'title' | 'narrative' | 'facts' | 'concepts'> &
  Pick<Observation, 'files_modified' | 'files_read' | 'supersedes'> &
  Partial<Pick<Observation, 'id' | 'subtitle' | 'session' | 'prompt_number' | 'extra'>>;

/**
 * Writes a hand-made observation: freed of secrets, with the branch, the commit and the anchors of this moment. Its id
 * is over its content, so that adding it twice writes it once. Throws bad-input when it has no title.
 */
export async function save(
  workspace: Workspace,
  made: HandMade,
  options: { store: StoreName; by: string; now: Date; cwd: string; cleaner: Cleaner },
): Promise<{ id: string; path: string; created: boolean }> {
  const { checkout, format } = workspace;
  const { cleaner, cwd, store } = options;
  const title = await cleaner.text(made.title);
  if (title.trim() === '') {
    throw new GitMemError('bad-input', 'The record has no title.', { hint: 'Give one with --title "One line".' });
  }
  const paths = (files: string[]) => files.map((file) => repositoryPath(checkout.root, cwd, file));
  const files_modified = paths(made.files_modified);
  const files_read = paths(made.files_read);
  const subtitle = made.subtitle && (await cleaner.text(made.subtitle));
  const content = canonical({
    id: '',
    kind: 'observation',
    type: made.type,
    title,
    ...(subtitle && { subtitle }),
    concepts: made.concepts,
    files_modified,
    files_read,
    anchors: anchorsOf(checkout.root, [...files_modified, ...files_read], format),
    supersedes: made.supersedes,
    ...(made.session && { session: made.session }),
    ...(made.prompt_number !== undefined && { prompt_number: made.prompt_number }),
    ...readHead(checkout),
    generated: { by: options.by, at: wholeSeconds(options.now) },
    narrative: await cleaner.text(made.narrative),
    facts: await Promise.all(made.facts.map((fact) => cleaner.text(fact))),
    ...(made.extra && { extra: made.extra }),
  });
  const { type, narrative, facts, concepts, supersedes } = content;
  const id =
    made.id ??
    idOf(JSON.stringify([type, content.title, subtitle, narrative, facts, concepts, files_modified, supersedes]));
  const { path, created } = workspace.stores[store].put({ ...content, id });
  return { id, path, created };
}

/** A path as it stands in records; throws bad-input for one outside the repository. */
function repositoryPath(root: string, cwd: string, file: string): string {
  const below = relative(root, resolve(cwd, file)).split(sep).join('/');
  if (below !== '' && !below.startsWith('../') && below !== '..' && !isAbsolute(below)) return below;
  throw new GitMemError('bad-input', `${file} does not lie in this repository.`, {
    hint: 'Cite files by their path from the current directory.',
  });
}

function anchorsOf(root: string, paths: string[], format: 'sha1' | 'sha256'): Record<string, string> {
  const anchors: Record<string, string> = {};
  for (const path of paths) {
    const file = join(root, path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) anchors[path] = blobId(readFileSync(file), format);
  }
  return anchors;
}
