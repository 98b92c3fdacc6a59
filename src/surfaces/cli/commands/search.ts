import { Option } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { searchSources } from '../../../exchange/links/search.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import type { SourceHit } from '../../../exchange/links/sources.ts';
import { typeOf } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { visibleJson } from '../../../privacy/sanitise.ts';
import { rounded } from '../../../quantities.ts';
import { type Cache, openCache, withCache } from '../../../recall/index/cache.ts';
import { steadyCache } from '../../../recall/index/steady-cache.ts';
import { unoptimised } from '../../../recall/index/unoptimised.ts';
import { parseQuery } from '../../../recall/query/parse-query.ts';
import { unheldWords } from '../../../recall/query/query.ts';
import type { SearchResult } from '../../../recall/search/search.ts';
import type { Command, Context } from '../command.ts';
import { addFilters, type FilterOptions, openReading } from '../filter-options.ts';
import { linesOf } from '../given-text.ts';
import { ALL_REPOSITORIES, fromOf, LINKED, type LinkedOptions, linkedFor, originOf } from '../linked.ts';
import { printJson, printMore, shown } from '../print.ts';
import { printRecords, titleOf } from '../record-table.ts';

/** Hits without `--limit`: a good answer is among the first ones or not there at all. */
const LIMIT = 10;

const HUB = new Option('--hub', 'ask your organisation’s hub instead (`hub.url` in your settings)').conflicts([
  'at',
  'store',
  'session',
  'branch',
  'linked',
  'allRepositories',
  'stdin',
]);

interface SearchOptions extends FilterOptions, LinkedOptions {
  hub?: boolean;
  stdin?: boolean;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  const command = program
    .command('search')
    .description('search records by words and meaning, best first')
    .argument('[query...]', 'words, "quoted phrases", -word to leave out; more below')
    // `-word` is part of a question; a possibly mistyped option is rejected below.
    .allowUnknownOption();
  addFilters(command, { now: context.now, limit: LIMIT })
    .option('--stdin', 'a query a line from standard input, a JSON result a line to standard output')
    .addOption(LINKED)
    .addOption(ALL_REPOSITORIES)
    .addOption(HUB)
    .option('--json', 'print JSON')
    .notes(`
Without a query the filters alone decide, newest first.

A question:
  login timeout          any of the words; records with the rarer ones, and with more of them, come first
  "clock skew"           only records with this phrase or word
  -redis  -"clock skew"  none with this word or phrase; alone: everything else
  cache AND redis        only records with both; OR: with one of them; NOT: as the dash. OR binds tighter than AND
  auth*                  any word that begins like this
  title:cache            only records with the word in their title; also narrative:, facts:, concepts:, files:
  type:bugfix            only this type
  cache in May           records of that time first: last week, 3 days ago, in May 2026, 2026-09-03
A word that no record has finds those spelt nearly alike, and compounds. With more than four words beside them
quotes are punctuation, as in JSON; of a pasted text, with more than 16 different words, only the words count.

Examples:
  git mem search why does the login fail         any words; the best answer first
  git mem search '"clock skew" -redis'           a phrase, and without a word
  git mem search cache --type decision,bugfix    of these types only
  git mem search --file 'src/**/*.sql'           all that is known about some files
  git mem search retry --since "3 days ago"      what was found lately
  git mem search token --linked                  in linked repositories too (\`git mem links\`)
  git mem search proxy --all-repositories        in all your repositories (\`git mem repositories\`)
  git mem search proxy --hub                     in your organisation's (\`git mem config hub.url\`)
  git mem search --stdin < queries.txt           many questions to one process`)
    .action(async (words: string[], options: SearchOptions) => {
      refuseMistypedOptions(command, words);
      if (options.hub) {
        const { answerFromHub } = await import('../hub-search.ts');
        const { limit = LIMIT, json = false } = options;
        return answerFromHub(context, words.join(' '), { ...options, limit, json });
      }
      const { project, filter, ...from } = await openReading(context, options);
      const { workspace } = project;
      const query = words.join(' ');
      if (words.length === 0 && !options.stdin && Object.keys(filter).length === 0) {
        throw new GitMemError('bad-input', 'There is nothing to search for.', {
          hint: 'Give words, or a filter such as --type decision. `git mem list` shows the newest records.',
        });
      }
      const linked = await linkedFor(context, project, options);
      const ask = async (cache: Cache, text: string) => {
        const request = { text, filter, limit: options.limit ?? LIMIT, now: context.now() };
        const own = { ...from, workspace, cache };
        return searchSources(own, linked.sources, { ...request, embedder: await project.embedder() });
      };
      try {
        if (options.stdin) return await answerLines(context, workspace, ask);
        await unoptimised(workspace, () =>
          withCache(workspace, async (cache) => {
            const result = await ask(cache, query);
            if (result.meaning?.note) context.stderr.write(`${shown(result.meaning.note)}\n`);
            if (options.json) printJson(context.stdout, resultOf(query, result));
            else print(context, workspace, query, result);
            // A model that came too late may still be loading: nobody should wait for it now.
            if (result.meaning?.embedder === 'local') context.leave();
          }),
        );
      } finally {
        linked.close();
      }
    });
}

