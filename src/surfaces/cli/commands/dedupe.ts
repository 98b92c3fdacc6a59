import { InvalidArgumentError } from 'commander';
import { type MarkMaking, writeMark } from '../../../capture/by-hand/mark.ts';
import { STORES } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { counted } from '../../../quantities.ts';
import { recount } from '../../../recall/query/active-count.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { type DuplicateGroup, duplicateGroups } from '../../../recall/search/duplicate-groups.ts';
import { DUPLICATE_THRESHOLD } from '../../../recall/search/duplicates.ts';
import type { Command, Context } from '../command.ts';
import { markMaking } from '../mark-making.ts';
import { printJson, shown } from '../print.ts';
import { titleOf } from '../record-table.ts';
import { shortIds } from '../short-ids.ts';

export function register(program: Command, context: Context): void {
  program
    .command('dedupe')
    .description('find records with the same content')
    .option('--apply', 'retire all but the best of each group; without it only show them')
    .option('--threshold <x>', 'the share of words that both must have, 0.5 to 1', share, DUPLICATE_THRESHOLD)
    .option('--json', 'print JSON')
    .notes(`
Compares the words of active records of one kind. Records that name other numbers, deny what the other states or cite
other files are not the same. What was derived from a turn goes where the agent saved the same itself, in whatever words.
The best one is kept: pinned, else verified, the team's, by a person or the agent, reviewed, fresh, longer, older.
Retiring writes a mark; \`git mem undo\` takes it back.

Examples:
  git mem dedupe                    what is there twice
  git mem dedupe --threshold 0.7    look less closely
  git mem dedupe --apply            retire what is there twice`)
    .action(async (options: { apply?: boolean; threshold: number; json?: boolean }) => {
      const project = context.project();
      const { workspace } = project;
      const { records } = await readEverything(workspace);
      const groups = duplicateGroups(records, options.threshold);
      const marks = options.apply ? await retire(workspace, groups, await markMaking(project, context)) : [];
      if (marks.length > 0) await recount(workspace, context.now());
      if (options.json) return printJson(context.stdout, { groups: groups.map(viewOf), marks });
      print(groups, workspace, context);
      const surplus = groups.reduce((sum, { others }) => sum + others.length, 0);
      if (groups.length === 0) context.stderr.write('No two records have the same content.\n');
      else if (options.apply)
        context.stderr.write(`${counted(surplus, 'record')} retired by ${counted(marks.length, 'mark')}.\n`);
      else
        context.stderr.write(
          `${counted(surplus, 'record')} could go: \`git mem dedupe --apply\` retires what is not marked "keep".\n`,
        );
    });
}

function share(text: string): number {
  const number = Number(text);
  if (/^[01](?:\.\d{1,6})?$/.test(text) && number >= 0.5 && number <= 1) return number;
  throw new InvalidArgumentError('It is a number from 0.5 to 1.');
}

/** One mark per group and store, because a mark is stored with its records. */
async function retire(
  workspace: Workspace,
  groups: DuplicateGroup[],
  making: MarkMaking,
): Promise<{ id: string; path: string }[]> {
  const marks: { id: string; path: string }[] = [];
  for (const { keep, others } of groups) {
    for (const store of STORES) {
      const targets = others.filter(({ annotated }) => annotated.entry.store === store);
      if (targets.length === 0) continue;
      const marking = {
        type: 'retire' as const,
        targets: targets.map(({ annotated }) => annotated.record.id),
        reason: `Same content as ${keep.record.id}.`,
        store,
      };
      const { id, path } = await writeMark(workspace, marking, making);
      marks.push({ id, path });
    }
  }
  return marks;
}

function viewOf({ keep, others }: DuplicateGroup) {
  const { id, kind } = keep.record;
  return {
    keep: { id, kind, title: titleOf(keep.record), store: keep.entry.store },
    duplicates: others.map(({ annotated, similarity }) => ({
      id: annotated.record.id,
      title: titleOf(annotated.record),
      store: annotated.entry.store,
      similarity: Math.round(similarity * 1000) / 1000,
    })),
  };
}

function print(groups: DuplicateGroup[], workspace: Workspace, { stdout, style }: Context): void {
  const all = groups.flatMap(({ keep, others }) => [keep, ...others.map(({ annotated }) => annotated)]);
  const longIds = all.map(({ record }) => record.id);
  const ids = shortIds(workspace, longIds);
  const width = Math.max(4, ...[...ids.values()].map((id) => id.length));
  const idOf = (id: string) => style('yellow', (ids.get(id) ?? id).padEnd(width));
  for (const [i, { keep, others }] of groups.entries()) {
    if (i > 0) stdout.write('\n');
    stdout.write(`keep ${idOf(keep.record.id)} ${shown(titleOf(keep.record))}\n`);
    for (const { annotated, similarity } of others) {
      const alike = `${Math.round(similarity * 100)}%`.padStart(4);
      stdout.write(`${alike} ${idOf(annotated.record.id)} ${shown(titleOf(annotated.record))}\n`);
    }
  }
}
