import { tokenize } from '../index/tokens.ts';
import { names } from '../provenance/relations.ts';
import { bareName } from '../slashes.ts';
import { type Database, readerFor } from './database/database.ts';
import { NOT_INDEXED } from './ingest/mirror.ts';
import type { HubFacets, HubFilter, HubQuestion, HubRecord, Viewer } from './port.ts';
import { columnsOf, type DocumentCache } from './search/fetch.ts';
import type { Place } from './search/fetched-index.ts';
import { cardOf, type StoredCard, searchHub } from './search/search-hub.ts';
import type { Vectors } from './vectors/vectors.ts';

/** Maximum records that may name an id, before they are read: an id is one rare word. */
const SUSPECTS = 200;

/** Maximum values of a facet: more than a person looks through. */
const FACET = 100;

/**
 * Answers readers' questions. No answer holds anything of a repository that the viewer may not read: no row, count, name or
 * facet. Long because each member answers one question, and they share only the cache.
 */
export function openReading(database: Database, vectors: Vectors) {
  const cache: DocumentCache = new Map();
  const { narrowed, nameOf } = catalogue(database);

  async function named(viewer: Viewer, repository: string, question: 'records' | 'marks', keys: readonly string[]) {
    const numbers = await narrowed(viewer, { repository: [repository] });
    const read = readerFor(database, viewer, numbers);
    const [about] = await read<StoredRepository>('repositories');
    return { read, about, stored: await read<StoredCard>(question, { keys }) };
  }

  return {
    /** The repositories that the viewer may read, by name. */
    async repositories(viewer: Viewer) {
      const read = readerFor(database, viewer, viewer.repositories);
      return (await read<StoredRepository>('repositories')).map(({ number: _, synced, problem, url, ...rest }) => ({
        ...rest,
        url: shownAddress(url),
        ...(synced !== null && { syncedAt: new Date(synced) }),
        ...(problem !== null && { problem: shownProblem(problem) }),
      }));
    },
    /** The best records, the number of matches looked at, and a note for the reader, such as that the model did not answer. */
    async search(viewer: Viewer, question: HubQuestion) {
      const start = performance.now();
      const { filter = {} } = question;
      const numbers = await narrowed(viewer, filter);
      const read = readerFor(database, viewer, numbers);
      const asked = await vectors.ofQuestion(question.text);
      const about = { conditions: conditionsOf(filter), nameOf, ...(asked && 'vector' in asked && asked) };
      const answer = await searchHub(read, cache, question, about);
      const note = asked && 'note' in asked && asked;
      return { ...answer, ...note, tookMs: performance.now() - start };
    },
    /** Whole records of one repository in the order of `ids`; missing or forbidden ids are left out. */
    async records(viewer: Viewer, repository: string, ids: readonly string[]) {
      const { about, stored } = await named(viewer, repository, 'records', ids);
      const byId = new Map(stored.map((one) => [one.record.id, one]));
      return ids.flatMap((id) => {
        const one = byId.get(id);
        return one === undefined || about === undefined ? [] : [wholeOf(one, about)];
      });
    },
    /** What names a record in its repository: marks, with their undos, and observations and summaries. */
    async mentions(viewer: Viewer, repository: string, id: string) {
      const { read, about, stored: own } = await named(viewer, repository, 'marks', [id]);
      if (about === undefined) return { marks: [], citing: [] };
      const undos =
        own.length === 0 ? [] : await read<StoredCard>('marks', { keys: own.map(({ record }) => record.id) });
      const marks = new Map([...own, ...undos].map((one) => [one.record.id, wholeOf(one, about)]));
      const words = tokenize(id).map((key) => ({ key, weight: 1 }));
      const places = await read<Place>('candidates', { words, limit: SUSPECTS });
      const suspects = places.length === 0 ? [] : await read<StoredCard>('records', columnsOf(places));
      const citing = suspects.filter(({ record }) => record.id !== id && names(record, id));
      return { marks: [...marks.values()], citing: citing.map((one) => cardOf(one, about.name)) };
    },
    /** A page of the records that pass the filter, newest first, and their number. */
    async feed(viewer: Viewer, filter: HubFilter, { offset, limit }: { offset: number; limit: number }) {
      const read = readerFor(database, viewer, await narrowed(viewer, filter));
      const argument = { filter: conditionsOf(filter), offset, limit, count: true };
      const [count, ...stored] = await read<StoredCard & { total?: number }>('feed', argument);
      const items = await Promise.all(stored.map(async (one) => cardOf(one, await nameOf(one.repository))));
      return { total: count?.total ?? 0, items };
    },
    /** The values to filter by, with their counts, most common first. */
    async facets(viewer: Viewer, filter: HubFilter) {
      const read = readerFor(database, viewer, await narrowed(viewer, filter));
      const facets: HubFacets = { repository: [], team: [], type: [], concept: [], author: [], freshness: [] };
      const argument = { filter: conditionsOf(filter), limit: FACET };
      const found = await read<{ facet: keyof HubFacets; name: string; count: number }>('facets', argument);
      for (const { facet, ...value } of found) facets[facet].push(value);
      return facets;
    },
  };
}

