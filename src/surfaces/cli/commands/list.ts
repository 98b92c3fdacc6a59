import { Option } from 'commander';
import { searchSources } from '../../../exchange/links/search.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import type { Source } from '../../../exchange/links/sources.ts';
import { PERSONAL } from '../../../memory/store/personal.ts';
import { EVIDENCE, type Evidence } from '../../../provenance/levels.ts';
import { counted } from '../../../quantities.ts';
import { openCache } from '../../../recall/index/cache.ts';
import { evidenceOf } from '../../../recall/query/evidence.ts';
import { listNewest } from '../../../recall/query/listing.ts';
import { viewOf } from '../../../recall/query/view.ts';
import { FIRST_MEMORY } from '../../../setup/first-memory.ts';
import type { Command, Context } from '../command.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { ALL_REPOSITORIES, fromOf, LINKED, type LinkedOptions, linkedFor, originOf } from '../linked.ts';
import { milliseconds } from '../option-values.ts';
import { printJson, printMore } from '../print.ts';
import { printRecords } from '../record-table.ts';
import { recordWordsHelp } from '../record-words.ts';
import { dayOf, useView } from '../use-view.ts';

type Options = FilterOptions & LinkedOptions & { evidence?: Evidence | true; unused?: number; json?: boolean };

/** All of them: ten times the largest store that docs/benchmarks.md measures. */
const MOST = 1_000_000;

/** Lines of a listing without `--limit`: about what a terminal shows. */
const LIMIT = 30;

export function register(program: Command, context: Context): void {
  addFilters(program.command('list').description('list records, newest first'), { now: context.now, limit: LIMIT })
    .addOption(LINKED)
    .addOption(ALL_REPOSITORIES)
    .addOption(
      new Option('--evidence [evidence]', 'show what each record rests on, or only records with this evidence').choices(
        [...EVIDENCE],
      ),
    )
    .option('--unused <duration>', 'only those older than this and not used since, such as 90d', milliseconds)
    .option('--json', 'print JSON')
    .notes(`
Examples:
  git mem list                                  the newest observations and summaries
  git mem list --type decision --since 2026-11  what was decided since November
  git mem list --file 'src/auth/**'             what is known about some files
  git mem list --since "last week"              since Monday of last week
  git mem list --kind prompt --limit 5          the last prompts (private store)
  git mem list --freshness touched              whose files changed since
  git mem list --evidence claimed               what was said and nothing proves
  git mem list --unused 90d                     what nobody needed for three months
  git mem list --store personal                 what agents know about you (\`git mem personal\`)
  git mem list --linked                         those of linked repositories too

${recordWordsHelp()}`)
    .action((options: Options) => list(options, context));
}

async function list(options: Options, context: Context): Promise<void> {
  const { project, workspace, filter, ...from } = await openReading(context, options);
  const cache = openCache(workspace);
  const linked = await linkedFor(context, project, options);
  try {
    const source = { ...from, workspace, cache };
    const limit = options.limit ?? LIMIT;
    const wanted = options.evidence === true ? undefined : options.evidence;
    const { unused } = options;
    const isPicked = wanted !== undefined || unused !== undefined;
    const isWhole = Object.keys(filter).length === 0 && linked.sources.length === 0 && !isPicked;
    const found = isWhole
      ? await whole(source, limit, context.now())
      : {
          // Only git tells which records have that evidence, and this clone which were used.
          ...(await searchSources(source, linked.sources, { text: '', filter, limit: isPicked ? MOST : limit })),
          near: undefined,
          unread: undefined,
        };
    const { near, unread } = found;
    const ownHits = found.hits.filter(({ source }) => source.workspace === workspace);
    const records = ownHits.map(({ annotated }) => annotated);
    const evidence = options.evidence ? await evidenceOf(workspace, cache, records) : undefined;
    // Loaded for this option alone: a plain listing is what people and agents ask for again and again.
    const { lastUseIn } = unused === undefined ? {} : await import('../../../recall/query/tidy.ts');
    const use = await lastUseIn?.(workspace, cache, context.now());
    const beforeMs = context.now().getTime() - (unused ?? 0);
    const isWanted = ({ annotated, source }: (typeof found.hits)[number]) => {
      if (wanted && evidence?.get(annotated.record.id) !== wanted) return false;
      return use === undefined || (source.workspace === workspace && use.isUnused(annotated, beforeMs));
    };
    const having = isPicked ? found.hits.filter(isWanted) : undefined;
    const total = having?.length ?? found.total;
    const hits = (having ?? found.hits).slice(0, limit);
    if (options.json) {
      const views = hits.map(({ annotated, source }) => {
        const known = evidence?.get(annotated.record.id);
        return {
          ...viewOf(annotated, sourceFolders(source)),
          ...(known && { evidence: known }),
          ...(use && { use: useView(use.counts.of(annotated.record.id)) }),
          ...originOf(source),
        };
      });
      return printJson(context.stdout, { total, records: views });
    }
    const rows = hits.map(({ annotated, source }) => ({ annotated, ...fromOf(source) }));
    printRecords(rows, workspace, context, { knownIds: near, evidence });
    const sinceMs = use?.counts.sinceMs ?? 0;
    if (sinceMs > beforeMs) context.stderr.write(`Use is counted here since ${dayOf(sinceMs)} only.\n`);
    const first = from.origin === PERSONAL ? '`git mem add --personal` writes one.' : FIRST_MEMORY;
    const { team, private: own } = workspace.stores;
    const isEmpty = total === 0 && team.ids().length + own.ids().length === 0;
    if (isEmpty) context.stderr.write(`There are no records yet. ${first}\n`);
    else if (total === 0) context.stderr.write('No record matches.\n');
    printMore(context, hits.length, total);
    const unreadable = unread ?? (await cache.query((index) => index.unreadable().length));
    if (unreadable > 0) {
      const verb = unreadable === 1 ? 'does' : 'do';
      context.stderr.write(`${counted(unreadable, 'file')} ${verb} not parse: see \`git mem doctor\`.\n`);
    }
  } finally {
    cache.close();
    linked.close();
  }
}

/** The listing without filters, of this repository alone. */
async function whole(source: Source, limit: number, now: Date) {
  const { total, records, near, unreadable } = await listNewest(source.workspace, source.cache, limit, now);
  return { total, hits: records.map((annotated) => ({ annotated, source })), near, unread: unreadable };
}
