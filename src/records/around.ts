import { type Cache, withCache } from '../index/cache.ts';
import type { RankedIndex, RecordIndex } from '../index/memory-index.ts';
import { tokenize } from '../index/tokens.ts';
import { idInName } from '../memory/file-name.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Annotated } from './annotate.ts';
import { documentsNamed, readRecords } from './records.ts';

const LATELY = { glance: 'lately' } as const;

/** Most records that may mention an id in their text and are read to see whether they do. */
const SUSPECTS = 200;

/** The ids of the records whose text may name an id. */
export function suspectsOf(index: RankedIndex, id: string): string[] {
  const words = new Map(tokenize(id).map((word) => [word, 1]));
  return index.candidates(words, SUSPECTS, ({ card }) => card.id !== id).map(({ card }) => card.id);
}

/**
 * A record by its id or prefix, and all that its story may name: its session, what is said about it, and what may
 * mention it; newest first, the record among them. Reads no others. Throws no-such-record, ambiguous-id.
 */
export function recordWithOthers(workspace: Workspace, prefix: string): Promise<{ id: string; records: Annotated[] }> {
  return withCache(workspace, async (cache) => {
    const { id, ids } = await cache.query((index) => {
      const named = documentsNamed(index, prefix);
      const id = named[0]?.card.id ?? prefix;
      const companions = idsOfSessions(index, new Set(named.flatMap(({ card }) => card.session ?? [])));
      const said = index.statements([id]).map(({ card }) => card.id);
      return { id, ids: [id, ...companions, ...said, ...suspectsOf(index, id)] };
    }, LATELY);
    return { id, records: await newestFirst(workspace, cache, ids) };
  });
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
