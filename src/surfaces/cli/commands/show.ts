import { agentInShell } from '../../../capture/by-hand/saving-agent.ts';
import { nameIn, readNamed, sourceFolders } from '../../../exchange/places/reader.ts';
import { openCache } from '../../../index/cache.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import { makerWords } from '../../../memory/author.ts';
import { sections } from '../../../memory/body.ts';
import { encode } from '../../../memory/codec.ts';
import { noneStartsWith } from '../../../memory/id.ts';
import { inputWords } from '../../../memory/record.ts';
import { isSessionDigest } from '../../../memory/session-digest.ts';
import type { FileFreshness, MissingName } from '../../../provenance/freshness.ts';
import type { Revert } from '../../../provenance/reverts.ts';
import { originOf as originOfRecord } from '../../../provenance/why.ts';
import type { Annotated } from '../../../records/annotate.ts';
import { type Context, define, type Register } from '../command.ts';
import { AT, openReading, othersFor, storeOption } from '../filter-options.ts';
import type { FilterOptions } from '../option-values.ts';
import { shown } from '../print.ts';
import { foundView, trustWords } from '../record-table.ts';

type Options = Pick<FilterOptions, 'store' | 'at'> & { raw?: boolean; json?: boolean };

export const register: Register = (program, context) =>
  define(program, 'show', 'show whole records')
    .argument('<id...>', 'ids, or their first four characters or more')
    .addOption(storeOption())
    .option('--at <revision>', AT)
    .option('--raw', 'print the file as it is')
    .jsonAndNotes(`
Examples:
  git mem show k3v9 p8w2                    two records
  git mem show k3v9 --raw                   the Markdown file
  git mem show lib:k3v9                     one of your repository lib`)
    .action(async (ids: string[], options: Options) => {
      const { project, workspace, filter, ...from } = await openReading(context, options);
      const others = await othersFor(context, project, { names: ids.flatMap((id) => nameIn(id) ?? []) });
      const cache = openCache(workspace);
      try {
        const chosen = await readNamed({ ...from, workspace, cache }, others.sources, ids);
        if (filter.store) chosen.found = chosen.found.filter(({ annotated }) => annotated.entry.store === filter.store);
        if (chosen.missing.length > 0) context.setExitCode(1);
        const { found, missing } = chosen;
        if (options.json) context.json({ records: found.map(viewOf), missing });
        else await print(chosen, context, options.raw === true);
        const own = found.filter(({ source }) => source.origin === undefined);
        const read = own.map(({ annotated }) => annotated.record.id);
        noteWhole(workspace.layout.state, agentInShell(workspace, context.stdin)?.session, read);
      } finally {
        cache.close();
        others.close();
      }
    });

type Chosen = Awaited<ReturnType<typeof readNamed>>;

/** A record for programs, with what became of each file that an observation cites. */
function viewOf(one: Chosen['found'][number]) {
  const { record, cited, missing } = one.annotated;
  if (record.kind !== 'observation') return foundView(one);
  const freshness_detail = cited.map(({ path, freshness, movedTo }) => ({
    file: path,
    freshness,
    ...(movedTo !== undefined && { moved_to: movedTo }),
    missing: missing.flatMap((one) => (one.path === path ? [one.name] : [])),
  }));
  return { ...foundView(one), freshness_detail };
}

async function print({ found, missing }: Chosen, context: Context, isRaw: boolean): Promise<void> {
  for (const [i, { annotated, source }] of found.entries()) {
    const { origin, workspace } = source;
    const { entry } = annotated;
    if (i > 0) context.stdout.write('\n');
    // The file of a redacted record contains its text; a notice is shown instead.
    if (isRaw && !annotated.state.redacted) {
      const { record } = annotated;
      // A summary is shown without what hidden records said.
      const isSaid = record.kind === 'summary';
      const bytes = isSaid ? Buffer.from(encode(record)) : workspace.stores[entry.store].files.bytes(entry.path);
      // Other repositories' files were never checked by us.
      context.stdout.write(origin === undefined ? bytes : shown(bytes.toString('utf8')));
    } else {
      const reverted = origin === undefined ? (await originOfRecord(workspace, annotated)).reverted_by : undefined;
      const path = `${sourceFolders(source)[entry.store]}/${entry.path}`;
      printRecord(annotated, context, { path, origin, reverted });
    }
  }
  for (const id of missing) {
    const list = nameIn(id) ? 'git mem list --all --all-repositories' : 'git mem list --all';
    context.say(`${noneStartsWith(id)}. \`${list}\` shows them.`);
  }
}

