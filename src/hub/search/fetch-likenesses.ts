import { RANKING } from '../../recall/search/ranking.ts';
import type { Reader } from '../reader.ts';
import { literalOf } from '../vectors/vectors.ts';
import type { FetchedIndex, Place } from './fetched-index.ts';

/** Fetches how near records are to a question's vector; without one there is nothing to fetch. */
export interface Likenesses {
  /** The nearest records, once; `known` gets their documents. */
  nearest(): Promise<void>;
  /** The other records that were found. */
  compared(): Promise<void>;
}

export function likenesses(
  read: Reader,
  index: FetchedIndex,
  {
    filter,
    vector,
    known,
  }: { filter: object; vector: Float32Array | undefined; known: (places: Place[]) => Promise<void> },
): Likenesses {
  if (vector === undefined) return { nearest: async () => {}, compared: async () => {} };
  const literal = literalOf(vector);
  let hasNearest = false;
  return {
    async nearest() {
      if (hasNearest) return;
      hasNearest = true;
      const argument = { filter, limit: RANKING.nearest * 2, vector: literal };
      const found = await read<[number, number, string, number]>('nearest', argument);
      await known(found.map(([repository, row, oid]) => ({ repository, row, oid })));
      index.putLikenesses(found.map(([repository, row, , likeness]) => ({ repository, row, likeness })));
    },
    async compared() {
      const places = index.uncompared();
      if (places.length === 0) return;
      index.putLikenesses(places);
      const found = await read<[number, number, number]>('compared', { ...columnsOf(places), vector: literal });
      index.putLikenesses(found.map(([repository, row, likeness]) => ({ repository, row, likeness })));
    },
  };
}

/** Places as the database takes them. */
export function columnsOf(places: Omit<Place, 'oid'>[]): { places: number[]; rows: number[] } {
  return { places: places.map(({ repository }) => repository), rows: places.map(({ row }) => row) };
}
