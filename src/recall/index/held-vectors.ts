import type { VectorIndex } from './memory-index.ts';

/** The models' vectors for these rows, in this process only; `onWrite` is called when any came or went. */
export function heldVectors(
  rows: ReadonlyMap<number, unknown>,
  onWrite: () => void,
): { port: VectorIndex; forget(row: number): void } {
  const vectors = new Map<string, Map<number, Uint8Array>>();
  const termVectors = new Map<string, Map<string, Uint8Array>>();
  let learnedRow = 0;
  const port: VectorIndex = {
    vectors: (model) => vectors.get(model) ?? [],
    vector: (model, row) => vectors.get(model)?.get(row),
    termVector: (model, term) => termVectors.get(model)?.get(term),
    unlearned: () => [...rows.keys()].filter((row) => row > learnedRow),
    noteLearned(last) {
      learnedRow = last;
    },
    rowsWithout: (model) => [...rows.keys()].filter((row) => !vectors.get(model)?.has(row)),
    putVectors(model, entries) {
      const table = vectors.get(model) ?? new Map<number, Uint8Array>();
      vectors.set(model, table);
      for (const [row, vector] of entries) if (rows.has(row)) table.set(row, vector);
      onWrite();
    },
    replaceModel(model, terms) {
      vectors.delete(model);
      termVectors.set(model, new Map(terms));
      onWrite();
    },
  };
  return {
    port,
    forget(row) {
      for (const table of vectors.values()) table.delete(row);
    },
  };
}
