import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitMemError } from '../../../errors.ts';
import { below } from '../../../git/paths.ts';
import { typeOf } from '../../../memory/record.ts';
import { type Workspace, workspaceAt } from '../../../memory/store/workspace.ts';
import { type Blamed, blame } from '../../../provenance/blame.ts';
import type { LineRange } from '../../../provenance/blame-lines.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { readEverything } from '../../../recall/query/read.ts';
import type { Command, Context } from '../command.ts';
import { wholeNumber } from '../option-values.ts';
import { printJson, printMore, shown } from '../print.ts';
import { notesOn, titleOf } from '../record-table.ts';
import { shortIds } from '../short-ids.ts';

interface Options {
  C?: boolean;
  at?: string;
  limit?: number;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('blame')
    .description('the records behind the lines of a file')
    .argument('<file[:A-B]>', 'a tracked file, and which of its lines')
    .option('-C', 'follow lines that were copied from other files of their commit')
    .option('--at <revision>', 'as of this commit, branch or tag')
    .option('-n, --limit <n>', 'at most this many groups of lines, of those with a record', wholeNumber)
    .option('--json', 'print JSON')
    .notes(`
A record is behind lines when its file came with the commit that wrote them, when it left the
file as that commit has it, or when that commit is the first after it to change the file.
Lines without a record are left out.

Examples:
  git mem blame src/auth.ts             the whole file
  git mem blame src/auth.ts:40-60       some lines
  git mem blame src/auth.ts:40          one line
  git mem blame src/auth.ts --at v1.2   as it was then`)
    .action(async (argument: string, options: Options) => {
      const { workspace: now } = context.project();
      const workspace = options.at === undefined ? now : await workspaceAt(now, options.at);
      const { path, range } = questionOf(argument, workspace, context.cwd);
      const { records } = await readEverything(workspace);
      const known = records.filter(({ state }) => !state.redacted);
      const candidates = known.map(({ record }) => record);
      const all = await blame(workspace, { path, range, copies: options.C === true }, candidates);
      const explained = all.filter((group) => group.records.length > 0);
      const { length: total } = explained;
      const chosen = explained.slice(0, options.limit);
      const byId = new Map(known.map((one) => [one.record.id, one]));
      if (options.json) {
        const groups = viewOf(options.limit === undefined ? all : chosen, byId);
        return printJson(context.stdout, { file: path, at: workspace.at ?? null, total, groups });
      }
      print(chosen, byId, workspace, context);
      if (total === 0) context.stderr.write('No record explains these lines.\n');
      printMore(context, chosen.length, total);
    });
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

function viewOf(found: Blamed[], byId: Map<string, Annotated>) {
  return found.map(({ commit, path, lines, records }) => ({
    lines,
    ...(commit ?? { commit: null, author: null, date: null, subject: null }),
    path,
    records: records.flatMap(({ id, evidence }) => {
      const one = byId.get(id);
      if (one === undefined) return [];
      const { record, trust, freshness, state } = one;
      const type = typeOf(record);
      const said = { trust, freshness, superseded_by: state.superseded_by, retired: state.retired };
      return [{ id, kind: record.kind, type, title: titleOf(record), evidence, ...said }];
    }),
  }));
}

const WORDS: Record<Blamed['records'][number]['evidence'], string> = {
  'same-commit': 'same commit',
  'same-content': 'left the file like this',
  'next-change': 'first change after it',
  uncommitted: 'not committed',
};

function print(found: Blamed[], byId: Map<string, Annotated>, workspace: Workspace, { stdout, style }: Context): void {
  const ids = shortIds(workspace, [...byId.keys()]);
  const blocks = found.map(({ commit, lines, records }) => {
    const ranges = lines.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
    const what = commit
      ? `${style('yellow', commit.commit.slice(0, 8))} ${commit.date.slice(0, 10)} ${shown(commit.subject)}`
      : 'not committed yet';
    const rows = records.map(({ id, evidence }) => {
      const one = byId.get(id);
      if (one === undefined) return '';
      const type = shown(typeOf(one.record)).padEnd(9);
      const note = [WORDS[evidence], ...notesOn(one)].join(', ');
      const cells = [style('yellow', ids.get(id) ?? id), style('cyan', type), shown(titleOf(one.record))];
      return `  ${cells.join(' ')}${style('dim', `  [${note}]`)}\n`;
    });
    return `${style('bold', ranges)}  ${what}\n${rows.join('')}`;
  });
  stdout.write(blocks.join(''));
}
