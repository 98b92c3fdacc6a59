import type { Reader } from '../reader.ts';
import type { DocumentCache, KnownDocument } from './documents.ts';
import { columnsOf } from './fetch-likenesses.ts';
import type { FetchedIndex, Place } from './fetched-index.ts';

/** Fetches documents that the ranking lacks. */
export interface Documents {
  /** Those of places that the database just gave, from memory where they are there. */
  known(places: Place[]): Promise<void>;
  /** Those of rows, if the filter lets them through. */
  wanted(places: Omit<Place, 'oid'>[]): Promise<void>;
}

export function fetchDocuments(
  read: Reader,
  { index, cache, filter }: { index: FetchedIndex; cache: DocumentCache; filter: object },
): Documents {
  async function known(places: Place[]): Promise<void> {
    const unknown: Place[] = [];
    for (const place of places) {
      const document = cache.get(place.oid);
      if (document === undefined) unknown.push(place);
      else index.putDocument(place, document);
    }
    for (const { terms, card, ...place } of await documentsAt(read, unknown, filter)) {
      cache.put(place.oid, { terms, card });
      index.putDocument(place, { terms, card });
    }
  }
  return {
    known,
    async wanted(places) {
      await known((await read<PlaceRow>('places', { filter, ...columnsOf(places) })).map(placeOf));
    },
  };
}

/** The documents of these places that the filter lets through. */
export async function documentsAt(
  read: Reader,
  places: Omit<Place, 'oid'>[],
  filter: object,
): Promise<(Place & KnownDocument)[]> {
  return places.length === 0 ? [] : read<Place & KnownDocument>('documents', { filter, ...columnsOf(places) });
}

/** A place as the database gives it. */
export type PlaceRow = [repository: number, row: number, oid: string];

export function placeOf([repository, row, oid]: PlaceRow): Place {
  return { repository, row, oid };
}
