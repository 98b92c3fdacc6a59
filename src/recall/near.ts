import type { Cache } from '../cache/cache.ts';
import type { Observation } from '../memory/record.ts';
import { isTrusted } from '../provenance/trust.ts';
import type { Workspace } from '../store/workspace.ts';
import { search } from './search.ts';

/** A record that a new one may repeat or make wrong. */
export interface Near {
  id: string;
  title: string;
}

/** Most that are named. */
const MOST = 3;

/**
 * How likely a record bears on the new one's title: at all, and where both cite the same file. Of 82 facts of three
 * repositories, asked for the two nearest of the others, 41 of 51 pairs at 0.35 are about one matter (44 of 60 at 0.3, about
 * half of what lies between 0.25 and that), and with a file in common all twelve down to 0.1.
 */
const BAR = { alone: 0.35, sameFile: 0.1 } as const;

/** Records that are searched for those. */
const LOOKED_AT = 12;

/**
 * The active, trusted observations that are nearest to a new one, best first; none where the index cannot be asked: what
 * is near is a help, and a record is saved without it.
 */
export async function nearRecords(workspace: Workspace, cache: Cache, fresh: Observation): Promise<Near[]> {
  const files = [...fresh.files_modified, ...fresh.files_read];
  try {
    const withoutIds = new Set([fresh.id, ...fresh.supersedes]);
    const request = { text: fresh.title, plain: true, limit: LOOKED_AT, withoutIds };
    const { hits } = await search(workspace, cache, request);
    return hits
      .flatMap(({ annotated: { record, trust }, confidence }) => {
        if (record.kind !== 'observation' || !isTrusted(trust)) return [];
        const cited = [...record.files_modified, ...record.files_read];
        const bar = cited.some((path) => files.includes(path)) ? BAR.sameFile : BAR.alone;
        return confidence >= bar ? [{ id: record.id, title: record.title }] : [];
      })
      .slice(0, MOST);
  } catch {
    return []; // `doctor` tells what is wrong with the index.
  }
}
