import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { openPlaces, type Source, sourceFolders } from '../../../exchange/places/reader.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import type { Annotated } from '../../../records/annotate.ts';
import { readRecords } from '../../../records/records.ts';
import { viewOf } from '../../../records/view.ts';
import { type Call, warningOf, wholeText } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

/** Step three: whole records; `NAME:ID` is of another repository. A redacted one is named but not shown. */
export async function getObservations(
  repository: Repository,
  { ids }: Arguments<'get_observations'>,
  { caller }: Call,
) {
  const { project, cache, others } = repository;
  const { workspace } = project;
  const names = [...new Set(ids.flatMap((id) => nameIn(id) ?? []))];
  const own = ids.filter((id) => nameIn(id) === undefined);
  const answers = own.length > 0 ? [await readFrom({ workspace, cache }, own)] : [];
  const read = answers.flatMap(({ records }) => records.map(({ id }) => id));
  if (read.length > 0) noteWhole(workspace.layout.state, agentBehindCall(workspace, caller).session, read);
  const isWanted = (name: string) => names.includes(name);
  const { sources } = openPlaces(workspace.env, others, { besides: workspace, isWanted });
  for (const name of names) {
    const theirs = ids.filter((id) => nameIn(id) === name).map((id) => id.slice(name.length + 1));
    const source = sources.find(({ origin }) => origin === name);
    answers.push(source === undefined ? unknown(name, theirs) : await readFrom(source, theirs));
  }
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    data: {
      records: answers.flatMap(({ records }) => records),
      missing: answers.flatMap(({ missing }) => missing),
    },
  };
}

/** The name before an id. */
function nameIn(id: string): string | undefined {
  return /^([^:]+):/.exec(id)?.[1];
}

function unknown(name: string, ids: string[]): Awaited<ReturnType<typeof readFrom>> {
  const text = `No repository is called ${name}: search with the scope all gives names.`;
  return { text, records: [], missing: ids.map((id) => `${name}:${id}`) };
}

async function readFrom(source: Source, ids: string[]) {
  const { origin, workspace, cache } = source;
  const label = origin === undefined ? '' : `${origin}:`;
  const named = await readRecords(workspace, cache, ids);
  // What is private in another repository stays there.
  const isOpen = ({ entry }: Annotated) => origin === undefined || entry.store === 'team';
  const known = new Map(named.found.filter(isOpen).map((one) => [one.record.id, one]));
  const hidden = named.found.filter((one) => !isOpen(one)).map(({ record }) => record.id);
  const shown = [...known.values()].filter(({ state }) => !state.redacted);
  const redacted = [...known.values()].filter(({ state }) => state.redacted).map(({ record }) => record.id);
  const folders = sourceFolders(source);
  const texts = shown.map((one) => wholeText(one, `${folders[one.entry.store]}/${one.entry.path}`));
  const absent = [...named.missing, ...hidden].map((id) => `${label}${id}`);
  if (absent.length > 0) texts.push(`No such record: ${absent.join(', ')}. search gives ids.`);
  if (redacted.length > 0)
    texts.push(`Redacted, not to be shown: ${redacted.map((id) => `${label}${id}`).join(', ')}.`);
  return {
    text: [warningOf(shown), ...named.alike, ...texts].filter(Boolean).join('\n\n'),
    records: shown.map((one) => ({
      ...viewOf(one, folders),
      ...(origin !== undefined && { repository: origin }),
    })),
    missing: [...absent, ...redacted.map((id) => `${label}${id}`)],
  };
}
