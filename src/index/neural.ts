import { GitMemError, messageOf } from '../errors.ts';
import { isContent } from '../memory/record.ts';
import { entryAt } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Cache } from './cache.ts';
import { readLazily, textsOf } from './document.ts';
import type { Embedder } from './embed/embedder.ts';
import { toFloatBytes } from './embed/quantised.ts';
import type { IndexedDocument, MemoryIndex, RecordIndex, WordIndex } from './memory-index.ts';
import { isUnwritable } from './open.ts';

/** Records embedded between two writes, so that an interruption loses few paid vectors. */
const CHUNK = 64;

/** Documents read per batch when all are checked: all at once would fill the memory. */
const LOOKED_AT = 500;

/** Meta key for the model that the index's vectors are from: its name and their dimensions. */
const HELD = 'neural';

export interface Embedded {
  embedded: number;
  /** Records that still have no vector of this model. */
  missing: number;
  /** Why it ended early, as a sentence. */
  problem?: string;
}

export interface EmbedOptions {
  limit?: number;
  signal?: AbortSignal;
  onProgress?: (embedded: number, all: number) => void;
}

/**
 * Embeds the records that have no vector of this model yet, newest first; a vector is kept with its record's blob. Ends
 * early if the provider fails: finished vectors stay, the rest follows next time. Marks and prompts are not sent.
 */
export async function embedMissing(
  workspace: Workspace,
  cache: Cache,
  embedder: Embedder,
  { limit = Number.POSITIVE_INFINITY, signal, onProgress }: EmbedOptions = {},
): Promise<Embedded> {
  const { name } = embedder;
  let index = await current(cache);
  if (cache.state()?.persistent === false) {
    const problem = 'The cache is in memory only, which keeps no vectors.';
    return { embedded: 0, missing: index.rowsWithout(name).length, problem };
  }
  const tried = new Set<number>();
  let embedded = 0;
  try {
    setAside(index, name);
    const all = Math.min(limit, index.rowsWithout(name).length);
    while (embedded < limit && !signal?.aborted) {
      // Read again each time, because another process may be doing the same.
      const rows = index.rowsWithout(name).filter((row) => !tried.has(row));
      const chunk = rows.sort((a, b) => b - a).slice(0, Math.min(CHUNK, limit - embedded));
      if (chunk.length === 0) break;
      for (const row of chunk) tried.add(row);
      const readable = await textsFor(workspace, index, chunk);
      if (readable.length === 0) continue;
      const texts = readable.map(({ text }) => text);
      const vectors = await embedder.embed(texts, 'document', signal);
      index = await current(cache);
      if (adopt(index, name, vectors[0]?.length ?? 0)) tried.clear();
      embedded += put(index, name, readable, vectors);
      onProgress?.(embedded, all);
    }
  } catch (error) {
    // The caller caused an interruption; a timeout is the provider's fault.
    if (signal?.aborted && !isTimeout(signal.reason)) return { embedded, missing: index.rowsWithout(name).length };
    if (!(error instanceof GitMemError) && !isUnwritable(error) && !isTimeout(error)) throw error;
    return { embedded, missing: index.rowsWithout(name).length, problem: messageOf(error) };
  }
  return { embedded, missing: index.rowsWithout(name).length };
}

/** Records of this checkout without a vector of this model; marks and prompts, which get none, are not counted. */
export function countMissing(index: MemoryIndex, name: string): { missing: number; records: number } {
  const isRecord = (row: number) => index.documents([row]).some(isEmbedded);
  const rows = index.rowsWithout(name);
  const missing = rows.filter(isRecord).length;
  let records = 0;
  for (const document of index.newest()) if (isEmbedded(document)) records++;
  return { missing, records };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** The index after a sync. Writes to it wait for their turn, which they could not do inside a snapshot. */
function current(cache: Cache): Promise<MemoryIndex> {
  return cache.query((index) => index);
}

/** Stores empty vectors for marks and prompts, or each run would look at them again. */
function setAside(index: MemoryIndex, name: string): void {
  const rows = index.rowsWithout(name);
  for (let at = 0; at < rows.length; at += LOOKED_AT) {
    const others = index.documents(rows.slice(at, at + LOOKED_AT)).filter((document) => !isEmbedded(document));
    const none = others.map(({ row }): [number, Uint8Array] => [row, new Uint8Array()]);
    index.putVectors(name, none);
  }
}

// Prompts are a person's own words and are found only on request; the few words of a mark say nothing by themselves.
function isEmbedded({ card }: IndexedDocument): boolean {
  return isContent(card);
}

interface Readable {
  row: number;
  blob: string;
  text: string;
}

async function textsFor(workspace: Workspace, index: RecordIndex & WordIndex, rows: number[]): Promise<Readable[]> {
  const read = index.documents(rows).map(async ({ row, blob, store }): Promise<Readable[]> => {
    const entry = entryAt(store, index.pathOf(row) ?? '');
    if (entry === undefined) return [];
    try {
      const stored = await readLazily(workspace.stores[store], entry);
      // Edited or replaced since the sync: the next one sees it under its new blob.
      const parts = textsOf(stored.record).map((part) => part.trim());
      return stored.blob === blob ? [{ row, blob, text: parts.filter(Boolean).join('\n') }] : [];
    } catch {
      return []; // Gone since the sync; the next one notices.
    }
  });
  return (await Promise.all(read)).flat();
}

/** Notes which model's vectors the index holds, and deletes all others. True if this model's own had another length. */
function adopt(index: MemoryIndex, name: string, dimensions: number): boolean {
  const held = index.meta(HELD);
  const now = `${name} ${dimensions}`;
  if (held === now) return false;
  const before = held?.slice(0, held.lastIndexOf(' '));
  if (before !== undefined) index.replaceModel(before, []);
  if (before === name) setAside(index, name);
  index.setMeta(HELD, now);
  return before === name;
}

function put(index: MemoryIndex, name: string, readable: Readable[], vectors: Float32Array[]): number {
  // Another process may have rebuilt the cache meanwhile, and given the row to another record.
  const blobs = new Map(index.documents(readable.map(({ row }) => row)).map(({ row, blob }) => [row, blob]));
  const fitting = readable.flatMap(({ row, blob }, i): [number, Uint8Array][] => {
    const vector = vectors[i];
    return vector && blobs.get(row) === blob ? [[row, toFloatBytes(vector)]] : [];
  });
  index.putVectors(name, fitting);
  return fitting.length;
}
