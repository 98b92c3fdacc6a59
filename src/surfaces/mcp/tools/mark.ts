import { writeMark } from '../../../capture/by-hand/mark.ts';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { askingSession } from '../../../capture/by-hand/tainted-session.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { withCache } from '../../../index/cache.ts';
import { personalIds } from '../../../memory/store/personal.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, readRecords } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Call, titleOf } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

const DONE = { supersede: 'superseded', retire: 'retired', pin: 'pinned', verify: 'verified', undo: 'undone' } as const;

/** Marks records: one mark for all that are named. */
export async function markRecords({ project: here }: Repository, given: Arguments<'mark'>, { now, caller }: Call) {
  const { type, ids, by, reason = '' } = given;
  const named = [...ids, ...(by === undefined ? [] : [by])];
  const personal = personalIds(named);
  const { workspace, config } = personal ? openPersonal(here.workspace.env) : here;
  const full = await fullIds(workspace, personal ?? named);
  const [targets, replacing] = [full.slice(0, ids.length), full[ids.length]];
  const marking = { type, targets, reason, ...(replacing !== undefined && { by: replacing }) };
  const cleaner = createCleaner(config().config.privacy.redact);
  const agent = agentBehindCall(here.workspace, caller);
  const making = { maker: { by: agent.by }, now, cleaner, asking: await askingSession(here.workspace, agent) };
  const { id, store, ...written } = await writeMark(workspace, marking, making);
  const folder = personal ? workspace.layout.memory : foldersOf(workspace)[store];
  const path = `${folder}/${written.path}`;
  const { found } = await withCache(workspace, (cache) => readRecords(workspace, cache, targets));
  const titles = found.map((one) => `${one.record.id} "${titleOf(one)}"`).join(', ');
  const already = written.created ? '' : ' (it was there already)';
  return {
    text: `${DONE[type]}: ${titles}${replacing ? ` by ${replacing}` : ''}. Mark ${id}${already}: ${path}`,
    data: { id, path, created: written.created },
  };
}
