import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import type { MemoryIndex } from '../../cache/memory-index.ts';
import { search } from '../../recall/search.ts';
import { viewOf } from '../../recall/view.ts';
import type { Context } from '../context.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { printJson } from '../print.ts';
import { printRecords } from '../record-table.ts';
import { foldersOf } from '../store-folders.ts';

const LIMIT = 30;

export function register(program: Command, context: Context): void {
  addFilters(program.command('list').description('list records, newest first'), { now: context.now, limit: LIMIT })
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  git mem list                                  the newest observations and summaries
  git mem list --type decision --since 2026-11  what was decided since November
  git mem list --file 'src/auth/**'             what is known about some files
  git mem list --since "last week"              since Monday of last week
  git mem list --kind prompt --limit 5          the last prompts (private store)`,
    )
    .action(async (options: FilterOptions & { json?: boolean }) => {
      const { workspace, filter } = await openReading(context, options);
      const cache = openCache(workspace);
      try {
        const { total, hits } = await search(workspace, cache, { text: '', filter, limit: options.limit ?? LIMIT });
        const records = hits.map(({ annotated }) => annotated);
        if (options.json) {
          const folders = foldersOf(workspace);
          return printJson(context.stdout, { total, records: records.map((one) => viewOf(one, folders)) });
        }
        printRecords(
          records.map((annotated) => ({ annotated })),
          workspace,
          context,
        );
        const more = total - records.length;
        if (total === 0) context.stderr.write('No record matches.\n');
        if (more > 0) context.stderr.write(`${more} more: --limit ${total} shows them all.\n`);
        const unreadable = await cache.query(countUnreadable);
        if (unreadable > 0) context.stderr.write(`${unreadable} files do not parse: see \`git mem doctor\`.\n`);
      } finally {
        cache.close();
      }
    });
}

/** Files of both stores that are no records: the index remembers them without a blob. */
function countUnreadable(index: MemoryIndex): number {
  const stores = ['team', 'private'] as const;
  const unreadable = stores.flatMap((store) =>
    [...index.files(store).keys()].filter((path) => index.blobAt(store, path) === undefined),
  );
  return unreadable.length;
}
