import { fieldsOf, jsonIn } from '../../json.ts';
import type { Cache } from '../index/cache.ts';
import type { Embedder } from '../index/embed/embedder.ts';
import type { IndexedDocument, RankedIndex, RecordIndex, WordIndex } from '../index/memory-index.ts';
import { plainQuery } from '../query/parse-query.ts';
import { rank } from './rank.ts';
import { RANKING } from './ranking.ts';

// How much a model's vectors are worth depends on the model and on the store, so `sync` measures it: the titles of some
// records are asked as questions, without these records themselves, and the expected answers are records of the same
// session or of the same rarely cited file. A title names neither, so no record is found merely by its own text.

/** Weights to compare; 0 leaves the model out. */
const WEIGHTS = [0, 0.1, 0.2, 0.35, 0.5];

/** Number of titles asked: fewer than the first say nothing, more than the second take too long. */
const LEAST_QUESTIONS = 12;
const MOST_QUESTIONS = 40;

/** A file cited by more records than this does not relate them to each other. */
const RARE = 6;

/** Newest records from which questions are chosen: far more than are needed, whatever the size of the store. */
const LOOKED_AT = 2000;

/** Number of answers that count: about what a reader looks at. */
const DEPTH = 10;

/** The weight of a model for a store, and what it was measured on. */
interface ModelWeight {
  model: string;
  /** Beside the local scores together, 0 to 1. */
  weight: number;
  /** Number of records in the store when it was measured. */
  records: number;
}

/** The index's note of it. */
const NOTE = 'neural-weight';

/** The weight of a model's vectors in a store; the default if it was not measured. */
export function weightOf(index: RecordIndex, model: string): number {
  const known = measuredWeight(index);
  return known?.model === model ? known.weight : RANKING.neural;
}

/**
 * Measures the best weight of a model's vectors for this store and keeps it, unless it was measured when the store had
 * about this size; undefined if too few records are related to each other. Throws GitMemError 'provider'.
 */
export async function measureWeight(cache: Cache, embedder: Embedder): Promise<ModelWeight | undefined> {
  const index = await cache.query((now) => now);
  const model = embedder.name;
  const records = index.size();
  const known = measuredWeight(index);
  const isCurrent = known?.model === model && records < known.records * 1.5 && records > known.records / 1.5;
  if (isCurrent) return known;
  const questions = questionsOf(index);
  if (questions.length < LEAST_QUESTIONS) return undefined;
  const titles = questions.map(({ document }) => document.card.title);
  const vectors = await embedder.embed(titles, 'query');
  const scores = WEIGHTS.map((weight) =>
    questions.map((question, i) => {
      const vector = vectors[i];
      return vector === undefined ? 0 : scoreOf(index, question, { model, vector, weight });
    }),
  );
  const measured = { model, weight: bestWeight(scores), records };
  (await cache.query((now) => now)).setMeta(NOTE, JSON.stringify(measured));
  return measured;
}

/** The last measured weight; undefined if there is none. */
function measuredWeight(index: RecordIndex): ModelWeight | undefined {
  const { model, weight, records } = fieldsOf(jsonIn(index.meta(NOTE) ?? ''));
  const isWhole = typeof model === 'string' && typeof weight === 'number' && typeof records === 'number';
  return isWhole ? { model, weight, records } : undefined;
}

/** A record whose title is asked, and the records expected among the answers. */
interface Question {
  document: IndexedDocument;
  related: Set<number>;
}

function questionsOf(index: RecordIndex & WordIndex): Question[] {
  const newest: IndexedDocument[] = [];
  for (const document of index.newest()) {
    if (document.card.kind === 'observation') newest.push(document);
    if (newest.length === LOOKED_AT) break;
  }
  const found = newest.flatMap((document): Question[] => {
    const related = relatedTo(index, document);
    return related.size > 0 ? [{ document, related }] : [];
  });
  const step = Math.max(1, found.length / MOST_QUESTIONS);
  return found.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, MOST_QUESTIONS);
}

function relatedTo(index: WordIndex, { row, card }: IndexedDocument): Set<number> {
  const rows = card.files.map((path) => index.citing(path)).filter((citing) => citing.length <= RARE);
  const session = card.session === undefined ? [] : index.session(card.session);
  const related = new Set([...rows.flat(), ...(session.length <= RARE ? session : [])]);
  related.delete(row);
  const observations = index.documents(related).filter(({ card: { kind } }) => kind === 'observation');
  return new Set(observations.map((document) => document.row));
}

/** The share of the related records among the first answers, and how early the first of them comes; 0 to 1. */
function scoreOf(
  index: RankedIndex,
  { document, related }: Question,
  neural: { model: string; vector: Float32Array; weight: number },
): number {
  const isOther = ({ row, card }: IndexedDocument) => row !== document.row && card.kind === 'observation';
  const { ranked } = rank(index, plainQuery(document.card.title), isOther, { neural });
  const first = ranked.slice(0, DEPTH).map((one) => related.has(one.document.row));
  const recall = first.filter(Boolean).length / Math.min(DEPTH, related.size);
  const place = first.indexOf(true);
  return (recall + (place < 0 ? 0 : 1 / (place + 1))) / 2;
}

/** The weight with the best mean score, if it beats the default by more than chance: by its standard error. */
function bestWeight(scores: number[][]): number {
  const usual = scores[WEIGHTS.indexOf(RANKING.neural)] ?? [];
  let best = { weight: RANKING.neural as number, gain: 0 };
  for (const [i, weight] of WEIGHTS.entries()) {
    const gains = usual.map((score, q) => (scores[i]?.[q] ?? 0) - score);
    const gain = gains.reduce((sum, one) => sum + one, 0) / gains.length;
    const variance = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0) / (gains.length - 1);
    if (gain > best.gain && gain > Math.sqrt(variance / gains.length)) best = { weight, gain };
  }
  return best.weight;
}
