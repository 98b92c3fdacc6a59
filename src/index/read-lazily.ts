import type { BodyReader } from '../memory/body.ts';
import { decode } from '../memory/codec.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Entry, Store, StoredRecord } from '../memory/store/store.ts';

/**
 * Decodes a record; loads the Markdown parser, which is expensive, only for a body that a person wrote. Throws
 * bad-record.
 */
export function decodeLazily(text: string, path: string): Promise<MemoryRecord> {
  return withReader((reader) => decode(text, path, reader));
}

/** Reads a record from its store in the same way; throws bad-record, or a system error. */
export function readLazily(store: Store, entry: Entry): Promise<StoredRecord> {
  return withReader((reader) => store.read(entry, reader));
}

async function withReader<T>(read: (reader: BodyReader) => T): Promise<T> {
  let isByHand = false;
  const notice: BodyReader = {
    observation() {
      isByHand = true;
      return { narrative: '', facts: [] };
    },
    summary() {
      isByHand = true;
      return { request: '', investigated: '', learned: '', completed: '', next_steps: '', notes: '' };
    },
  };
  const result = read(notice);
  if (!isByHand) return result;
  const { outlineReader } = await import('../memory/outline.ts');
  return read(outlineReader);
}
