import { messageOf } from '../../errors.ts';
import type { IndexedDocument, MemoryIndex } from '../memory-index.ts';
import type { Embedder } from './embedder.ts';
import { toFloatBytes } from './quantised.ts';

/** Records embedded between two writes, so that an interruption loses little of what was paid for. */
const CHUNK = 256;

/** Longest that a question waits for its vector, in milliseconds. */
const QUERY_MS = 1500;

/**
 * Embeds the records that have no vector of this model yet; a record's vector is kept with its blob. Ends early when the
 * provider fails: what is done stays, the rest comes next time.
 */
export async function embedMissing(
  index: MemoryIndex,
  embedder: Embedder,
  textOf: (document: IndexedDocument) => string,
  signal?: AbortSignal,
): Promise<{ embedded: number; missing: number; problem?: string }> {
  const rows = index.rowsWithout(embedder.name);
  let embedded = 0;
  for (let at = 0; at < rows.length; at += CHUNK) {
    const documents = index.documents(rows.slice(at, at + CHUNK));
    try {
      const vectors = await embedder.embed(documents.map(textOf), 'document', signal);
      index.putVectors(
        embedder.name,
        documents.flatMap(({ row }, i): [number, Uint8Array][] => {
          const vector = vectors[i];
          return vector ? [[row, toFloatBytes(vector)]] : [];
        }),
      );
      embedded += documents.length;
    } catch (error) {
      return { embedded, missing: rows.length - embedded, problem: messageOf(error) };
    }
  }
  return { embedded, missing: 0 };
}

/** The vector of a question; a provider that is slow or down costs the vector, not the answer. */
export async function embedQuery(
  embedder: Embedder,
  text: string,
  waitMs = QUERY_MS,
): Promise<{ model: string; vector: Float32Array } | { problem: string }> {
  try {
    const [vector] = await embedder.embed([text], 'query', AbortSignal.timeout(waitMs));
    return vector ? { model: embedder.name, vector } : { problem: `${embedder.name} gave no vector.` };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