/** An address as readers see it: no folder of the server, no user and no password. */
function shownAddress(url: string): string {
  if (url.startsWith('file:')) return '';
  if (!URL.canParse(url)) return url.replace(/^[^@/]*@/, '');
  const address = new URL(url);
  address.username = '';
  address.password = '';
  return address.href;
}

/** What failed, as readers see it: git's own words name places on the server. */
function shownProblem(problem: string): string {
  return problem.startsWith(NOT_INDEXED) ? problem : 'The last sync failed; the operators of the hub see why.';
}

interface StoredRepository {
  number: number;
  name: string;
  teams: string[];
  url: string;
  /** The indexed commit; empty before the first sync. */
  head: string;
  /** Active observations and summaries. */
  records: number;
  synced: string | null;
  /** Why the last sync failed; the state before it is served. */
  problem: string | null;
  /** Records of its branch that a redaction withholds, and those withheld because another repository redacts the same file. */
  withheld: number;
  withheldElsewhere: number;
  /** Those other repositories, and those where its own redactions withhold records, as far as the viewer may read them. */
  withheldBy: string[];
  withholdsIn: string[];
}

function wholeOf(one: StoredCard, { name, head }: StoredRepository): HubRecord {
  return { ...cardOf(one, name), record: one.record, head };
}

interface Entry {
  number: number;
  name: string;
  teams: string[];
}

/** How long the list is reused, in milliseconds: another process may apply a new configuration. */
const FRESH_MS = 5000;

/** Names and teams of the repositories, cached in each process. It decides no rights. */
function catalogue(database: Database) {
  let kept: { at: number; entries: Promise<Map<number, Entry>> } | undefined;

  function entries(): Promise<Map<number, Entry>> {
    if (kept === undefined || Date.now() - kept.at > FRESH_MS) {
      const read = database.query<Entry>('SELECT number, name, teams FROM repository');
      kept = { at: Date.now(), entries: read.then((rows) => new Map(rows.map((row) => [row.number, row]))) };
      // A failure is reported to its caller and not cached.
      kept.entries.catch(() => {
        kept = undefined;
      });
    }
    return kept.entries;
  }

  return {
    /** The viewer's repositories that pass a filter. */
    async narrowed({ repositories }: Viewer, { repository, team }: HubFilter): Promise<readonly number[]> {
      if (repository === undefined && team === undefined) return repositories;
      const all = await entries();
      return repositories.filter((number) => {
        const entry = all.get(number);
        const isNamed = entry && (repository?.includes(entry.name) ?? true);
        return isNamed && (team?.some((one) => entry.teams.includes(one)) ?? true);
      });
    },
    nameOf: async (number: number) => (await entries()).get(number)?.name ?? '',
  };
}

/** The part of a filter that the database decides; repositories are chosen beforehand. */
function conditionsOf({ repository: _, team: __, file, ...same }: HubFilter): object {
  return { ...same, ...(file && { paths: filePatterns(file) }) };
}

/** Longest file, folder or glob in a filter, in characters: the database compares it with every path. */
const LONGEST = 300;

/** Converts files, folders and globs, as `--file` takes them, to regular expressions of PostgreSQL. */
function filePatterns(files: readonly string[]): string[] {
  return files.map((file) => {
    const place = bareName(file.slice(0, LONGEST));
    if (place === '' || place === '.') return '';
    // A glob without a folder matches in any folder; a match of a folder includes everything in it.
    const start = /[*?]/.test(place) && !place.includes('/') ? '(^|/)' : '^';
    return `${start}${place.replace(/\*\*\/|\*\*|[*?]|[^\w/]/g, (part) => GLOB[part] ?? `\\${part}`)}(/|$)`;
  });
}

const GLOB: Record<string, string> = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
