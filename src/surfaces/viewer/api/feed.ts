import { cardsOf } from '../cards.ts';
import type { Library } from '../library.ts';
import type { FeedPage } from '../protocol.ts';
import { filterOf, limitOf, wholeNumberOf } from '../query.ts';
import { listedFrom } from '../snapshot.ts';

/** A page of the feed, newest first. Reads only the files of this page. */
export async function feed(library: Library, query: URLSearchParams, now: Date): Promise<FeedPage> {
  const filter = filterOf(query, now);
  const offset = wholeNumberOf(query, 'offset') ?? 0;
  const limit = limitOf(query, 50);
  const snapshot = await library.snapshot();
  const { workspace } = library.project;
  const places = await listedFrom(workspace, snapshot, filter);
  const items = await cardsOf(library, snapshot, places.slice(offset, offset + limit));
  return { total: places.length, offset, revision: snapshot.revision, items };
}
