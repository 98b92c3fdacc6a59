import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError, isSystemError } from '../errors.ts';
import type { BodyReader } from '../memory/body.ts';
import { decode, encode } from '../memory/codec.ts';
import { FOLDERS, parseFileName, storePath } from '../memory/file-name.ts';
import { blobId, isId } from '../memory/id.ts';
import { canonical, KINDS, type Kind, type MemoryRecord, type StoreName } from '../memory/record.ts';
import { appendLine, createFile, createFiles } from '../repo/atomic.ts';

/** A record's file as the folder listing shows it, unread. */
export interface Entry {
  store: StoreName;
  kind: Kind;
  /** Path inside the store, with forward slashes. */
  path: string;
  id: string;
  /** ISO 8601, UTC, whole seconds. */
  time: string;
  slug: string;
}

/** A record with where it came from. */
export interface StoredRecord {
  entry: Entry;
  record: MemoryRecord;
  /** Blob id of the file's bytes. */
  blob: string;
  /** The whole file. */
  text: string;
}

/** One store of records: a folder of Markdown files. It only ever adds files. */
export interface Store {
  name: StoreName;
  dir: string;
  /** Entries of these kinds, newest first, month by month, so that the newest N need no full listing. */
  newest(...kinds: Kind[]): Generator<Entry>;
  /** The ids of all records, in no order. */
  ids(): string[];
  /** Reads and decodes; throws bad-record, or a system error. */
  read(entry: Entry, reader?: BodyReader): StoredRecord;
  /** Writes a record unless one with its id is there; `created` tells which. Durable when it returns. Throws bad-record. */
  put(record: MemoryRecord): { path: string; created: boolean };
  /**
   * Writes many records whose ids the caller has looked for in the listing and not found; gives their paths. As durable as
   * `put`, at a fraction of its time. Throws bad-record before it writes any.
   */
  putNew(records: MemoryRecord[]): string[];
}

const MONTH = /^\d{4}-\d\d$/;

/** Larger files are not even read; a record is a thousandth of this. */
const MAX_BYTES = 4_000_000;

/**
 * Opens a store. `stage` is where files are written before they appear; `ledger` is the list of blobs that this clone
 * wrote itself (trust `own`), in the object format of the repository.
 */
export function openStore(options: {
  name: StoreName;
  dir: string;
  stage: string;
  ledger: string;
  format: 'sha1' | 'sha256';
}): Store {
  const { name, dir, stage, ledger, format } = options;

  function* newest(...kinds: Kind[]): Generator<Entry> {
    const wanted = kinds.length > 0 ? kinds : [...KINDS];
    const months = new Set(wanted.flatMap((kind) => namesIn(join(dir, FOLDERS[kind])).filter((n) => MONTH.test(n))));
    for (const month of [...months].sort().reverse()) {
      // Sorted as text, by time and id, and taken apart only when asked for: most callers want a few of thousands.
      const keys = wanted.flatMap((kind) =>
        namesIn(join(dir, FOLDERS[kind], month)).map(
          (file) => `${file.slice(0, 16)}${file.slice(-13)}/${kind}/${file}`,
        ),
      );
      for (const key of keys.sort().reverse()) {
        const [, kind, ...file] = key.split('/');
        const entry = entryOf(wanted.find((one) => one === kind) ?? 'observation', month, file.join('/'));
        if (entry) yield entry;
      }
    }
  }

  function ids(): string[] {
    const folders = Object.values(FOLDERS).flatMap((folder) =>
      namesIn(join(dir, folder))
        .filter((month) => MONTH.test(month))
        .map((month) => join(dir, folder, month)),
    );
    // The name's end is the id; taking the whole name apart would cost ten times as much.
    return folders.flatMap((folder) => namesIn(folder).map((file) => file.slice(-13, -3))).filter(isId);
  }

  function entriesIn(kind: Kind, month: string): Entry[] {
    return namesIn(join(dir, FOLDERS[kind], month)).flatMap((file) => entryOf(kind, month, file) ?? []);
  }

  function entryOf(kind: Kind, month: string, file: string): Entry | undefined {
    const parsed = parseFileName(file);
    return parsed && { store: name, kind, path: `${FOLDERS[kind]}/${month}/${file}`, ...parsed };
  }

  function read(entry: Entry, reader?: BodyReader): StoredRecord {
    const file = join(dir, entry.path);
    // A record is a regular file: a link could lead outside the store, a FIFO would hang the reader.
    const stat = lstatSync(file);
    if (!stat.isFile()) throw new GitMemError('bad-record', `${entry.path} is not a regular file.`);
    if (stat.size > MAX_BYTES) throw new GitMemError('bad-record', `${entry.path} has ${stat.size} bytes.`);
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return { entry, record: decode(text, entry.path, reader), blob: blobId(bytes, format), text };
  }

  const mode = name === 'private' ? 0o600 : 0o644;

  function put(record: MemoryRecord): { path: string; created: boolean } {
    const { clean, path, bytes } = toFile(record);
    const month = path.split('/')[1] ?? '';
    // A retry may find another title for the same id, so the id decides, not the name.
    const existing =
      entriesIn(clean.kind, month).find((entry) => entry.id === clean.id) ?? findId(clean.kind, clean.id);
    if (existing) return { path: existing.path, created: false };
    // First the ledger: a line without a file harms nothing, a file without its line would be taken for a stranger's.
    appendLine(ledger, blobId(bytes, format));
    return { path, created: createFile(join(dir, path), bytes, stage, mode) };
  }

  function putNew(records: MemoryRecord[]): string[] {
    const files = records.map(toFile);
    if (files.length === 0) return [];
    appendLine(ledger, files.map(({ bytes }) => blobId(bytes, format)).join('\n'));
    createFiles(
      files.map(({ path, bytes }) => ({ path: join(dir, path), content: bytes })),
      stage,
      mode,
    );
    return files.map(({ path }) => path);
  }

  function toFile(record: MemoryRecord): { clean: MemoryRecord; path: string; bytes: Buffer } {
    const clean = canonical(record);
    // The id becomes part of a path.
    if (!isId(clean.id)) throw new GitMemError('bad-record', `${JSON.stringify(clean.id)} is no id of a record.`);
    return { clean, path: storePath(clean), bytes: Buffer.from(encode(clean)) };
  }

  function findId(kind: Kind, id: string): Entry | undefined {
    for (const entry of newest(kind)) if (entry.id === id) return entry;
    return undefined;
  }

  return { name, dir, newest, ids, read, put, putNew };
}

/** The blob ids in a ledger. */
export function readLedger(ledger: string): Set<string> {
  try {
    return new Set(readFileSync(ledger, 'utf8').split('\n').filter(Boolean));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return new Set();
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
