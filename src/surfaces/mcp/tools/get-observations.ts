import { noteFetched } from '../../../capture/by-hand/fetched.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import type { Source } from '../../../exchange/links/sources.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { evidenceOf } from '../../../recall/query/evidence.ts';
import { readPacked } from '../../../recall/query/packed.ts';
import { readRecords } from '../../../recall/query/records.ts';
import { viewOf } from '../../../recall/query/view.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import { openOthers } from '../other-memories.ts';
import type { Repository } from '../repositories.ts';
import { warningOf, wholeText } from '../text.ts';

/**
 * Step three: whole records. A redacted one is named but not shown, and a packed one is replaced by its digest. An id
 * with a name before it is of a linked memory, or of another repository of the user.
 */
export async function getObservations(
  { project, cache, others }: Repository,
  { ids }: Arguments<'get_observations'>,
): Promise<Answer> {
  const names = [...new Set(ids.flatMap((id) => nameIn(id) ?? []))];
  const own = ids.filter((id) => nameIn(id) === undefined);
  const answers = own.length > 0 ? [await readFrom({ workspace: project.workspace, cache }, own)] : [];
  const sources = names.length > 0 ? (await openOthers(project, others, { names })).sources : [];
  for (const name of names) {
    const theirs = ids.filter((id) => nameIn(id) === name).map((id) => id.slice(name.length + 1));
    const source = sources.find(({ origin }) => origin === name);
    answers.push(source === undefined ? unknown(name, theirs) : await readFrom(source, theirs));
  }
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    data: {
      records: answers.flatMap(({ records }) => records),
      ...(answers.some(({ packed }) => packed.length > 0) && { packed: answers.flatMap(({ packed }) => packed) }),
      missing: answers.flatMap(({ missing }) => missing),
    },
  };
}

/** The name before an id. */
function nameIn(id: string): string | undefined {
  return /^([^:]+):/.exec(id)?.[1];
}

function unknown(name: string, ids: string[]): Awaited<ReturnType<typeof readFrom>> {
  const text = `No linked memory and no repository is called ${name}: search with the scope all gives names.`;
  return { text, records: [], packed: [], missing: ids.map((id) => `${name}:${id}`) };
}

async function readFrom(source: Source, ids: string[]) {
  const { origin, workspace, cache } = source;
  const label = origin === undefined ? '' : `${origin}:`;
  const named = await readRecords(workspace, cache, ids);
  const { packed, missing } = await readPacked(workspace, cache, named.missing);
  // What is private in another repository stays there.
  const isOpen = ({ entry }: Annotated) => origin === undefined || entry.store === 'team';
  const known = new Map(
    [...named.found, ...packed.map(({ digest }) => digest)].filter(isOpen).map((one) => [one.record.id, one]),
  );
  const hidden = named.found.filter((one) => !isOpen(one)).map(({ record }) => record.id);
  const shown = [...known.values()].filter(({ state }) => !state.redacted);
  const redacted = [...known.values()].filter(({ state }) => state.redacted).map(({ record }) => record.id);
  const fetched = shown.map(({ record }) => record.id);
  await noteFetched(workspace, fetched, new Date());
  const folders = sourceFolders(source);
  const evidence = await evidenceOf(workspace, cache, shown);
  const texts = shown.map((one) => {
    return wholeText(one, `${folders[one.entry.store]}/${one.entry.path}`, evidence.get(one.record.id));
  });
  for (const { id, digest } of packed) texts.push(`${label}${id} was packed into the digest ${digest.record.id}.`);
  const absent = [...missing, ...hidden].map((id) => `${label}${id}`);
  if (absent.length > 0) texts.push(`No such record: ${absent.join(', ')}. search gives ids.`);
  if (redacted.length > 0)
    texts.push(`Redacted, not to be shown: ${redacted.map((id) => `${label}${id}`).join(', ')}.`);
  return {
    text: [warningOf(shown), ...texts].filter(Boolean).join('\n\n'),
    records: shown.map((one) => ({
      ...viewOf(one, folders),
      ...(evidence.has(one.record.id) && { evidence: evidence.get(one.record.id) }),
      ...(origin !== undefined && { repository: origin }),
    })),
    packed: packed.map(({ id, digest }) => ({ id: `${label}${id}`, digest: digest.record.id })),
    missing: [...absent, ...redacted.map((id) => `${label}${id}`)],
  };
}
