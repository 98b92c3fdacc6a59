import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { why } from '../../../provenance/why.ts';
import { type Annotated, presentable } from '../../../records/annotate.ts';
import { recordWithOthers } from '../../../records/records.ts';
import type { Command, Context } from '../command.ts';
import { AT, openReading } from '../filter-options.ts';
import { printJson } from '../print.ts';
import { printLineReasons } from '../why-lines.ts';
import { printStory, storyView, withheldIn } from '../why-record.ts';

interface Options {
  at?: string;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('why')
    .description('where a record comes from; or why the lines of a file are as they are')
    .argument('<id|file[:A-B]>', 'an id, or its first four characters or more; or a tracked file, and its lines')
    .option('--at <revision>', AT)
    .option('--json', 'print JSON')
    .notes(`
Of a record: its session, the commit that it was recorded in, what it replaces, and why it is trusted.
Of a file: the commits that wrote its lines, what they say, and the records that were recorded in them or come from the
session in which this clone saw them made.

Examples:
  git mem why k3v9                    the story of one record
  git mem why src/auth.ts             the reasons for a whole file
  git mem why src/auth.ts:40-60       for some lines
  git mem why src/auth.ts --at v1.2   as it was then`)
    .action(async (asked: string, options: Options) => {
      const { workspace } = await openReading(context, options);
      if (isFile(asked, context.cwd)) return printLineReasons(asked, { workspace, options }, context);
      const { id, records } = await recordWithOthers(workspace, asked);
      const found = records.find(({ record }) => record.id === id) as Annotated;
      const presented = records.map(presentable);
      const itself = presentable(found);
      const story = withheldIn(await why(workspace, found, records), presented);
      if (options.json) return printJson(context.stdout, storyView(story, itself, workspace, presented));
      printStory(story, itself, workspace, presented, context);
    });
}

/** Ids have no dot, colon or slash; a file may have none of these either. */
function isFile(asked: string, cwd: string): boolean {
  return /[./\\:]/.test(asked) || statSync(resolve(cwd, asked), { throwIfNoEntry: false })?.isFile() === true;
}
