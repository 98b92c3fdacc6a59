import type { MemoryIndex, RankedIndex, RecordIndex, WordIndex } from '../memory-index.ts';
import { spell } from './grams.ts';
import { foldIn, LATENT, learnTerms } from './latent.ts';
import { fromScaledBytes, toBytes, toNibbles, toScaledBytes } from './quantised.ts';

/**
 * Names of the vectors that every store gets without a download, in the order in which they are made: rows appended to
 * a table fill its pages.
 */
export const LOCAL_MODELS = { latent: 'lsa', spelling: 'grams' } as const;

/** The model is refitted once the store has grown or shrunk by this factor. */
const GROWTH = 1.2;

/**
 * Gives new records their local vectors, and refits the latent model if the store has outgrown it. With `quick` a grown
 * store keeps its old model for now, so that a query waits for folding in at most.
 */
export function learn(index: MemoryIndex, { quick = false }: { quick?: boolean } = {}): void {
  const { latent, spelling } = LOCAL_MODELS;
  const fresh = index.unlearned();
  // Without `quick` all rows are checked, which repairs whatever went wrong before.
  const lacking = (model: string) => (quick ? fresh : [...new Set([...fresh, ...index.rowsWithout(model)])]);
  // Writes only if there is something to write, because other processes wait for a writer.
  const put = (model: string, make: (index: RecordIndex, rows: number[]) => Generator<[number, Uint8Array]>) => {
    const rows = lacking(model);
    if (rows.length > 0) index.putVectors(model, make(index, rows));
  };
  put(spelling, spellings);

  const documents = index.size();
  const learned = Number(index.meta(latent) ?? 0);
  const outgrown = documents >= learned * GROWTH || documents * GROWTH <= learned;
  if (documents < LATENT.fewestDocuments) {
    if (learned > 0) {
      index.replaceModel(latent, []);
      index.setMeta(latent, '0');
    }
  } else if (learned === 0 || (outgrown && !(quick && documents > 1000))) {
    const terms = learnTerms(sampleOf(index));
    if (terms === undefined) return;
    const scaled = [...terms].map(([term, vector]): [string, Uint8Array] => [term, toScaledBytes(vector)]);
    index.replaceModel(latent, scaled);
    const folded = foldings(index, index.rowsWithout(latent), (term) => terms.get(term));
    index.putVectors(latent, folded);
    index.setMeta(latent, String(documents));
  } else put(latent, (_, rows) => foldings(index, rows, (term) => termVector(index, term)));
  const last = fresh.at(-1);
  if (last !== undefined) index.noteLearned(last);
}

/** The latent vector of a query; undefined where the model is off or knows none of its words. */
export function latentOf(index: RankedIndex, tokens: readonly string[]): Float32Array | undefined {
  return foldIn(tokens, (term) => termVector(index, term));
}

function termVector(index: RankedIndex, term: string): Float32Array | undefined {
  const bytes = index.termVector(LOCAL_MODELS.latent, term);
  return bytes && fromScaledBytes(bytes);
}

/** The texts to learn from, ordered by content, so that the same records give the same model whatever their order. */
function sampleOf(index: RecordIndex & WordIndex): string[][] {
  const all: { blob: string; row: number }[] = [];
  for (const { blob, row } of index.newest()) all.push({ blob, row });
  all.sort((a, b) => (a.blob < b.blob ? -1 : 1));
  const step = Math.max(1, all.length / LATENT.mostDocuments);
  const rows: number[] = [];
  for (let at = 0; Math.floor(at) < all.length; at += step) rows.push(all[Math.floor(at)]?.row ?? 0);
  return index.documents(rows).map(({ terms }) => tokensOf(terms));
}

// One document at a time: all documents of a large store would not fit into memory beside the model.
function* foldings(
  index: RecordIndex,
  rows: number[],
  vectorOf: (term: string) => Float32Array | undefined,
): Generator<[number, Uint8Array]> {
  for (const row of rows) {
    // A record without a known word gets a null vector, or every sync would look at it again.
    const vector = foldIn(tokensOf(index.termsOf(row)), vectorOf) ?? new Float32Array(LATENT.dimensions);
    yield [row, toBytes(vector)];
  }
}

function* spellings(index: RecordIndex, rows: number[]): Generator<[number, Uint8Array]> {
  for (const row of rows) {
    yield [row, spellingOf(index.termsOf(row))];
  }
}

const spelled = new WeakMap<readonly string[], Uint8Array>();

/** The spelling vector of a record's terms as it is stored, empty without any; remembered for indexes that store none. */
export function spellingOf(terms: readonly string[]): Uint8Array {
  const known = spelled.get(terms);
  if (known !== undefined) return known;
  const vector = spell(tokensOf(terms));
  const bytes = vector ? toNibbles(vector) : new Uint8Array();
  spelled.set(terms, bytes);
  return bytes;
}

function tokensOf(terms: readonly string[]): string[] {
  return terms.flatMap((stream) => (stream === '' ? [] : stream.split(' ')));
}
