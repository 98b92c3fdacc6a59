import type { Command } from 'commander';
import { searchSources } from '../../../exchange/links/search.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import type { Source, SourceHit } from '../../../exchange/links/sources.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { openCache } from '../../../recall/index/cache.ts';
import { countUnreadable } from '../../../recall/index/condition.ts';
import { listNewest } from '../../../recall/query/listing.ts';
import { viewOf } from '../../../recall/query/view.ts';
import { FIRST_MEMORY } from '../../../setup/first-memory.ts';
import type { Context } from '../context.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { addAllRepositories, addLinked, fromOf, type LinkedOptions, linkedFor, originOf } from '../linked.ts';
import { printJson } from '../print.ts';
import { counted } from '../quantities.ts';
import { printRecords, type Row } from '../record-table.ts';
import { recordWordsHelp } from '../record-words.ts';

/** Lines of a listing without `--limit`: about what a terminal shows. */
const LIMIT = 30;

export function register(program: Command, context: Context): void {
  addFilters(program.command('list').description('list records, newest first'), { now: context.now, limit: LIMIT })
    .addOption(addLinked())
    .addOption(addAllRepositories())
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
  git mem list --store personal                 what agents know about you (\`git mem personal\`)
  git mem list --linked                         those of linked repositories too

${recordWordsHelp()}`,
    )
    .action(async (options: FilterOptions & LinkedOptions & { json?: boolean }) => {
      const { project, workspace, filter, ...from } = await openReading(context, options);
      const cache = openCache(workspace);
      const linked = await linkedFor(context, project, options);
      try {
        const own = { ...from, workspace, cache };
        const limit = options.limit ?? LIMIT;
        const isWhole = Object.keys(filter).length === 0 && linked.sources.length === 0;
        const { total, hits, near, unread } = isWhole
          ? await whole(own, limit, context.now())
          : {
              ...(await searchSources(own, linked.sources, { text: '', filter, limit })),
              near: undefined,
              unread: undefined,
            };
        if (options.json) {
          const records = hits.map(({ annotated, source }) => {
            return { ...viewOf(annotated, sourceFolders(source)), ...originOf(source) };
          });
          return printJson(context.stdout, { total, records });
        }
        printRecords(hits.map(rowOf), workspace, context, { knownIds: near });
        const more = total - hits.length;
        if (total === 0 && isEmpty(workspace)) context.stderr.write(`There are no records yet. ${FIRST_MEMORY}\n`);
        else if (total === 0) context.stderr.write('No record matches.\n');
        if (more > 0) context.stderr.write(`${more} more: --limit ${total} shows them all.\n`);
        const unreadable = unread ?? (await cache.query(countUnreadable));
        if (unreadable > 0) {
          const verb = unreadable === 1 ? 'does' : 'do';
          context.stderr.write(`${counted(unreadable, 'file')} ${verb} not parse: see \`git mem doctor\`.\n`);
        }
      } finally {
        cache.close();
        linked.close();
      }
    });
}

/** The listing without filters, of this repository alone. */
async function whole(source: Source, limit: number, now: Date) {
  const { total, records, near, unreadable } = await listNewest(source.workspace, source.cache, limit, now);
  return { total, hits: records.map((annotated) => ({ annotated, source })), near, unread: unreadable };
}

function isEmpty({ stores }: Workspace): boolean {
  return stores.team.ids().length + stores.private.ids().length === 0;
}

function rowOf({ annotated, source }: Pick<SourceHit, 'annotated' | 'source'>): Row {
  return { annotated, ...fromOf(source) };
}
