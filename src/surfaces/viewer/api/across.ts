import { GitMemError } from '../../../errors.ts';
import type { SourceHit } from '../../../exchange/places/reader.ts';
import { searchTogether } from '../../../exchange/places/search.ts';
import { idOf } from '../../../memory/id.ts';
import { PERSONAL } from '../../../memory/store/personal.ts';
import type { Placed } from '../../../records/judgement.ts';
import { packageVersion } from '../../../templates.ts';
import { cardsOf } from '../cards.ts';
import type { Libraries, NamedLibrary } from '../libraries.ts';
import type { Card, FeedPage, Meta, SearchAnswer } from '../protocol.ts';
import { filterOf, limitOf, wholeNumberOf } from '../query.ts';
import { listedFrom, type Snapshot } from '../snapshot.ts';
import { answer, type Request } from './answer.ts';
import { meta, namesIn } from './meta.ts';
import { foundCard } from './search.ts';

/**
 * Answers a request to the viewer of several repositories: `repository` names the one it is about; without it the feed
 * and a search are of all together. Throws GitMemError.
 */
export async function answerAcross(libraries: Libraries, request: Request, now: Date): Promise<unknown> {
  const { path, query } = request;
  const name = query.get('repository');
  if (path === 'meta') return { ...(await metaOf(libraries, name, now)), repositories: libraries.repositories() };
  if (name !== null) return answer(libraries.named(name), request, now);
  switch (path) {
    case 'feed':
      return feed(libraries, query, now);
    case 'search':
      return searchFor(libraries, query, now);
    default:
      throw new GitMemError('bad-input', 'This page shows one repository.', { hint: 'Choose one.' });
  }
}

/** One that cannot be read has no names and no records. */
async function metaOf(libraries: Libraries, name: string | null, now: Date): Promise<Meta> {
  const open = libraries.open();
  const one = open.find((one) => one.name === name);
  if (one !== undefined) return meta(one.library, now);
  const isKnown = libraries.repositories().some((one) => one.name === name);
  const snapshots = await snapshotsOf(isKnown ? [] : open);
  return {
    repository: isKnown && name !== null ? name : 'All repositories',
    branch: null,
    version: packageVersion(),
    live: true,
    revision: idOf(...snapshots.map(({ snapshot }) => snapshot.revision)),
    ...namesIn(distinct(snapshots.flatMap(({ snapshot }) => snapshot.places)).map(({ document }) => document.card)),
    at: now.toISOString(),
  };
}

/** A page of all records together, newest first. */
async function feed({ open }: Libraries, query: URLSearchParams, now: Date): Promise<FeedPage> {
  const filter = filterOf(query, now);
  const offset = wholeNumberOf(query, 'offset') ?? 0;
  const snapshots = await snapshotsOf(open());
  const ownerOf = new Map<Placed, Shown>();
  for (const one of snapshots) {
    const { workspace } = one.library.project;
    for (const placed of await listedFrom(workspace, one.snapshot, filter)) ownerOf.set(placed, one);
  }
  // What the user copied into the personal store is shown where it came from.
  const isPersonal = (placed: Placed) => Number(ownerOf.get(placed)?.name === PERSONAL);
  const all = [...ownerOf.keys()].sort((a, b) => isPersonal(a) - isPersonal(b));
  const places = distinct(all).sort(newestFirst);
  const shown = places.slice(offset, offset + limitOf(query, 50));
  const cards = await Promise.all(
    snapshots.map(async (one) => {
      const own = shown.filter((placed) => ownerOf.get(placed) === one);
      const { name, library, snapshot } = one;
      return own.length === 0 ? [] : (await cardsOf(library, snapshot, own)).map((card) => of(name, card));
    }),
  );
  const byId = new Map(cards.flat().map((card) => [card.id, card]));
  const items = shown.flatMap(({ document }) => byId.get(document.card.id) ?? []);
  const revision = idOf(...snapshots.map(({ snapshot }) => snapshot.revision));
  return { total: places.length, offset, revision, items };
}

async function searchFor({ open }: Libraries, query: URLSearchParams, now: Date): Promise<SearchAnswer> {
  const text = query.get('q') ?? '';
  const sources = open().map(({ name, library: { project, cache, snapshotLately } }) => {
    return { origin: name, workspace: project.workspace, cache, judged: snapshotLately };
  });
  const request = { text, filter: filterOf(query, now), limit: limitOf(query, 20), now };
  const { total, hits, nearest, tookMs } = await searchTogether(sources, request);
  const found = (hit: SourceHit) => of(hit.source.origin ?? '', foundCard(hit));
  return {
    query: text,
    took_ms: Math.round(tookMs * 10) / 10,
    total,
    hits: hits.map(found),
    ...(nearest && { nearest: found(nearest) }),
  };
}

interface Shown extends NamedLibrary {
  snapshot: Snapshot;
}

async function snapshotsOf(open: NamedLibrary[]): Promise<Shown[]> {
  return Promise.all(open.map(async (one) => ({ ...one, snapshot: await one.library.snapshot() })));
}

/** Two clones of one repository have the same records: the first one's are shown. */
function distinct(places: Placed[]): Placed[] {
  const seen = new Set<string>();
  return places.filter(({ document: { card } }) => !seen.has(card.id) && seen.add(card.id));
}

function newestFirst(a: Placed, b: Placed): number {
  const [one, other] = [a.document.card.created, b.document.card.created];
  return Number(one < other) - Number(one > other);
}

function of<C extends Card>(repository: string, card: C): C {
  return { ...card, repository };
}
