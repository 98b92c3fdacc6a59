import { GitMemError } from '../errors.ts';
import { type Cache, withCache } from '../index/cache.ts';
import { readLazily } from '../index/document.ts';
import type { IndexedDocument, RankedIndex, RecordIndex } from '../index/memory-index.ts';
import { tokenize } from '../index/tokens.ts';
import { idInName } from '../memory/file-name.ts';
import { noneStartsWith, resolveId } from '../memory/id.ts';
import type { StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Annotated } from './annotate.ts';
import { judge, type Placed, placesOf, statementsOn } from './judgement.ts';
import { presented } from './read-judged.ts';

/**
 * Whole records by their ids or prefixes, in the order asked for, and the ids that match nothing; throws ambiguous-id.
 * Reads only these files: what others say about them is in the index.
 */
export async function readRecords(
  workspace: Workspace,
  cache: Cache,
  prefixes: string[],
): Promise<{ found: Annotated[]; missing: string[] }> {
  const { places, statements, missing } = await cache.query((index) => look(index, prefixes), { glance: 'lately' });
  const read: { placed: Placed; stored: StoredRecord }[] = [];
  for (const { document, entry } of places) {
    try {
      const stored = await readLazily(workspace.stores[entry.store], entry);
      // Judged by the content just read: the file may have been edited since the index saw it.
      read.push({ stored, placed: { entry, document: { ...document, blob: stored.blob } } });
    } catch {
      missing.push(entry.id); // Just removed, or edited into something that does not parse: `git mem check` reports it.
    }
  }
  const readPlaces = read.map(({ placed }) => placed);
  const judgement = await judge(workspace, readPlaces, statements);
  const meant = new Set(judgement.distinct(readPlaces));
  const own = read.flatMap(({ placed, stored }) => {
    return meant.has(placed) ? [{ ...stored, trust: judgement.trust(placed) }] : [];
  });
  return { found: await presented(workspace, cache, own, judgement), missing };
}

/**
 * The documents of the one id that an id or prefix matches; throws no-such-record, ambiguous-id. Several documents may
 * claim that id, and only trust decides which is meant.
 */
export function documentsNamed(index: RecordIndex, prefix: string): IndexedDocument[] {
  return ofOneId(prefix, index.named(prefix.toLowerCase()));
}

function ofOneId(prefix: string, named: IndexedDocument[]): IndexedDocument[] {
  const ids = named.map(({ card }) => card.id);
  const id = resolveId(prefix, ids);
  return named.filter(({ card }) => card.id === id);
}

/** Full ids for prefixes, including those of marks, from the folder listings. Throws no-such-record, ambiguous-id. */
export function fullIds({ stores }: Workspace, prefixes: string[]): string[] {
  const ids = [...stores.team.ids(), ...stores.private.ids()];
  return prefixes.map((prefix) => resolveId(prefix.trim(), ids));
}

/** A sentence for each prefix that names no record. */
export function idProblems({ stores }: Workspace, prefixes: readonly unknown[]): string[] {
  const ids = [...stores.team.ids(), ...stores.private.ids()];
  const given = prefixes.map((prefix) => String(prefix).trim());
  const isKnown = (prefix: string) => prefix.length >= 4 && ids.some((id) => id.startsWith(prefix.toLowerCase()));
  return given.filter((prefix) => !isKnown(prefix)).map((prefix) => `${noneStartsWith(prefix)}.`);
}

interface Looked {
  places: Placed[];
  statements: Placed[];
  missing: string[];
}

function look(index: RecordIndex, prefixes: string[]): Looked {
  const found = new Map<number, IndexedDocument>();
  const missing: string[] = [];
  for (const given of prefixes) {
    const prefix = given.trim().toLowerCase();
    const named = prefix.length < 4 ? [] : index.named(prefix);
    if (named.length === 0) missing.push(given);
    else for (const document of ofOneId(prefix, named)) found.set(document.row, document);
  }
  const places = placesOf(index, found.values());
  return { places, statements: statementsOn(index, found.values()), missing };
}

const LATELY = { glance: 'lately' } as const;

/** Maximum records that may mention an id in their text and are read to check. */
const SUSPECTS = 200;

/** The ids of the records whose text may name an id. */
function suspectsOf(index: RankedIndex, id: string): string[] {
  const words = new Map(tokenize(id).map((word) => [word, 1]));
  return index.candidates(words, SUSPECTS, ({ card }) => card.id !== id).map(({ card }) => card.id);
}

/**
 * A record by its id or prefix, and everything that its story may name: its session, what is said about it, what it replaces
 * or is replaced by, and what may mention it; newest first, including the record itself. Reads no others. Throws no-such-record, ambiguous-id.
 */
export async function recordWithOthers(
  workspace: Workspace,
  cache: Cache,
  prefix: string,
): Promise<{ own: Annotated; records: Annotated[] }> {
  const { id, ids } = await cache.query((index) => {
    const named = documentsNamed(index, prefix);
    const id = named[0]?.card.id ?? prefix;
    const companions = idsOfSessions(index, new Set(named.flatMap(({ card }) => card.session ?? [])));
    const said = index.statements([id]).map(({ card }) => card.id);
    return { id, ids: [id, ...companions, ...said, ...suspectsOf(index, id)] };
  }, LATELY);
  const known = await newestFirst(workspace, cache, ids);
  const replacing = known.flatMap(({ record }) =>
    record.kind === 'mark' && record.type === 'supersede' ? [...record.targets, ...(record.by ? [record.by] : [])] : [],
  );
  const isComplete = replacing.every((one) => ids.includes(one));
  const records = isComplete ? known : await newestFirst(workspace, cache, [...ids, ...replacing]);
  const own = records.find(({ record }) => record.id === id);
  if (own !== undefined) return { own, records };
  throw new GitMemError('no-such-record', `The file of ${id} changed just now.`, { hint: 'Try again.' });
}

/** The records in these files of the team's store, and those of the sessions in which this clone saw one of the commits. */
export function recordsOfCommits(
  workspace: Workspace,
  commits: ReadonlySet<string>,
  files: readonly string[],
): Promise<Annotated[]> {
  return withCache(workspace, async (cache) => {
    const digests = [...workspace.stores.private.newest('summary')].map(({ id }) => id);
    const { found } = await readRecords(workspace, cache, digests);
    const sessions = found.flatMap(({ record }) => {
      const isSeen = record.kind === 'summary' && record.commits?.some((commit) => commits.has(commit));
      return isSeen && record.session !== undefined ? [record.session] : [];
    });
    const companions = await cache.query((index) => idsOfSessions(index, new Set(sessions)), LATELY);
    return newestFirst(workspace, cache, [...files.map(idInName), ...companions]);
  });
}

function idsOfSessions(index: RankedIndex & RecordIndex, sessions: ReadonlySet<string>): string[] {
  const rows = [...sessions].flatMap((session) => index.session(session));
  return index.documents(rows).map(({ card }) => card.id);
}

async function newestFirst(workspace: Workspace, cache: Cache, ids: readonly string[]): Promise<Annotated[]> {
  const { found } = await readRecords(workspace, cache, [...new Set(ids)]);
  const keyOf = ({ record }: Annotated) => `${record.generated.at} ${record.id}`;
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
}
