import { GitMemError } from '../../errors.ts';
import type { BodyReader } from '../body.ts';
import { decode } from '../codec.ts';
import { FOLDERS, idInName, isMonth, parseFileName } from '../file-name.ts';
import { blobId, isId } from '../id.ts';
import { KINDS, type Kind, type MemoryRecord, type StoreName } from '../record.ts';
import { MAX_RECORD_BYTES } from '../size.ts';
import { greatestFirst } from './greatest-first.ts';

/** A record's file as the folder listing shows it, without its content. */
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

/** A record's file, read and not decoded. */
export interface StoredFile {
  entry: Entry;
  /** Blob id of the file's bytes. */
  blob: string;
  /** The whole file. */
  text: string;
}

/** A record with where it came from. */
export interface StoredRecord extends StoredFile {
  record: MemoryRecord;
}

/** What is known about a file without reading it. */
export interface FileState {
  isFile: boolean;
  size: number;
  /** Times in milliseconds. */
  modifiedMs: number;
  changedMs: number;
}

/** Where a store's files are: a folder, or a commit's tree. Paths are inside the store, with forward slashes. */
export interface RecordFiles {
  /** Names in a folder; none if it does not exist. */
  names(folder: string): string[];
  /** The state of the file itself, never of a link's target; undefined if it does not exist or is not accessible. */
  state(path: string): FileState | undefined;
  /** Throws a system error. */
  bytes(path: string): Buffer;
}

/** The reading half of a store. */
export interface RecordSource {
  name: StoreName;
  files: RecordFiles;
  /** Entries of these kinds, newest first, month by month, so that the newest N need no full listing. */
  newest(...kinds: Kind[]): Generator<Entry>;
  /** Entries of these kinds, in no order, whose bare file name is wanted, so that few of many names are parsed. */
  matching(isWanted: (name: string) => boolean, ...kinds: Kind[]): Entry[];
  /** The folders that hold records of these kinds, one per month, as paths inside the store. */
  folders(...kinds: Kind[]): string[];
  /** The ids of all records, in no order. */
  ids(): string[];
  /** Reads without decoding; throws bad-record unless it is a regular file of at most `maxBytes`, or a system error. */
  load(entry: Entry, maxBytes?: number): StoredFile;
  /** Reads and decodes; throws bad-record, or a system error. */
  read(entry: Entry, reader?: BodyReader): StoredRecord;
}

/** Reads records from wherever their files are. */
export function openSource(name: StoreName, files: RecordFiles, format: 'sha1' | 'sha256'): RecordSource {
  function* newest(...kinds: Kind[]): Generator<Entry> {
    const wanted = kinds.length > 0 ? kinds : [...KINDS];
    const months = new Set(wanted.flatMap((kind) => files.names(FOLDERS[kind]).filter(isMonth)));
    for (const month of [...months].sort().reverse()) {
      const paths = wanted.flatMap((kind) => {
        const folder = `${FOLDERS[kind]}/${month}`;
        return files.names(folder).map((file) => `${folder}/${file}`);
      });
      yield* newestFirst(name, paths);
    }
  }

  function folders(...kinds: Kind[]): string[] {
    return (kinds.length > 0 ? kinds : KINDS).flatMap((kind) =>
      files
        .names(FOLDERS[kind])
        .filter(isMonth)
        .map((month) => `${FOLDERS[kind]}/${month}`),
    );
  }

  const matching = (isWanted: (name: string) => boolean, ...kinds: Kind[]) =>
    folders(...kinds).flatMap((folder) =>
      files
        .names(folder)
        .filter(isWanted)
        .flatMap((file) => entryAt(name, `${folder}/${file}`) ?? []),
    );

  // The name ends with the id; parsing the whole name would cost ten times as much.
  const ids = () => folders().flatMap((folder) => files.names(folder).map(idInName).filter(isId));

  function load(entry: Entry, maxBytes = MAX_RECORD_BYTES): StoredFile {
    // A record is a regular file: a link could lead outside the store, a FIFO would hang the reader.
    const state = files.state(entry.path);
    if (state?.isFile === false) throw new GitMemError('bad-record', `${entry.path} is not a regular file.`);
    if (state !== undefined && state.size > maxBytes) {
      throw new GitMemError('bad-record', `${entry.path} has ${state.size} bytes.`);
    }
    const bytes = files.bytes(entry.path);
    return { entry, blob: blobId(bytes, format), text: bytes.toString('utf8') };
  }

  const read = (entry: Entry, reader?: BodyReader) => decodeFile(load(entry), reader);

  return { name, files, newest, matching, folders, ids, load, read };
}

/** What the path of a record's file says about it; undefined for another file. */
export function entryAt(store: StoreName, path: string): Entry | undefined {
  const kind = KINDS.find((one) => path.startsWith(`${FOLDERS[one]}/`));
  const parsed = parseFileName(path);
  return kind && parsed && { store, kind, path, ...parsed };
}

/** Entries at some paths, newest first, sorted only as far as they are read: most callers want a few of thousands. */
export function* newestFirst(store: StoreName, paths: Iterable<string>): Generator<Entry> {
  const keys = [...paths].map((path) => {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return `${file.slice(0, 16)}${file.slice(-13)} ${path}`;
  });
  for (const key of greatestFirst(keys)) {
    const entry = entryAt(store, key.slice(key.indexOf(' ') + 1));
    if (entry) yield entry;
  }
}

/** The record in a file, with what else is known about the file; throws bad-record. */
export function decodeFile<F extends StoredFile>(file: F, reader?: BodyReader): F & StoredRecord {
  return { ...file, record: decode(file.text, file.entry.path, reader) };
}

/**
 * The three steps from a listed file to its record for callers that skip what cannot be read: a file that is gone, too
 * large or not a record counts nowhere, and `git mem check` reports it.
 */
export function loadable(source: RecordSource, entry: Entry, maxBytes?: number): StoredFile | undefined {
  return unlessBroken(() => source.load(entry, maxBytes));
}

export function decodable<F extends StoredFile>(file: F): (F & StoredRecord) | undefined {
  return unlessBroken(() => decodeFile(file));
}

export function readable(source: RecordSource, entry: Entry): StoredRecord | undefined {
  return unlessBroken(() => source.read(entry));
}

function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
