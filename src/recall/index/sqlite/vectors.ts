import type { VectorIndex } from '../memory-index.ts';
import type { Statements } from './statements.ts';
import type { View } from './view.ts';

/** The tables with the models' vectors. */
export function vectorTables(
  sql: Statements,
  ours: readonly [number, number],
  writing: <A extends unknown[]>(work: (...parts: A) => void) => (...parts: A) => void,
  stores: () => View['stores'],
): { port: VectorIndex; version(): number } {
  let learned = 0;

  /** The numeric id of a model; 0 for an unknown one. */
  function modelId(name: string): number {
    return (sql.model.get(name) as number | undefined) ?? 0;
  }

  const port: VectorIndex = {
    *vectors(model) {
      const active = stores();
      // One at a time, because each is in a buffer of its own; no other query may run until the last is read.
      const all = sql.vectors.iterate(modelId(model)) as Iterable<[number, Uint8Array]>;
      for (const pair of all) if (active[pair[0]]) yield pair;
    },
    vector: (model, row) => sql.vector.get(modelId(model), row) as Uint8Array | undefined,
    termVector: (model, term) => sql.termVector.get(modelId(model), term) as Uint8Array | undefined,
    unlearned: () => sql.unlearned.all() as number[],
    noteLearned: writing((last: number) => void sql.clearUnlearned.run(last)),
    rowsWithout: (model) => sql.rowsWithout.all(...ours, modelId(model)) as number[],
    putVectors: writing((model: string, vectors: Iterable<[number, Uint8Array]>) => {
      sql.addModel.run(model);
      const id = modelId(model);
      for (const [row, vector] of vectors) sql.putVector.run(id, row, vector);
      learned++;
    }),
    replaceModel: writing((model: string, terms: Iterable<[string, Uint8Array]>) => {
      sql.addModel.run(model);
      const id = modelId(model);
      sql.forgetVectors.run(id);
      sql.forgetTerms.run(id);
      for (const [term, vector] of terms) sql.putTerm.run(id, term, vector);
      learned++;
    }),
  };
  return { port, version: () => learned };
}