interface About {
  path: string;
  origin: string | undefined;
  reverted: Revert | undefined;
}

function printRecord(annotated: Annotated, { stdout, style }: Context, about: About): void {
  const { record, state, verified, trust, edited, freshness, missing, cited, readTokens } = annotated;
  const lines: string[] = [];
  const field = (name: string, value: string | undefined) => {
    if (value) lines.push(`${style('dim', `${name}:`.padEnd(12))}${shown(value)}`);
  };
  const heading = (text: string) => lines.push('', style('bold', text), '');
  const title = record.kind === 'mark' ? record.type : record.kind === 'prompt' ? 'Prompt' : record.title;
  lines.push(style('bold', shown(title)));
  if (record.kind === 'observation' && record.subtitle) lines.push(shown(record.subtitle));
  lines.push('');
  field('origin', about.origin);
  const kind = record.kind === 'observation' ? `observation, ${record.type}` : record.kind;
  field('id', `${record.id} (${record.kind === 'summary' ? record.type : kind})`);
  field('created', `${record.generated.at} by ${makerWords(record.generated)}`);
  field('branch', [record.branch, record.commit?.slice(0, 10)].filter(Boolean).join(' @ '));
  const states = [
    ...inputWords(record),
    ...trustWords({ trust, edited }),
    freshness,
    state.pinned && 'pinned',
    verified && 'verified',
    state.retired && 'retired',
    state.redacted && 'redacted',
    state.disputed && 'disputed',
    state.superseded_by.length > 0 && `superseded by ${state.superseded_by.join(', ')}`,
  ];
  field('state', states.filter(Boolean).join(', '));
  if (about.reverted) lines.push(`${' '.repeat(12)}${shown(revertLine(about.reverted))}`);
  for (const file of cited.filter((one) => one.freshness !== 'fresh')) {
    lines.push(`${' '.repeat(12)}${shown(lineOf(file, missing))}`);
  }
  if (record.kind === 'observation') {
    field('files', record.files_modified.join(', '));
    field('read', record.files_read.join(', '));
    field('concepts', record.concepts.join(', '));
    field('supersedes', record.supersedes.join(', '));
    if (record.narrative) lines.push('', shown(record.narrative));
    if (record.facts.length > 0) heading('Facts');
    for (const fact of record.facts) lines.push(`- ${shown(fact).replaceAll('\n', '\n  ')}`);
  } else if (record.kind === 'summary') {
    field('edited', record.files_edited.join(', '));
    if (isSessionDigest(record)) lines.push('', shown(record.request));
    for (const [key, title] of isSessionDigest(record) ? [] : sections()) {
      if (!record[key]) continue;
      heading(title);
      lines.push(shown(record[key]));
    }
  } else if (record.kind === 'mark') {
    field('targets', record.targets.join(', '));
    field('by', record.by);
    field('guards', record.guards?.join(', '));
    field('asks', record.asks);
    if (record.reason) lines.push('', shown(record.reason));
  } else lines.push('', shown(record.text));
  lines.push('', style('dim', `${shown(about.path)} (${readTokens} tokens)`));
  stdout.write(`${lines.join('\n')}\n`);
}

function revertLine({ commit, subject }: Revert): string {
  return `its change was reverted by ${commit.slice(0, 8)} (${subject})`;
}

/** What became of a file that a record cites. */
function lineOf({ path, freshness, movedTo }: FileFreshness, missing: MissingName[]): string {
  const names = missing.flatMap((one) => (one.path === path ? [`\`${one.name}\``] : []));
  const where = movedTo === undefined ? '' : freshness === 'moved' ? ` to ${movedTo}` : ` as ${movedTo}`;
  const gone = freshness === 'touched' ? `, without ${names.join(', ')}` : '';
  return `${path}: ${freshness}${where}${gone}`;
}
