import { readPacked } from '../../../recall/query/packed.ts';
import { readRecords } from '../../../recall/query/records.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import { viewOf } from '../../../recall/query/view.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';
import { warningOf, wholeText } from '../text.ts';

/** Step three: whole records. A redacted one is named but not shown, and a packed one is replaced by its digest. */
export async function getObservations(
  { project: { workspace }, cache }: Repository,
  { ids }: Arguments<'get_observations'>,
): Promise<Answer> {
  const named = await readRecords(workspace, cache, ids);
  const { packed, missing } = await readPacked(workspace, cache, named.missing);
  const known = new Map([...named.found, ...packed.map(({ digest }) => digest)].map((one) => [one.record.id, one]));
  const shown = [...known.values()].filter(({ state }) => !state.redacted);
  const redacted = [...known.values()].filter(({ state }) => state.redacted).map(({ record }) => record.id);
  const folders = foldersOf(workspace);
  const texts = shown.map((one) => wholeText(one, `${folders[one.entry.store]}/${one.entry.path}`));
  for (const { id, digest } of packed) texts.push(`${id} was packed into the digest ${digest.record.id}.`);
  if (missing.length > 0) texts.push(`No such record: ${missing.join(', ')}. search gives ids.`);
  if (redacted.length > 0) texts.push(`Redacted, not to be shown: ${redacted.join(', ')}.`);
  return {
    text: [warningOf(shown), ...texts].filter(Boolean).join('\n\n'),
    data: {
      records: shown.map((one) => viewOf(one, folders)),
      ...(packed.length > 0 && { packed: packed.map(({ id, digest }) => ({ id, digest: digest.record.id })) }),
      missing: [...missing, ...redacted],
    },
  };
}
