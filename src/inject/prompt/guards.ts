import { commitOf, keptFolder } from '../../kept/facts.ts';
import { parseFileName, parseMarkSlug } from '../../memory/file-name.ts';
import { decodable, type StoredFile } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { readMarks } from '../../provenance/lasting-marks.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import { type Guard, isDated, readGuards, writeGuards } from './guard-note.ts';

/**
 * The guards that reviewed marks set, whether or not this checkout has these marks. Read from git again only if the
 * reviewed branch has moved since the last time.
 */
export async function guardsIn(workspace: Workspace): Promise<Guard[]> {
  const { layout, checkout } = workspace;
  const branches = await reviewedTrees(workspace);
  const commits = branches.map((branch) => commitOf(checkout, branch));
  const key = commits.every((commit) => commit !== undefined) ? commits.join(' ') : undefined;
  const noted = readGuards(layout.state, checkout);
  const isKnown = key !== undefined && noted?.commits === key;
  const guards = isKnown ? noted.guards : await reviewedGuards(workspace, branches);
  if (key !== undefined && !(isKnown && isDated(layout.state, checkout)))
    writeGuards(layout.state, checkout, { commits: key, guards });
  return guards;
}

async function reviewedGuards(workspace: Workspace, branches: string[]): Promise<Guard[]> {
  const trees = await Promise.all(branches.map((branch) => keptFolder(workspace, branch, '.memory/marks')));
  const pins = trees
    .flatMap((tree) => tree ?? [])
    .filter(({ path }) => parseMarkSlug(parseFileName(path)?.slug ?? '')?.type === 'pin')
    .map(({ path, blob }) => ({ path: path.slice('.memory/'.length), blob }));
  const { files } = await readMarks(workspace, pins);
  return files.flatMap(guardOf);
}

/** The guard that a mark sets; empty for one that guards nothing or cannot be parsed. */
function guardOf(file: StoredFile): Guard[] {
  const record = decodable(file)?.record;
  if (record?.kind !== 'mark' || record.type !== 'pin' || record.guards === undefined) return [];
  const { id, targets, guards, asks } = record;
  return [{ mark: id, targets, patterns: guards, asks: asks === 'person' }];
}
