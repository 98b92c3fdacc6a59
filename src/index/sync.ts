import { createHash } from 'node:crypto';
import { GitMemError, isSystemError, messageOf } from '../errors.ts';
import { isSettled } from '../kept/keep.ts';
import { parseFileName } from '../memory/file-name.ts';
import { blobId } from '../memory/id.ts';
import type { StoreName } from '../memory/record.ts';
import { MAX_RECORD_BYTES } from '../memory/size.ts';
import type { FileState, RecordSource } from '../memory/store/source.ts';
import type { Store } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { decodeLazily, documentOf } from './document.ts';
import type { Changes, IndexDocument, KnownFile, MemoryIndex } from './memory-index.ts';

/** Documents added at once: more of them, with their files, would fill the memory on a first sync. */
const BATCH = 10_000;

/** The index's note that records came or went since its vectors were learned. */
export const UNLEARNED = 'unlearned';

/** The differences that a sync found between the files and the index. */
export interface SyncReport {
  /** Files that are new or have different content. */
  changed: number;
  gone: number;
  /** Documents that the index had never seen. */
  added: number;
  /** Files that are not records, among those checked. */
  problems: { store: StoreName; path: string; message: string }[];
}

/** The report of a sync that found no difference. */
export const NO_CHANGES: SyncReport = { changed: 0, gone: 0, added: 0, problems: [] };

/**
 * Brings the index up to date with both stores' folders, in one transaction; a very large difference in several, each
 * of whole folders, so that an interrupted sync is resumed by the next one. Unchanged folders are skipped, only files
 * whose size or times differ are read, and only content that is new to the index is decoded.
 */
export async function sync(workspace: Workspace, index: MemoryIndex, now = Date.now()): Promise<SyncReport> {
  const report: SyncReport = { changed: 0, gone: 0, added: 0, problems: [] };
  let changes: Changes = { seen: [], gone: [], documents: [], folders: [] };
  const fresh = new Map<string, IndexDocument | undefined>();
  for (const store of [workspace.stores.team, workspace.stores.private]) {
    const noted = index.folders(store.name);
    for (const folder of store.folders()) {
      const { files, digest } = scanFolder(store, folder, now);
      const isNews = digest !== noted.get(folder);
      noted.delete(folder);
      if (digest !== '' && !isNews) continue;
      const before = index.files(store.name, folder);
      for (const [name, state] of files()) {
        const path = `${folder}/${name}`;
        await take(store, path, state, before.get(path));
        before.delete(path);
      }
      leave(store, before.keys());
      if (isNews) changes.folders.push({ store: store.name, folder, digest });
      if (changes.documents.length >= BATCH) flush();
    }
    for (const folder of noted.keys()) {
      leave(store, index.files(store.name, folder).keys());
      changes.folders.push({ store: store.name, folder });
    }
  }
  flush();
  return report;

  function leave(store: Store, paths: Iterable<string>): void {
    for (const path of paths) changes.gone.push({ store: store.name, path });
  }

  function flush(): void {
    if (changes.folders.length + changes.seen.length + changes.gone.length === 0) return;
    report.gone += changes.gone.length;
    report.added += changes.documents.length;
    // In key order, which fills the tables' pages.
    changes.seen.sort((a, b) => (a.path < b.path ? -1 : 1));
    changes.documents.sort((a, b) => (a.card.created < b.card.created ? -1 : 1));
    if (report.changed > 0 || report.gone > 0) index.setMeta(UNLEARNED, '1');
    index.apply(changes);
    // Unreadable content stays known for other files with the same content.
    for (const { blob } of changes.documents) fresh.delete(blob);
    changes = { seen: [], gone: [], documents: [], folders: [] };
  }

  async function take(store: Store, path: string, state: FileState | undefined, before?: KnownFile): Promise<void> {
    const file = look(store, path, state, before, workspace.format, now);
    if (file === 'unchanged') return;
    if (file === undefined) {
      // Removed between listing and checking.
      if (before !== undefined) changes.gone.push({ store: store.name, path });
      return;
    }
    const { bytes, ...seen } = file;
    if (before === undefined || seen.blob !== index.blobAt(store.name, path)) report.changed++;
    if (bytes !== undefined && !fresh.has(seen.blob) && !index.knows(seen.blob)) {
      try {
        const document = documentOf(await decodeLazily(bytes.toString('utf8'), path), seen.blob);
        fresh.set(seen.blob, document);
        changes.documents.push(document);
      } catch (error) {
        if (!(error instanceof GitMemError)) throw error;
        fresh.set(seen.blob, undefined);
        report.problems.push({ store: store.name, path, message: messageOf(error) });
      }
    }
    // A file that is not a record is noted too, or every sync would read it again.
    const readable = !fresh.has(seen.blob) || fresh.get(seen.blob) !== undefined;
    const { blob, ...rest } = seen;
    changes.seen.push({ store: store.name, path, ...rest, ...(readable && bytes !== undefined && { blob }) });
  }
}

