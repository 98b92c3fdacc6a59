import { join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { canonical } from '../canonical.ts';
import { encode } from '../codec.ts';
import { canonicalPath, idInName } from '../file-name.ts';
import { blobId, isId } from '../id.ts';
import type { MemoryRecord, StoreName } from '../record.ts';
import { createFile, createFiles } from './atomic.ts';
import { folderFiles, requireOwnFolder } from './folder.ts';
import { hold } from './held.ts';
import { ledgerIn, noteOwn } from './ledger.ts';
import { openSource, type RecordSource } from './source.ts';

/** One store of records: a folder of Markdown files. It only ever adds files. */
export interface Store extends RecordSource {
  dir: string;
  /**
   * Writes a record unless its id exists; `created` tells which. Durable when it returns. With `waits` it stays untrusted
   * until a person accepts it. Throws bad-record, cannot-write.
   */
  put(record: MemoryRecord, how?: { waits: boolean }): { path: string; created: boolean };
  /**
   * Writes many records whose ids the caller has not found in the listing; returns their paths. When it is done they
   * are as durable as after `put`, in a fraction of the time.
   */
  putNew(files: RecordFile[]): Promise<string[]>;
}

/** A record to write: its canonical form, its path inside a store, and its bytes. */
export interface RecordFile {
  record: MemoryRecord;
  path: string;
  bytes: Buffer;
}

/** Makes the file of a record. Throws bad-record for one without an id. */
export function recordFile(record: MemoryRecord): RecordFile {
  const clean = canonical(record);
  // The id becomes part of a path.
  if (!isId(clean.id)) throw new GitMemError('bad-record', `${JSON.stringify(clean.id)} is not the id of a record.`);
  return { record: clean, path: canonicalPath(clean), bytes: Buffer.from(encode(clean)) };
}

/**
 * Opens a store. In `state`, the folder for what is not memory, files are written before they appear, blobs that this clone
 * wrote itself are listed (trust `own`), and what it wrote for the team is held. `format`: the repository's object format.
 */
export function openStore(options: { name: StoreName; dir: string; state: string; format: 'sha1' | 'sha256' }): Store {
  const { name, dir, state, format } = options;
  const stage = join(state, 'stage');
  const ledger = ledgerIn(state);

  const source = openSource(name, folderFiles(dir, name === 'private'), format);
  const mode = name === 'private' ? 0o600 : 0o644;

  function put(record: MemoryRecord, { waits } = { waits: false }): { path: string; created: boolean } {
    const { record: clean, path, bytes } = recordFile(record);
    // A retry may produce another title for the same id, so the id decides, not the name.
    const existing = source.matching((file) => idInName(file) === clean.id, clean.kind)[0]?.path;
    if (existing !== undefined) return { path: existing, created: false };
    requireOwnFolder(dir, path, name === 'private');
    // The ledger first: a line without a file does no harm, a file without its line would be untrusted.
    if (!waits) noteOwn(ledger, name, [{ blob: blobId(bytes, format), path }]);
    const created = createFile(join(dir, path), bytes, stage, mode);
    if (name === 'team') hold(state, [{ path, bytes }]);
    return { path, created };
  }

  async function putNew(files: RecordFile[]): Promise<string[]> {
    if (files.length === 0) return [];
    for (const { path } of files) requireOwnFolder(dir, path, name === 'private');
    const written = files.map(({ bytes, path }) => ({ blob: blobId(bytes, format), path }));
    noteOwn(ledger, name, written);
    const whole = files.map(({ path, bytes }) => ({ path: join(dir, path), content: bytes }));
    await createFiles(whole, stage, mode);
    if (name === 'team') hold(state, files);
    return files.map(({ path }) => path);
  }

  return { ...source, dir, put, putNew };
}
