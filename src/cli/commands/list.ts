import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import { countUnreadable } from '../../cache/condition.ts';
import { searchSources } from '../../links/search.ts';
import type { SourceHit } from '../../links/sources.ts';
import { noteListing } from '../../recall/live-count.ts';
import { foldersOf } from '../../recall/store-folders.ts';
import { viewOf } from '../../recall/view.ts';
import { FIRST_MEMORY } from '../../setup/first-memory.ts';
import type { Context } from '../context.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { addLinked, fromOf, type LinkedOptions, linkedFor, originOf } from '../linked.ts';
import { printJson } from '../print.ts';
import { printRecords, type Row } from '../record-table.ts';
import { recordWordsHelp } from '../record-words.ts';

const LIMIT = 30;

export function register(program: Command, context: Context): void {
  addFilters(program.command('list').description('list records, newest first'), { now: context.now, limit: LIMIT })
    .addOption(addLinked())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  git mem list                                  the newest observations and summaries
  git mem list --type decision --since 2026-11  what was decided since November
  git mem list --file 'src/auth/**'             what is known about some files
  git mem list --since "last week"              since Monday of last week
  git mem list --kind prompt --limit 5          the last prompts (private store)
  git mem list --freshness touched              whose files changed since
  git mem list --linked                         those of linked repositories too

${recordWordsHelp()}`,
    )
    .action(async (options: FilterOptions & LinkedOptions & { json?: boolean }) => {
      const { project, workspace, filter } = await openReading(context, options);
      const cache = openCache(workspace);
      const linked = await linkedFor(context, project, options);
      try {
        const request = { text: '', filter, limit: options.limit ?? LIMIT };
        const { total, hits } = await searchSources({ workspace, cache }, linked.sources, request);
        const isWhole = Object.values(filter).every((wanted) => wanted === undefined) && linked.sources.length === 0;
        if (isWhole) noteListing(workspace, total, context.now());
        if (options.json) {
          const records = hits.map(({ annotated, source }) => {
            return { ...viewOf(annotated, foldersOf(source.workspace)), ...originOf(source) };
          });
          return printJson(context.stdout, { total, records });
        }
        printRecords(hits.map(rowOf), workspace, context);
        const more = total - hits.length;
        const { team, private: own } = workspace.stores;
        const isEmpty = total === 0 && team.ids().length + own.ids().length === 0;
        if (isEmpty) context.stderr.write(`There are no records yet. ${FIRST_MEMORY}\n`);
        else if (total === 0) context.stderr.write('No record matches.\n');
        if (more > 0) context.stderr.write(`${more} more: --limit ${total} shows them all.\n`);
        const unreadable = await cache.query(countUnreadable);
        if (unreadable > 0) context.stderr.write(`${unreadable} files do not parse: see \`git mem doctor\`.\n`);
      } finally {
        cache.close();
        linked.close();
      }
    });
}

function rowOf({ annotated, source }: SourceHit): Row {
  return { annotated, ...fromOf(source) };
}
