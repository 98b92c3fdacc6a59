import { GitMemError } from '../../errors.ts';
import { resolveId } from '../../memory/id.ts';
import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, RecordIndex } from '../index/memory-index.ts';
import { readLazily } from '../index/read-lazily.ts';
import type { Annotated } from './annotate.ts';
import { judge, type Placed, placesOf, statementsOn } from './judgement.ts';
import { presented } from './read-judged.ts';

/**
 * Whole records by their ids or prefixes, in the order asked for, and the ids that match nothing; throws ambiguous-id.
 * Reads only these files: the index has the statements of others about them.
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
 * The documents of the one id that an id or a prefix matches; throws no-such-record, ambiguous-id. Several may claim
 * that id, and only trust decides which is meant.
 */
export function documentsNamed(index: RecordIndex, prefix: string): IndexedDocument[] {
  const named = index.named(prefix.toLowerCase());
  const ids = named.map(({ card }) => card.id);
  const id = resolveId(prefix, ids);
  return named.filter(({ card }) => card.id === id);
}

/** Full ids for prefixes, including those of marks, from the folder listings; throws no-such-record, ambiguous-id. */
export function fullIds({ stores }: Workspace, prefixes: string[]): string[] {
  const ids = new Set([...stores.team.ids(), ...stores.private.ids()]);
  return prefixes.map((prefix) => resolveId(prefix.trim(), ids));
}

/** What is wrong with prefixes that name no record, or several: a sentence each. */
export function idProblems(workspace: Workspace, prefixes: readonly unknown[]): string[] {
  return prefixes.map(String).flatMap((prefix) => {
    try {
      fullIds(workspace, [prefix]);
      return [];
    } catch (error) {
      return error instanceof GitMemError ? [error.message] : [];
    }
  });
}

function look(index: RecordIndex, prefixes: string[]): { places: Placed[]; statements: Placed[]; missing: string[] } {
  const found = new Map<number, IndexedDocument>();
  const missing: string[] = [];
  for (const prefix of prefixes) {
    try {
      for (const document of documentsNamed(index, prefix.trim())) found.set(document.row, document);
    } catch (error) {
      if (!(error instanceof GitMemError) || error.code !== 'no-such-record') throw error;
      missing.push(prefix);
    }
  }
  return { places: placesOf(index, found.values()), statements: statementsOn(index, found.values()), missing };
}
