import { basename } from 'node:path';
import { readHead } from '../../../git/locate.ts';
import { isHidden } from '../../../memory/marks.ts';
import type { Observation } from '../../../memory/record.ts';
import { isSessionDigest } from '../../../memory/session-digest.ts';
import { isWaiting, type Waiting } from '../../../records/annotate.ts';
import { readEverything } from '../../../records/read.ts';
import { type SearchHit, search } from '../../../search/search.ts';
import { packageVersion } from '../../../templates.ts';
import { cardOf, cardsOf, namesIn } from '../cards.ts';
import type { Library } from '../library.ts';
import type { FeedPage, FoundCard, Inbox, Meta, NewRecord, SearchAnswer, WaitingRecord } from '../protocol.ts';
import { filterOf, limitOf, wholeNumberOf } from '../query.ts';
import { listedFrom, type Snapshot } from '../snapshot.ts';

/** Data for the frame around every page. */
export async function meta({ project, snapshot }: Library, now: Date): Promise<Meta> {
  const { checkout } = project.workspace;
  const current = await snapshot();
  return {
    repository: basename(checkout.root),
    branch: readHead(checkout).branch ?? null,
    version: packageVersion(),
    live: true,
    revision: current.revision,
    ...namesIn(countedIn(current)),
    at: now.toISOString(),
    ...(project.config().config.capture.destination === 'inbox' && { inbox: true }),
  };
}

/** What lists show unless everything is asked for. */
export function countedIn({ places, judgement }: Snapshot): Snapshot['places'][number]['document']['card'][] {
  return places
    .map(({ document }) => document.card)
    .filter((card) => !isSessionDigest(card) && !isHidden(judgement.states.of(card.id)));
}

/** A page of the feed, newest first. Reads only the files of this page. */
export async function feed(library: Library, query: URLSearchParams, now: Date): Promise<FeedPage> {
  const filter = filterOf(query, now);
  const offset = wholeNumberOf(query, 'offset') ?? 0;
  const limit = limitOf(query, 50);
  const snapshot = await library.snapshot();
  const places = await listedFrom(library.project.workspace, snapshot, filter);
  const items = await cardsOf(library, snapshot, places.slice(offset, offset + limit));
  return { total: places.length, offset, revision: snapshot.revision, items };
}

/** The answers to a question, best first. */
export async function searchFor(library: Library, query: URLSearchParams, now: Date): Promise<SearchAnswer> {
  const { project, cache } = library;
  const filter = filterOf(query, now);
  const text = query.get('q') ?? '';
  const embedder = await project.embedder();
  const judged = await library.snapshotLately();
  const request = { text, filter, limit: limitOf(query, 20), embedder, judged, now };
  const { hits, nearest, ...found } = await search(project.workspace, cache, request);
  return { ...tookOf(text, found), hits: hits.map(foundCard), ...(nearest && { nearest: foundCard(nearest) }) };
}

/** The start of an answer to a question. */
export function tookOf(
  query: string,
  { total, tookMs }: { total: number; tookMs: number },
): Pick<SearchAnswer, 'query' | 'took_ms' | 'total'> {
  return { query, took_ms: Math.round(tookMs * 10) / 10, total };
}

export function foundCard({ annotated, score, snippet }: SearchHit): FoundCard {
  return { ...cardOf(annotated), score: Math.round(score * 1e4) / 1e4, snippet };
}

/** What sessions wrote and nobody has accepted, newest first. */
export async function inbox({ project }: Library): Promise<Inbox> {
  const { records } = await readEverything(project.workspace);
  return { records: records.filter(isWaiting).map(waitingRecord) };
}

function waitingRecord({ record }: Waiting): WaitingRecord {
  const { id, type, title, generated } = record;
  const of = { id, type, title, created: generated.at };
  return record.kind === 'observation'
    ? {
        ...of,
        texts: [record.narrative, ...record.facts].filter(Boolean),
        files: record.files_modified,
        draft: draftOf(record),
      }
    : {
        ...of,
        texts: [record.completed, record.learned].filter((text) => text !== '' && text !== 'None.'),
        files: record.files_edited,
      };
}

function draftOf(record: Observation): NewRecord {
  const { type, title, subtitle = '', narrative, facts, concepts, files_modified, files_read, supersedes } = record;
  return { type, title, subtitle, narrative, facts, concepts, files_modified, files_read, supersedes };
}
