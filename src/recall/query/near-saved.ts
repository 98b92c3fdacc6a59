import { namesId } from '../../memory/id.ts';
import type { Observation } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from '../index/cache.ts';
import { type Near, nearRecords } from '../search/near.ts';
import { keptDisputes } from './kept-disputes.ts';
import { noteDisputes } from './note-disputes.ts';

/**
 * The records that are near to one that was just saved. Drains compare records in the background; a dispute that this
 * one begins or ends is noted at once.
 */
export async function nearSaved(workspace: Workspace, cache: Cache, saved: Observation): Promise<Near[]> {
  const near = await nearRecords(workspace, cache, saved);
  if (near.some(({ reverses }) => reverses !== undefined) || namesDisputed(workspace, saved)) {
    await noteDisputes(workspace, cache);
  }
  return near;
}

function namesDisputed(workspace: Workspace, { narrative, facts }: Observation): boolean {
  const text = [narrative, ...facts].join(' ');
  return [...keptDisputes(workspace).keys()].some((id) => namesId(text, id));
}
