import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { splitFrontMatter } from '../../memory/front-matter.ts';
import { idOf } from '../../memory/id.ts';
import { isContent } from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import { relationsOf } from '../../provenance/relations.ts';
import { rounded } from '../../quantities.ts';
import { cardOf as cardOfRecord, filesOf } from '../../surfaces/viewer/cards.ts';
import type { Card, FeedPage, Meta, SearchAnswer } from '../../surfaces/viewer/protocol.ts';
import { markOf, provenanceOf } from '../../surfaces/viewer/record-origin.ts';
import type { RecordPage } from '../../surfaces/viewer/record-protocol.ts';
import { MOST as BESIDE, chainAround, chainState } from '../../surfaces/viewer/replacing.ts';
import { packageVersion } from '../../templates.ts';
import type { Hub } from '../open.ts';
import type { HubRecord, Viewer } from '../port.ts';
import { annotatedOf, cardOf, FILTER, filterOf, MOST, PAGING, pageOf, queryOf } from './forms.ts';

const LISTING = z.strictObject({ ...FILTER, q: z.optional(z.string()), ...PAGING });
const RECORD = z.strictObject({ repository: z.optional(z.string()) });

/**
 * Answers the viewer's pages in the protocol of `viewer/protocol.ts`, read only, with what one person may read.
 * Undefined if nothing is at this path. Throws GitMemError.
 */
export async function answerPage(
  hub: Hub,
  viewer: Viewer,
  path: string,
  query: URLSearchParams,
  now: Date,
): Promise<unknown> {
  const [name, id, ...more] = path.split('/');
  if (more.length > 0) return undefined;
  if (name === 'record' && id !== undefined) return recordPage(hub, viewer, decodeURIComponent(id), query);
  if (id !== undefined) return undefined;
  if (name === 'meta') return metaOf(hub, viewer, query, now);
  if (name !== 'feed' && name !== 'search') return undefined;
  const { q = '', offset, limit, ...given } = queryOf(LISTING, query);
  const filter = filterOf(given, now);
  const page = pageOf({ offset, limit });
  if (name === 'feed') {
    const { total, items } = await hub.feed(viewer, filter, page);
    const revision = revisionOf(viewer, total);
    return { total, offset: page.offset, revision, items: items.map(cardOf) } satisfies FeedPage;
  }
  const { hits, total, tookMs } = await hub.search(viewer, { text: q, filter, limit: page.limit, now });
  return {
    query: q,
    took_ms: rounded(tookMs),
    total,
    hits: hits.map((hit) => ({ ...cardOf(hit), score: rounded(hit.score), snippet: hit.excerpt })),
  } satisfies SearchAnswer;
}

async function metaOf(hub: Hub, viewer: Viewer, query: URLSearchParams, now: Date): Promise<Meta> {
  const one = query.get('repository');
  const [repositories, facets] = await Promise.all([
    hub.repositories(viewer),
    hub.facets(viewer, one === null ? {} : { repository: [one] }),
  ]);
  const total = facets.type.reduce((sum, { count }) => sum + count, 0);
  const known = repositories.find(({ name }) => name === one);
  if (one !== null && known === undefined) {
    throw new GitMemError('bad-input', `No repository that you may read is called "${one.slice(0, 80)}".`);
  }
  return {
    repository: known?.name ?? 'All repositories',
    repositories: repositories.map(({ name, url, problem }) => {
      const state = problem === undefined ? '' : ` (the last sync failed: ${problem})`;
      return { name, root: `${url}${state}`, gone: false, problem: null };
    }),
    branch: null,
    version: packageVersion(),
    live: false,
    person: viewer.name,
    revision: revisionOf(viewer, total),
    counts: { observation: total, summary: 0, mark: 0, prompt: 0 },
    types: facets.type.slice(0, MOST),
    concepts: facets.concept.slice(0, MOST),
    branches: [],
    at: now.toISOString(),
  };
}

/** Throws no-such-record if the record does not exist or this viewer may not read it. */
async function recordPage(hub: Hub, viewer: Viewer, id: string, query: URLSearchParams): Promise<RecordPage> {
  const { repository } = queryOf(RECORD, query);
  if (repository === undefined)
    throw new GitMemError('bad-input', 'A record page needs a repository.', { hint: 'Choose one.' });
  const [found] = await hub.records(viewer, repository, [id]);
  if (found === undefined) throw new GitMemError('no-such-record', `${repository} has no record ${id.slice(0, 80)}.`);
  const own = annotatedOf(found);
  const raw = own.state.redacted ? '' : recordFile(own.record).bytes.toString('utf8');
  const { record, freshness } = own;
  const [chain, session, mentions] = await Promise.all([
    chainOf(hub, viewer, found),
    sessionOf(hub, viewer, found),
    hub.mentions(viewer, repository, id),
  ]);
  return {
    card: { ...cardOfRecord(own), repository },
    subtitle: record.kind === 'observation' ? (record.subtitle ?? '') : '',
    markdown: raw === '' ? '' : splitFrontMatter(raw, found.path).body.replace(/^\n+/, ''),
    raw,
    path: found.path,
    facts: record.kind === 'observation' ? record.facts : [],
    files: filesOf(record).map(({ path, change }) => ({ path, change, freshness, ...NO_HISTORY })),
    provenance: provenanceOf(own, { trust_reason: 'It is on the default branch.' }),
    chain,
    marks: relationsOf(id, mentions.marks.map(annotatedOf)).marks.map(markOf),
    cited_by: mentions.citing.slice(0, BESIDE.cited).map(cardOf),
    session,
  };
}

/** A hub has only one commit's files. */
const NO_HISTORY = { now_at: null, missing: [] };

/** The other records of its session, oldest first. */
async function sessionOf(hub: Hub, viewer: Viewer, { repository, id, session }: HubRecord): Promise<Card[]> {
  if (session === null) return [];
  const filter = { repository: [repository], session };
  const { items } = await hub.feed(viewer, filter, { offset: 0, limit: BESIDE.session });
  return items
    .filter((one) => one.id !== id && one.session === session)
    .map(cardOf)
    .reverse();
}

async function chainOf(hub: Hub, viewer: Viewer, { record, repository, state }: HubRecord) {
  const older = isContent(record) ? record.supersedes : [];
  const pairs = [
    ...older.map((old) => ({ old, by: record.id })),
    ...state.superseded_by.map((by) => ({ old: record.id, by })),
  ];
  const others = pairs.flatMap(({ old, by }) => [old, by]).filter((id) => id !== record.id);
  const found = others.length === 0 ? [] : await hub.records(viewer, repository, others);
  const own = { id: record.id, title: isContent(record) ? record.title : '', state };
  return chainAround(record.id, pairs, (id) => {
    const one = [own, ...found].find((other) => other.id === id);
    return { id, title: one?.title ?? '', state: one === undefined ? 'missing' : chainState(one.state) };
  });
}

/** Changes when the answers to this person may have changed. */
function revisionOf({ repositories }: Viewer, total: number): string {
  return idOf(String(total), ...repositories.map(String));
}
