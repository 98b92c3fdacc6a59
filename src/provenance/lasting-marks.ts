import { readBlobs, type TreeFile } from '../git/objects.ts';
import { keptFolder } from '../kept/facts.ts';
import { idInName, parseFileName, parseMarkSlug, soleTarget } from '../memory/file-name.ts';
import { activeMarks } from '../memory/marks.ts';
import { MAX_HOOK_BYTES } from '../memory/size.ts';
import { readOwnMarks } from '../memory/store/ledger.ts';
import {
  decodable,
  type Entry,
  entryAt,
  loadable,
  readable,
  type StoredFile,
  type StoredRecord,
} from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted, reviewedTrees, withTrust } from './trust.ts';

// A branch can remove a mark from the checkout, and so restore what was retired or redacted. So the marks of the
// default branch and those in this clone's ledger count for every checkout, as long as git still has them.

const FOLDER = '.memory/marks';

/**
 * The marks of the default branches and of this clone's ledger, by their paths inside the team's store; none for the
 * memory of a past commit. One git child for each default branch that has moved since the last time.
 */
export async function lastingMarks(workspace: Workspace, branches?: string[]): Promise<TreeFile[]> {
  const { at } = workspace;
  // A revision's memory is shown as it was then.
  if (at !== undefined) return [];
  const reviewed = branches ?? (await reviewedTrees(workspace));
  const trees = await Promise.all(reviewed.map((branch) => keptFolder(workspace, branch, FOLDER)));
  const marks = new Map<string, TreeFile>();
  for (const { blob, path } of readOwnMarks(workspace)) marks.set(blob, { path, blob });
  for (const { path, blob } of trees.flatMap((tree) => tree ?? [])) {
    marks.set(blob, { path: path.slice('.memory/'.length), blob });
  }
  return [...marks.values()];
}

/**
 * The lasting marks that are not among the files read, at the same path: a copy elsewhere is not trusted. All of them,
 * or only those that may be about some ids, or whose name is wanted (`isWanted`). They count like trusted marks in the
 * checkout.
 */
export async function removedMarks(
  workspace: Workspace,
  read: Iterable<{ entry: Pick<Entry, 'path'>; blob: string }>,
  {
    about,
    branches,
    isWanted = () => true,
  }: { about?: Iterable<string>; branches?: string[]; isWanted?: (slug: string) => boolean } = {},
): Promise<StoredRecord[]> {
  if (workspace.now !== undefined) return redactionsNow(workspace.now);
  const here = new Set([...read].map(({ entry, blob }) => `${blob} ${entry.path}`));
  const all = (await lastingMarks(workspace, branches)).filter(({ blob, path }) => !here.has(`${blob} ${path}`));
  const lasting = all.filter(({ path }) => isWanted(parseFileName(path)?.slug ?? ''));
  const { files } = await readMarks(workspace, about === undefined ? lasting : marksAbout(lasting, new Set(about)));
  return files.flatMap((file) => decodable(file) ?? []);
}

/** The redact marks that count in a checkout: what they hide is not shown in a past commit's memory either. */
async function redactionsNow(workspace: Workspace): Promise<StoredRecord[]> {
  const found = await marksNamed(workspace, (slug) =>
    [undefined, 'redact', 'undo'].includes(parseMarkSlug(slug)?.type),
  );
  if (found.length === 0) return [];
  const judged = await withTrust(found, workspace, { signatures: true });
  const trusted = judged.filter(({ trust }) => isTrusted(trust));
  const active = activeMarks(trusted.flatMap(({ record }) => (record.kind === 'mark' ? [record] : [])));
  return trusted.flatMap((one) => {
    const record = active.find((mark) => mark.id === one.record.id && mark.type === 'redact');
    return record === undefined ? [] : [{ ...one, record }];
  });
}

/** The readable marks of both stores whose names are wanted. */
export function marksHere({ stores }: Workspace, isWanted: (slug: string) => boolean = () => true): StoredRecord[] {
  return [stores.team, stores.private].flatMap((store) =>
    [...store.newest('mark')].flatMap((entry) => (isWanted(entry.slug) ? (readable(store, entry) ?? []) : [])),
  );
}

/** The marks whose names are wanted, in both stores, and those that count although this checkout lacks them. */
export async function marksNamed(workspace: Workspace, isWanted: (slug: string) => boolean): Promise<StoredRecord[]> {
  const here = marksHere(workspace, isWanted);
  return [...here, ...(await removedMarks(workspace, here, { isWanted }))];
}

/**
 * The marks about these ids by their file names; with `alsoGeneral`, also those whose names do not say. An `undo` names
 * a mark, so the search also covers the marks that are found.
 */
export function marksAbout(marks: TreeFile[], ids: ReadonlySet<string>, alsoGeneral = true): TreeFile[] {
  const about = marks.filter(({ path }) => {
    // Nearly all marks are about one record that is not asked for: this avoids parsing their names.
    const target = soleTarget(path.slice(path.lastIndexOf('/') + 1));
    return target === undefined ? alsoGeneral : ids.has(target);
  });
  const undoing = marks.filter(({ path }) => path.includes('-undo-'));
  if (alsoGeneral || undoing.length === 0) return about;
  const found = new Set(about.map(({ path }) => idInName(path)));
  return [
    ...about,
    ...undoing.filter(({ path }) => found.has(parseMarkSlug(parseFileName(path)?.slug ?? '')?.target ?? '')),
  ];
}

/**
 * Reads marks from the checkout if they are unchanged there, and the others from git with one child; `inTheirPlace` are
 * files of other content at the same paths in the checkout.
 */
export async function readMarks(
  { stores, checkout, env }: Workspace,
  marks: TreeFile[],
): Promise<{ files: StoredFile[]; inTheirPlace: StoredFile[] }> {
  const files: StoredFile[] = [];
  const inTheirPlace: StoredFile[] = [];
  const absent = new Map<string, Entry>();
  for (const { path, blob } of marks) {
    const entry = entryAt('team', path);
    if (entry === undefined) continue;
    // Not in this checkout, perhaps, or something else is in its place.
    const file = loadable(stores.team, entry, MAX_HOOK_BYTES);
    if (file?.blob === blob) files.push(file);
    else absent.set(blob, entry);
    if (file !== undefined && file.blob !== blob) inTheirPlace.push(file);
  }
  // A mark that was never committed has no blob in git: its removal here is final.
  for (const [blob, bytes] of await readBlobs(checkout.root, absent.keys(), env)) {
    const entry = absent.get(blob);
    if (entry !== undefined && bytes.length <= MAX_HOOK_BYTES)
      files.push({ entry, blob, text: bytes.toString('utf8') });
  }
  return { files, inTheirPlace };
}
