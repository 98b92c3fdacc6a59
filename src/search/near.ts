import { type Cache, withCache } from '../index/cache.ts';
import type { MemoryIndex } from '../index/memory-index.ts';
import { cut } from '../memory/clamp.ts';
import type { Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted } from '../provenance/trust.ts';
import { bearingOf, evidenceFor } from './bearing.ts';
import { search } from './search.ts';
import { type IndexRequest, searchIndex } from './search-index.ts';

/** A record that a new one may repeat or make wrong. */
export interface Near {
  id: string;
  title: string;
  /** The beginning of what it says below its title; empty if nothing. */
  text: string;
}

/** Maximum near records named: an agent reads all of them in the reply. */
const MOST = 3;

/** Characters of a near record's text: enough to tell whether it says the same. */
const TEXT_CHARS = 400;

/**
 * What a record needs to be named: log-odds that it bears on the new one's title or, if both cite a file, some search
 * confidence. On 82 facts of real sessions and the 45 records of this project's own memory, 20 of 29 pairs above the first
 * bar are about one matter (41 of 94 with a bar on search confidence instead), and 21 of 22 above the second.
 */
const BAR = { bearing: -0.9, sameFile: 0.1 } as const;

/** Records searched for near ones: some of them are hidden, untrusted or about something else. */
const LOOKED_AT = 12;

/**
 * The active, trusted observations nearest to a new one, best first. Empty if the index is not available: near records only
 * help, and the new record is saved without them. Whether one of them is wrong is for the reader to decide.
 */
export async function nearRecords(workspace: Workspace, cache: Cache, fresh: Observation): Promise<Near[]> {
  const files = [...fresh.files_modified, ...fresh.files_read];
  try {
    const withoutIds = new Set([fresh.id, ...fresh.supersedes]);
    const request = { text: fresh.title, plain: true, limit: LOOKED_AT, withoutIds };
    const { hits } = await search(workspace, cache, request);
    const bearing = await cache.query((index) => bearingOnTitle(index, request));
    const near = hits.flatMap(({ annotated: { record, trust }, confidence }) => {
      // The agent knows what its own session saved.
      const isOwn = record.session !== undefined && record.session === fresh.session;
      if (record.kind !== 'observation' || !isTrusted(trust) || isOwn) return [];
      const cited = [...record.files_modified, ...record.files_read];
      const isSameFile = confidence >= BAR.sameFile && cited.some((path) => files.includes(path));
      const { id, title, narrative, facts } = record;
      const text = cut([narrative, ...facts].filter(Boolean).join(' ').replace(/\s+/g, ' '), TEXT_CHARS);
      return isSameFile || bearing.has(id) ? [{ id, title, text }] : [];
    });
    return near.slice(0, MOST);
  } catch {
    return []; // `doctor` reports what is wrong with the index.
  }
}

function bearingOnTitle(index: MemoryIndex, request: IndexRequest): Set<string> {
  const { hits, weights } = searchIndex(index, request);
  const evidence = evidenceFor(index, request.text, weights);
  return new Set(
    hits.flatMap(({ document }) => {
      const found = evidence(document);
      return found !== undefined && bearingOf(found, 0) >= BAR.bearing ? [document.card.id] : [];
    }),
  );
}

/** Longest question, in characters; its first words are the topic. */
const QUESTION_MAX = 4_000;

/** The active, trusted observations of the whole store that are nearest to files and words, best first. */
export async function relatedRecords(
  workspace: Workspace,
  topic: { files: string[]; text: string },
  limit: number,
): Promise<Observation[]> {
  const text = `${topic.files.slice(0, 20).join(' ')}\n${topic.text}`.slice(0, QUESTION_MAX);
  return withCache(workspace, async (cache) => {
    const { hits } = await search(workspace, cache, {
      text,
      plain: true,
      filter: { kind: ['observation'] },
      limit: limit * 2,
    });
    const trusted = hits.flatMap(({ annotated }) => (isTrusted(annotated.trust) ? [annotated.record] : []));
    return trusted.filter((record) => record.kind === 'observation').slice(0, limit);
  });
}
