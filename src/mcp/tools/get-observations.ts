import { readRecords } from '../../recall/records.ts';
import { foldersOf } from '../../recall/store-folders.ts';
import { viewOf } from '../../recall/view.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';
import { warningOf, wholeText } from '../text.ts';

/** Step three: whole records. A redacted one is named and not shown. */
export async function getObservations(
  { project: { workspace }, cache }: Repository,
  { ids }: Arguments<'get_observations'>,
): Promise<Answer> {
  const { found, missing } = await readRecords(workspace, cache, ids);
  const shown = found.filter(({ state }) => !state.redacted);
  const redacted = found.filter(({ state }) => state.redacted).map(({ record }) => record.id);
  const folders = foldersOf(workspace);
  const texts = shown.map((one) => wholeText(one, `${folders[one.entry.store]}/${one.entry.path}`));
  if (missing.length > 0) texts.push(`No such record: ${missing.join(', ')}. search gives ids.`);
  if (redacted.length > 0) texts.push(`Redacted, not to be shown: ${redacted.join(', ')}.`);
  return {
    text: [warningOf(shown), ...texts].filter(Boolean).join('\n\n'),
    data: { records: shown.map((one) => viewOf(one, folders)), missing: [...missing, ...redacted] },
  };
}
