import { noteFetched } from '../../../capture/by-hand/fetched.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import { makerWords } from '../../../memory/author.ts';
import { sections } from '../../../memory/body.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { type FileHistory, fileHistory } from '../../../provenance/history.ts';
import type { Evidence } from '../../../provenance/levels.ts';
import { counted } from '../../../quantities.ts';
import { openCache } from '../../../recall/index/cache.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { evidenceOf } from '../../../recall/query/evidence.ts';
import { viewOf } from '../../../recall/query/view.ts';
import { type Chosen, choose, LIMIT, namesIn } from '../chosen-records.ts';
import type { Command, Context } from '../command.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { LINKED, type LinkedOptions, linkedFor, originOf } from '../linked.ts';
import { printJson, shown } from '../print.ts';
import { trustWords } from '../record-words.ts';

type Options = FilterOptions & LinkedOptions & { raw?: boolean; json?: boolean };

export function register(program: Command, context: Context): void {
  const command = program
    .command('show')
    .description('show whole records')
    .argument('[id...]', 'ids, or their first four characters or more; without one the filters pick');
  addFilters(command, { now: context.now })
    .addOption(LINKED)
    .option('--raw', 'print the file as it is')
    .option('--json', 'print JSON')
    .notes(`
Without ids it shows the newest ${LIMIT} that the filters pick, or as many as --limit says.

Examples:
  git mem show k3v9                         one record
  git mem show k3v9 p8w2                    two
  git mem show k3v9 --raw                   the Markdown file
  git mem show lib:k3v9                     one of a linked repository
  git mem show --file src/auth.ts           what is known about a file
  git mem show --type decision --limit 3    the last three decisions`)
    .action(async (ids: string[], options: Options) => {
      const { project, workspace, filter, ...from } = await openReading(context, options);
      if (ids.length === 0 && Object.keys(filter).length === 0 && options.limit === undefined) {
        command.error('error: give ids, or a filter such as --type decision', { exitCode: 2 });
      }
      const linked = await linkedFor(context, project, { linked: options.linked, names: namesIn(ids) });
      const cache = openCache(workspace);
      try {
        const sources = { own: { ...from, workspace, cache }, linked: linked.sources };
        const request = { isLinked: options.linked === true, filter, limit: options.limit };
        const chosen = await choose(sources, ids, request);
        if (chosen.missing.length > 0) context.setExitCode(1);
        const own = chosen.found.filter(({ source }) => source.workspace === workspace);
        const shownIds = own.map(({ annotated }) => annotated.record.id);
        await noteFetched(workspace, shownIds, context.now());
        if (options.json) await printAsJson(chosen, context);
        else await print(chosen, context, options.raw === true);
      } finally {
        cache.close();
        linked.close();
      }
    });
}

async function printAsJson({ found, packed, missing }: Chosen, { stdout }: Context): Promise<void> {
  const records = found.map(async ({ annotated, source }) => {
    const { workspace, cache } = source;
    const evidence = (await evidenceOf(workspace, cache, [annotated])).get(annotated.record.id);
    return {
      ...viewOf(annotated, sourceFolders(source)),
      ...(evidence && { evidence }),
      ...(await detailOf(workspace, annotated)),
      ...originOf(source),
    };
  });
  printJson(stdout, {
    records: await Promise.all(records),
    ...(packed.length > 0 && { packed: packed.map(({ id, digest }) => ({ id, digest: digest.record.id })) }),
    missing,
  });
}

