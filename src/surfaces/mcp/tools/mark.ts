import { writeMark } from '../../../capture/by-hand/mark.ts';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { recount } from '../../../recall/query/live-count.ts';
import { fullIds } from '../../../recall/query/records.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Call } from '../call.ts';
import type { Repository } from '../repositories.ts';

const DONE = {
  supersede: 'superseded',
  retire: 'retired',
  pin: 'pinned',
  verify: 'verified',
  undo: 'undone',
} as const;

/** Marks records: one mark for all that are named. */
export async function markRecords(
  { project: { workspace, config } }: Repository,
  { type, ids, by, reason = '' }: Arguments<'mark'>,
  { now, caller }: Call,
): Promise<Answer> {
  const targets = fullIds(workspace, ids);
  const replacing = by === undefined ? undefined : fullIds(workspace, [by])[0];
  const marking = { type, targets, reason, ...(replacing !== undefined && { by: replacing }) };
  const cleaner = createCleaner(config().config.privacy.redact);
  const { by: host } = agentBehindCall(workspace, caller);
  const { id, store, ...written } = await writeMark(workspace, marking, { maker: { by: host }, now, cleaner });
  await recount(workspace, now);
  const path = `${foldersOf(workspace)[store]}/${written.path}`;
  const already = written.created ? '' : ' (it was there already)';
  return {
    text: `${DONE[type]}: ${targets.join(', ')}${replacing ? ` by ${replacing}` : ''}. Mark ${id}${already}: ${path}`,
    data: { id, path, created: written.created },
  };
}
