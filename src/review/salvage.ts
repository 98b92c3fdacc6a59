import { join } from 'node:path';
import { GitMemError } from '../errors.ts';
import { askGit, commitNamed, readBlobs } from '../git/objects.ts';
import { decode } from '../memory/codec.ts';
import { FOLDERS, isMonth, parseFileName } from '../memory/file-name.ts';
import { blobId } from '../memory/id.ts';
import { foldMarks } from '../memory/marks.ts';
import { outlineReader } from '../memory/outline.ts';
import type { Kind, MemoryRecord } from '../memory/record.ts';
import { MAX_RECORD_BYTES } from '../memory/size.ts';
import { createFiles } from '../memory/store/atomic.ts';
import { requireOwnFolder } from '../memory/store/folder.ts';
import { readLedgers } from '../memory/store/ledger.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { marksHere } from '../provenance/lasting-marks.ts';
import { removedByReverts } from '../provenance/reverts.ts';
import { elsewhere, type Version } from '../provenance/salvage-sources.ts';

/** A record missing from this checkout: it was never here, or a revert removed it. */
export interface LostRecord {
  record: MemoryRecord;
  /** Path inside the store. */
  path: string;
  from: string;
  bytes: Buffer;
  /** This clone wrote it, and therefore trusts it. */
  isOwn: boolean;
}

interface Wanted {
  /** Prefixes of the wanted ids; empty for all. */
  ids: string[];
  isClean(text: string): Promise<boolean>;
}

/** The result of a search for lost records. */
export interface Lost {
  found: LostRecord[];
  /** Records that are not copied, and why. */
  skipped: { id: string; from: string; reason: string }[];
  /** Sentences about places that could not be searched. */
  notes: string[];
}

/**
 * Finds records that exist only in other worktrees, unmerged or deleted branches, stashes, reflogs or dangling commits,
 * and those that a revert removed from HEAD's history. Any other record that this history once had was deleted on purpose.
 * Records that a mark redacts, here or there, are skipped, as are those with secrets. Marks come with their records.
 */
export async function findLost(workspace: Workspace, options: Wanted): Promise<Lost> {
  const head = await commitNamed(workspace.checkout.root, 'HEAD', workspace.env);
  const { versions, notes } = await elsewhere(workspace, head);
  const past = await idsInHistory(workspace, head);
  const here = [...workspace.stores.team.ids(), ...workspace.stores.private.ids()];
  // What a revert deleted was not meant to be forgotten: that it was tried is worth knowing.
  const reverted = head === undefined ? [] : await removedByReverts(workspace);
  const backIds = new Set(reverted.flatMap(({ path }) => placeOf(path)?.id ?? []));
  const known = new Set([...here, ...past.filter((id) => !backIds.has(id))]);
  const isAsked = (id: string) => options.ids.length === 0 || options.ids.some((start) => id.startsWith(start));
  const lost = new Map<string, Version[]>();
  for (const version of [...reverted, ...versions]) {
    const id = placeOf(version.path)?.id;
    if (id !== undefined && !known.has(id)) lost.set(id, [...(lost.get(id) ?? []), version]);
  }
  const skipped: Lost['skipped'] = [];
  const records = await readAll(workspace, lost, skipped);
  const states = foldMarks([...marksHere(workspace), ...records].map(({ record }) => record));
  const nonMarks: LostRecord[] = [];
  for (const one of records) {
    const { record, from, bytes } = one;
    if (record.kind === 'mark' || !isAsked(record.id)) continue;
    if (states.of(record.id).redacted) skipped.push({ id: record.id, from, reason: 'redacted' });
    else if (!(await options.isClean(bytes.toString('utf8')))) skipped.push({ id: record.id, from, reason: 'secret' });
    else nonMarks.push(one);
  }
  return { found: [...nonMarks, ...(await marksOn(nonMarks, records, options))], skipped, notes };
}

/** Copies records byte for byte and returns their ids. The ledger does not note them: this clone did not write them. */
export async function copyHere({ layout }: Workspace, lost: LostRecord[]): Promise<string[]> {
  // Marks first: a mark without its record has no effect, but a record without its marks would show what was withdrawn.
  const files = [...lost].sort((a, b) => Number(b.record.kind === 'mark') - Number(a.record.kind === 'mark'));
  for (const { path } of files) requireOwnFolder(layout.memory, path);
  await createFiles(
    files.map(({ path, bytes }) => ({ path: join(layout.memory, path), content: bytes })),
    join(layout.state, 'stage'),
  );
  return lost.map(({ record }) => record.id);
}

/** The marks on these records, and those asked for by id. */
async function marksOn(nonMarks: LostRecord[], records: LostRecord[], { ids, isClean }: Wanted) {
  const about = new Set(nonMarks.map(({ record }) => record.id));
  const marks: LostRecord[] = [];
  for (;;) {
    const more = records.filter(({ record }) => {
      if (record.kind !== 'mark' || about.has(record.id)) return false;
      const isAbout = [...record.targets, record.by ?? ''].some((id) => about.has(id));
      return isAbout || ids.some((start) => record.id.startsWith(start));
    });
    if (more.length === 0) break;
    // An undo targets a mark, so repeat with the marks just added.
    for (const one of more) {
      about.add(one.record.id);
      if (await isClean(one.bytes.toString('utf8'))) marks.push(one);
    }
  }
  return marks;
}

/** The record's id and kind, from its path; undefined if no record belongs there. */
function placeOf(path: string): { id: string; kind: Kind } | undefined {
  const [folder, month = '', file = '', ...rest] = path.split('/');
  const kind = (['observation', 'summary', 'mark'] as const).find((one) => FOLDERS[one] === folder);
  const name = rest.length === 0 && isMonth(month) ? parseFileName(file) : undefined;
  return kind && name && { id: name.id, kind };
}

/** The first readable version of each record: in order of the places, and the newest within a place. */
async function readAll(workspace: Workspace, lost: Map<string, Version[]>, skipped: Lost['skipped']) {
  const { checkout, env, format } = workspace;
  const wanted = [...lost.values()].flat().flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  const blobs = await readBlobs(checkout.root, wanted, env);
  const own = readLedgers(workspace);
  return [...lost].flatMap(([id, versions]) => {
    for (const { path, from, content } of versions) {
      const bytes = typeof content === 'string' ? blobs.get(content) : content();
      const record = bytes && recordIn(bytes, path, id);
      if (record) return [{ record, path, from, bytes, isOwn: own.has(blobId(bytes, format)) }];
    }
    skipped.push({ id, from: versions[0]?.from ?? '', reason: 'unreadable' });
    return [];
  });
}

/** The record that a file claims to be; undefined if it is another one, or none. */
function recordIn(bytes: Buffer, path: string, id: string): MemoryRecord | undefined {
  if (bytes.length > MAX_RECORD_BYTES) return undefined;
  try {
    const record = decode(bytes.toString('utf8'), path, outlineReader);
    return record.id === id && record.kind === placeOf(path)?.kind ? record : undefined;
  } catch {
    return undefined; // The caller reports it.
  }
}

/** The ids of all records ever in HEAD's history, from the names of their files. */
async function idsInHistory(workspace: Workspace, head: string | undefined): Promise<string[]> {
  if (head === undefined) return [];
  const args = ['rev-list', '--objects', '--full-history', head, '--', '.memory'];
  const output = await askGit(workspace, args);
  if (output === undefined) {
    throw new GitMemError('git', 'git could not list the history of .memory.', { hint: 'Run `git fsck` to see why.' });
  }
  return output.split('\n').flatMap((line) => parseFileName(line)?.id ?? []);
}