async function print({ found, packed, missing }: Chosen, context: Context, isRaw: boolean): Promise<void> {
  for (const [i, { annotated, source }] of found.entries()) {
    const { origin, workspace, cache } = source;
    const { entry } = annotated;
    if (i > 0) context.stdout.write('\n');
    // The file of a redacted record contains its text; a notice is shown instead.
    if (isRaw && !annotated.state.redacted) {
      const bytes = workspace.stores[entry.store].files.bytes(entry.path);
      // Other repositories' files were never checked by us.
      context.stdout.write(origin === undefined ? bytes : shown(bytes.toString('utf8')));
    } else {
      const { freshness_detail: histories = [] } = await detailOf(workspace, annotated);
      const evidence = (await evidenceOf(workspace, cache, [annotated])).get(annotated.record.id);
      const path = `${sourceFolders(source)[entry.store]}/${entry.path}`;
      printRecord(annotated, context, { path, origin, evidence, histories });
    }
  }
  for (const { id, digest } of packed) {
    context.stderr.write(
      `${id} was packed into the digest ${digest.record.id}; its text: git log -p -- ':(top,glob).memory/**/*${id}.md'\n`,
    );
  }
  if (found.length === 0 && missing.length === 0) context.stderr.write('No record matches.\n');
  for (const id of missing) {
    const list = namesIn([id]).length > 0 ? 'git mem list --all --linked' : 'git mem list --all';
    context.stderr.write(`No record has an id that starts with "${shown(id)}": \`${list}\` shows them.\n`);
  }
}

/** The history of the cited files, if the record has anchors. */
async function detailOf(workspace: Workspace, { record }: Annotated): Promise<{ freshness_detail?: FileHistory[] }> {
  // At a past commit there is no "since", and another repository's files are not here.
  if (record.kind !== 'observation' || workspace.at !== undefined || workspace.linked) return {};
  return { freshness_detail: await fileHistory(workspace, record) };
}

interface About {
  path: string;
  origin: string | undefined;
  evidence: Evidence | undefined;
  histories: FileHistory[];
}

function printRecord(annotated: Annotated, { stdout, style }: Context, about: About): void {
  const { record, state, reverted, trust, edited, freshness, disputedBy, readTokens } = annotated;
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
    ...trustWords({ trust, edited }),
    freshness,
    about.evidence,
    state.pinned && 'pinned',
    state.retired && 'retired',
    reverted && `reverted by ${reverted.commit.slice(0, 8)} (${shown(reverted.subject)})`,
    state.redacted && 'redacted',
    state.disputed && 'disputed',
    disputedBy.length > 0 && `disputed by ${disputedBy.join(', ')}`,
    state.superseded_by.length > 0 && `superseded by ${state.superseded_by.join(', ')}`,
  ];
  field('state', states.filter(Boolean).join(', '));
  // A fresh file needs no history.
  for (const history of about.histories.filter((one) => one.freshness !== 'fresh')) {
    lines.push(`${' '.repeat(12)}${shown(lineOf(history))}`);
  }
  if (record.kind === 'observation') {
    field('modified', record.files_modified.join(', '));
    field('read', record.files_read.join(', '));
    field('concepts', record.concepts.join(', '));
    field('supersedes', record.supersedes.join(', '));
    if (record.narrative) lines.push('', shown(record.narrative));
    if (record.facts.length > 0) heading('Facts');
    for (const fact of record.facts) lines.push(`- ${shown(fact).replaceAll('\n', '\n  ')}`);
  } else if (record.kind === 'summary') {
    field('edited', record.files_edited.join(', '));
    for (const [key, title] of sections()) {
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

/** The history of a file that a record cites. */
function lineOf({ file, freshness, moved_to, commits_since, last, shallow }: FileHistory): string {
  const where = moved_to === undefined ? '' : freshness === 'moved' ? ` to ${moved_to}` : ` as ${moved_to}`;
  const parts = [
    commits_since === 0 ? 'not committed' : commits_since && `${counted(commits_since, 'commit')} since`,
    last && `last ${last.commit} ${last.date.slice(0, 10)} ${last.subject} (${last.author})`,
    shallow && 'the history here ends too early to count commits',
  ].filter(Boolean);
  return `${file}: ${freshness}${where}${parts.length > 0 ? `; ${parts.join(', ')}` : ''}`;
}
