import { fieldsOf, jsonIn } from '../../json.ts';
import type { RecordIndex } from '../index/memory-index.ts';
import { RANKING } from './ranking.ts';

/** The weight of a model for a store, and what it was measured on. */
export interface ModelWeight {
  model: string;
  /** Beside the local scores together, 0 to 1. */
  weight: number;
  /** Titles that were asked. */
  questions: number;
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

/** Keeps a measured weight. */
export function keepWeight(index: RecordIndex, measured: ModelWeight): void {
  index.setMeta(NOTE, JSON.stringify(measured));
}

/** The last measured weight; undefined if there is none. */
export function measuredWeight(index: RecordIndex): ModelWeight | undefined {
  const { model, weight, questions, records } = fieldsOf(jsonIn(index.meta(NOTE) ?? ''));
  if (typeof model !== 'string' || typeof weight !== 'number') return undefined;
  if (typeof questions !== 'number' || typeof records !== 'number') return undefined;
  return { model, weight, questions, records };
}