interface Looked extends KnownFile {
  blob: string;
  /** Undefined for something that cannot be a record, such as a folder. */
  bytes: Buffer | undefined;
}

/** The file's current content, or 'unchanged' if nothing about it is suspicious; undefined if it is missing. */
function look(
  store: Store,
  path: string,
  state: FileState | undefined,
  before: KnownFile | undefined,
  format: 'sha1' | 'sha256',
  now: number,
): Looked | 'unchanged' | undefined {
  if (state === undefined) return undefined;
  const { size, modifiedMs, changedMs } = state;
  // checkout rewrites times, so other times are only a suspicion; the blob id decides.
  if (before?.size === size && before.modifiedMs === modifiedMs && before.changedMs === changedMs) return 'unchanged';
  const settled = isSettled(state, now);
  const times = { modifiedMs: settled ? modifiedMs : -1, changedMs: settled ? changedMs : -1 };
  if (!state.isFile || size > MAX_RECORD_BYTES) return { blob: '', bytes: undefined, size, ...times };
  try {
    const bytes = store.files.bytes(path);
    return { blob: blobId(bytes, format), bytes, size, ...times };
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EPERM', 'EISDIR')) return undefined;
    throw error;
  }
}

/** Numbers kept per file: its size, both times, and whether it is a regular file; all NaN if it does not exist. */
const NUMBERS = 4;

/**
 * A folder's record files with their states, without reading any, and a digest over all names, sizes and times, which alone
 * usually shows that nothing changed; empty while a file is so young that it could change without its time changing.
 */
function scanFolder(
  source: RecordSource,
  folder: string,
  now: number,
): { files(): [name: string, state: FileState | undefined][]; digest: string } {
  const names = source.files.names(folder);
  // Numbers in one array: V8 would copy ten thousand live objects again and again.
  const numbers = new Float64Array(names.length * NUMBERS).fill(Number.NaN);
  let settled = true;
  for (let i = 0, at = 0; i < names.length; i++, at += NUMBERS) {
    const state = source.files.state(`${folder}/${names[i]}`);
    if (state === undefined) continue;
    settled &&= isSettled(state, now);
    numbers[at] = state.size;
    numbers[at + 1] = state.modifiedMs;
    numbers[at + 2] = state.changedMs;
    numbers[at + 3] = Number(state.isFile);
  }
  const files = () =>
    names.flatMap((name, i): [string, FileState | undefined][] => {
      if (parseFileName(name) === undefined) return [];
      const [size = 0, modifiedMs = 0, changedMs = 0, isFile] = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS);
      return [[name, Number.isNaN(size) ? undefined : { isFile: isFile === 1, size, modifiedMs, changedMs }]];
    });
  const digest = settled ? createHash('sha1').update(names.join('/')).update(numbers).digest('base64') : '';
  return { files, digest };
}
