import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitMemError } from '../../../errors.ts';
import { below } from '../../../git/paths.ts';
import { withCache } from '../../../index/cache.ts';
import { typeOf } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { type Blamed, blame, type LineRange } from '../../../provenance/blame.ts';
import { why } from '../../../provenance/why.ts';
import type { Annotated } from '../../../records/annotate.ts';
import { recordsOfCommits, recordWithOthers } from '../../../records/records.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { AT, openReading } from '../filter-options.ts';
import { fitted, lineWidth, shown } from '../print.ts';
import { notesOn, shortIds, titleOf } from '../record-table.ts';
import { printStory, storyView } from '../why-record.ts';

type Options = Flags<'json'> & Texts<'at'>;

export const register: Register = (program, context) =>
  define(program, 'why', 'where a record comes from; or why the lines of a file are as they are')
    .argument('<id|file[:A-B]>', 'an id, or its first four characters or more; or a tracked file, and its lines')
    .option('--at <revision>', AT)
    .jsonAndNotes(`
For a record: its session, the commit that it was recorded in, what it replaces, and why it is trusted.
For a file: the commits that wrote its lines, what they say, and the records that were recorded in them or come from the
session in which this clone saw them made.

Examples:
  git mem why k3v9                    the story of one record
  git mem why src/auth.ts:40-60       for some lines
  git mem why src/auth.ts --at v1.2   as it was then`)
    .action(async (asked: string, options: Options) => {
      const { workspace } = await openReading(context, options);
      if (isPath(asked, context.cwd)) return printLineReasons(asked, workspace, options, context);
      const { own, records } = await withCache(workspace, (cache) => recordWithOthers(workspace, cache, asked));
      const story = await why(workspace, own, records);
      if (options.json) return context.json(storyView(story, own, workspace, records));
      printStory(story, own, workspace, records, context);
    });

/** Ids have no dot, colon or slash; a file or a folder may have none of these either. */
function isPath(asked: string, cwd: string): boolean {
  return /[./\\:]/.test(asked) || existsSync(resolve(cwd, asked));
}

/** Most lines of a commit's message, and most of its records, that are printed. */
const MOST = { reason: 3, records: 5 } as const;

/** Prints which commits wrote the lines of a file, why, and the records of these commits. */
async function printLineReasons(asked: string, workspace: Workspace, options: Flags<'json'>, context: Context) {
  const { path, range } = questionOf(asked, workspace, context.cwd);
  let known: Annotated[] = [];
  const groups = await blame(workspace, { path, range }, async (commits, files) => {
    known = (await recordsOfCommits(workspace, commits, files)).filter(({ state }) => !state.redacted);
    return known;
  });
  const byId = new Map(known.map((one) => [one.record.id, one]));
  if (options.json) return context.json({ file: path, groups: groups.map((one) => viewOf(one, byId)) });
  const ids = shortIds(workspace, [...byId.keys()]);
  for (const group of groups) {
    const records = group.records.flatMap((id) => byId.get(id) ?? []);
    printGroup(group, records, ids, context);
  }
}

/** Parses `FILE:A-B`; if a file with that whole name exists, it is meant. */
function questionOf(argument: string, { checkout: { root }, at }: Workspace, cwd: string) {
  const match = /^(.+):(\d+)(?:(-)(\d+)?)?$/s.exec(argument);
  const isWhole = match === null || (at === undefined && existsSync(resolve(cwd, argument)));
  const path = below(root, resolve(cwd, isWhole ? argument : (match[1] ?? '')));
  if (path === undefined) {
    throw new GitMemError('bad-input', `${argument} is not a file of this repository.`, {
      hint: 'Give a tracked file.',
    });
  }
  return { path, range: isWhole ? undefined : rangeOf(match) };
}

function rangeOf([, , from = '', dash, to]: RegExpExecArray): LineRange {
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? undefined : Number(to);
  if (first < 1 || (last !== undefined && last < first)) {
    throw new GitMemError('bad-input', `${from}${dash ?? ''}${to ?? ''} are not lines of the file.`, {
      hint: 'Lines count from 1, the smaller first: src/auth.ts:10-20.',
    });
  }
  return { from: first, ...(last !== undefined && { to: last }) };
}

function viewOf({ commit, path, lines, reason, records, isBeforeHistory }: Blamed, byId: Map<string, Annotated>) {
  return {
    lines,
    ...(commit ?? { commit: null, author: null, date: null, subject: null }),
    ...(isBeforeHistory && { history_ends: true }),
    path,
    reason,
    records: records
      .flatMap((id) => byId.get(id) ?? [])
      .map(({ record, trust, freshness, state: { superseded_by, retired } }) => {
        const said = { id: record.id, kind: record.kind, type: typeOf(record), title: titleOf(record) };
        return { ...said, trust, freshness, superseded_by, retired };
      }),
  };
}

function printGroup(
  { commit, lines, reason, isBeforeHistory }: Blamed,
  records: Annotated[],
  ids: ReadonlyMap<string, string>,
  { stdout, style }: Context,
): void {
  const columns = lineWidth(stdout);
  const ranges = lines.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  const what = commit
    ? `${style('yellow', commit.commit.slice(0, 8))} ${commit.date.slice(0, 10)} ${shown(commit.author)}: ${shown(commit.subject)}`
    : isBeforeHistory
      ? 'unknown: the history here ends before them (a shallow clone)'
      : 'not committed yet';
  const said = reason.split('\n').filter((line) => line.trim() !== '');
  const why = said.slice(0, MOST.reason).map((line) => `  ${fitted(shown(line), columns - 2)}`);
  const rows = records.slice(0, MOST.records).map((one) => {
    const notes = notesOn(one);
    const note = notes.length > 0 ? style('dim', `  [${notes.join(', ')}]`) : '';
    const type = style('cyan', shown(typeOf(one.record)).padEnd(9));
    const { id } = one.record;
    return `  ${style('yellow', ids.get(id) ?? id)} ${type} ${shown(titleOf(one.record))}${note}`;
  });
  const more = records.length > MOST.records ? [`  and ${records.length - MOST.records} more records`] : [];
  stdout.write(`${[`${style('bold', ranges)}  ${what}`, ...why, ...rows, ...more].join('\n')}\n`);
}