function print(context: Context, workspace: Workspace, query: string, { hits, total, unheld }: Answer): void {
  if (hits.length === 0)
    return void context.stderr.write(`Nothing found${unheld ? `: ${shown(unheldWords(unheld))}` : '.'}\n`);
  const rows = hits.map(({ annotated, snippet, source }) => ({ annotated, snippet, ...fromOf(source) }));
  printRecords(rows, workspace, context, { terms: new Set(parseQuery(query, context.now()).terms.keys()) });
  printMore(context, hits.length, total);
}

async function answerLines(
  context: Context,
  workspace: Workspace,
  ask: (cache: Cache, text: string) => Promise<Answer>,
): Promise<void> {
  const cache = steadyCache(workspace, openCache(workspace));
  let isLate = false;
  try {
    for await (const query of linesOf('-', context)) {
      const result = await refusable(() => ask(cache, query));
      const line = 'refused' in result ? { query, error: result.refused, total: 0, hits: [] } : resultOf(query, result);
      context.stdout.write(`${visibleJson(JSON.stringify(line))}\n`);
      isLate ||= 'meaning' in result && result.meaning?.embedder === 'local';
    }
    if (isLate) context.leave();
  } finally {
    cache.close();
  }
}

/** A rejected question gets its own answer, and the next one is still asked. */
async function refusable<T>(ask: () => Promise<T>): Promise<T | { refused: string }> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GitMemError) || error.code !== 'bad-input') throw error;
    return { refused: [error.message, error.hint].filter(Boolean).join(' ') };
  }
}

type Answer = Omit<SearchResult, 'hits'> & { hits: SourceHit[] };

/** The JSON shape of an answer. */
function resultOf(query: string, { total, hits, tookMs, meaning, unheld }: Answer) {
  return {
    query,
    took_ms: Math.round(tookMs * 10) / 10,
    total,
    ...meaning,
    ...(unheld && { note: unheldWords(unheld) }),
    hits: hits.map(
      ({ annotated: { record, entry, reverted, trust, freshness }, score, snippet, confidence, source }) => ({
        id: record.id,
        kind: record.kind,
        type: typeOf(record),
        title: titleOf(record),
        created: record.generated.at,
        score: rounded(score),
        path: `${sourceFolders(source)[entry.store]}/${entry.path}`,
        trust,
        freshness,
        reverted_by: reverted?.commit ?? null,
        snippet,
        confidence: rounded(confidence),
        ...originOf(source),
      }),
    ),
  };
}

/** Words after `--` are never options. */
function refuseMistypedOptions(command: Command, words: string[]): void {
  const program: object | null = command.parent;
  const given: unknown = program !== null && 'rawArgs' in program ? program.rawArgs : [];
  const literal = Array.isArray(given) && given.includes('--') ? given.slice(given.indexOf('--') + 1) : [];
  const wrong = words.find((word) => /^--[a-z][\w-]*(=|$)/i.test(word) && !literal.includes(word));
  if (wrong !== undefined) command.error(`error: unknown option '${wrong.split('=')[0]}'`, { exitCode: 2 });
}
