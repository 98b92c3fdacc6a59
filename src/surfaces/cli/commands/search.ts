import { existsSync } from 'node:fs';
import { Option } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { labelled, type SourceHit, sourceFolders } from '../../../exchange/places/reader.ts';
import { searchSources } from '../../../exchange/places/search.ts';
import { type Cache, openCache, steadyCache, withCache } from '../../../index/cache.ts';
import { unoptimised } from '../../../index/warm.ts';
import { typeOf } from '../../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { visibleJson } from '../../../privacy/sanitise.ts';
import { rounded } from '../../../quantities.ts';
import { parseQuery } from '../../../search/parse-query.ts';
import { EMPTY, unheldWords } from '../../../search/query.ts';
import { type CommitHit, PARTS, type Part, searchCommits } from '../../../search/search-commits.ts';
import { FIRST_MEMORY, NOT_SET_UP } from '../../../setup/check.ts';
import { type Command, type Context, define, type Flags, type Register } from '../command.ts';
import { ALL_REPOSITORIES, addFilters, type OtherOptions, openReading, othersFor } from '../filter-options.ts';
import { linesOf } from '../given-text.ts';
import type { FilterOptions } from '../option-values.ts';
import { minute, oneLine, printMore, shown } from '../print.ts';
import { withProgress } from '../progress.ts';
import { originOf, printLines, printRecords, titleOf } from '../record-table.ts';

/** Hits without `--limit`: a good answer is among the first ones or not there at all. */
const LIMIT = 10;

/** What the hub does not know. */
const NOT_OF_HUB = ['at', 'store', 'session', 'branch', 'allRepositories', 'in', 'stdin'];

type SearchOptions = FilterOptions & OtherOptions & Flags<'hub' | 'stdin' | 'json'> & { in?: Part };

/** The command `search`. Long because its help explains the language of questions. */
export const register: Register = (program, context) =>
  addFilters(
    define(program, 'search', 'search records by words and meaning, best first')
      .argument('[query...]', 'words, "quoted phrases", -word to leave out; more below')
      // `-word` is part of a question; a possibly mistyped option is rejected below.
      .allowUnknownOption(),
    { now: context.now, limit: LIMIT },
  )
    .addOption(new Option('--in <part>', 'records, messages of this branch’s commits, or both').choices(PARTS))
    .option('--stdin', 'a query a line from standard input, a JSON result a line to standard output')
    .addOption(ALL_REPOSITORIES)
    .addOption(
      new Option('--hub', 'ask your organisation’s hub instead (`hub.url` in your settings)').conflicts(NOT_OF_HUB),
    )
    .jsonAndNotes(`
Without a query the filters alone decide, newest first.

A question:
  login timeout          any of the words; records with the rarer ones, and with more of them, come first
  "clock skew"           only records with this phrase or word
  -redis  -"clock skew"  none with this word or phrase; alone: everything else
  cache AND redis        only records with both; OR: with one of them; NOT: as the dash. OR binds tighter than AND
  title:cache            only records with the word in their title; also narrative:, facts:, concepts:, files:
  type:bugfix            only this type
  cache in May           records of that time first: last week, 3 days ago, in May 2026, 2026-09-03
With more than four words beside them quotes are punctuation, as in JSON; of a pasted text, with more than 16
different words, only the words count.

Examples:
  git mem search why does the login fail         any words; the best answer first
  git mem search '"clock skew" -redis'           a phrase, and without a word
  git mem search --file 'src/**/*.sql'           all that is known about some files
  git mem search retry --since "3 days ago"      what was found lately
  git mem search proxy --in history              messages of commits, subjects too; beside records only their bodies
  git mem search proxy --hub                     in your organisation's (\`git mem config hub.url\`)
  git mem search --stdin < queries.txt           many questions to one process`)
    .action(async (words: string[], options: SearchOptions, command: Command) => {
      refuseMistypedOptions(command, words);
      if (options.hub) {
        const { limit = LIMIT, json = false } = options;
        return context.searchHub?.(context, words.join(' '), { ...options, limit, json });
      }
      const { project, filter, ...from } = await openReading(context, options);
      const { workspace } = project;
      const query = words.join(' ');
      if (words.length === 0 && !options.stdin && Object.keys(filter).length === 0) {
        throw new GitMemError('bad-input', 'There is nothing to search for.', {
          hint: 'Give words, or a filter such as --type decision. `git mem list` shows the newest records.',
        });
      }
      const others = await othersFor(context, project, options);
      const { in: part = from.origin === undefined ? 'all' : 'memory' } = options;
      const ask = async (cache: Cache, text: string): Promise<Answer> => {
        const request = { text, filter, limit: options.limit ?? LIMIT, now: context.now() };
        const commits = await withProgress(context, options.json === true, (show) => {
          const onProgress = (done: number) => show(`${done} commits read`);
          const how = { cleaner: () => project.cleaner(MAX_SCANNED_TEXT), onProgress };
          return searchCommits(workspace, { ...request, in: part }, how);
        });
        if (part === 'history' && commits.isUnread) context.say(UNREAD);
        if (part === 'history') return { total: commits.total, hits: [], near: [], commits: commits.hits, tookMs: 0 };
        const own = { ...from, workspace, cache };
        const found = await searchSources(own, others.sources, { ...request, embedder: await project.embedder() });
        return { ...found, commits: commits.hits, total: found.total + commits.total };
      };
      try {
        if (options.stdin) return await answerLines(context, workspace, ask);
        await unoptimised(workspace, () =>
          withCache(workspace, async (cache) => {
            const result = await ask(cache, query);
            if (result.meaning?.note) context.say(result.meaning.note);
            if (options.json) context.json(resultOf(query, result));
            else print(context, workspace, query, result);
            // A model that came too late may still be loading: nobody should wait for it now.
            if (result.meaning?.embedder === 'local') context.leave();
          }),
        );
      } finally {
        others.close();
      }
    });

const UNREAD = 'Messages of commits are searched with SQLite only, which does not work here: see `git mem doctor`.';

function print(context: Context, workspace: Workspace, query: string, answer: Answer): void {
  const { hits, commits, total, unheld, near, nearest, isEmpty } = answer;
  if (hits.length + commits.length === 0) {
    const next = existsSync(workspace.layout.memory) ? FIRST_MEMORY : NOT_SET_UP;
    const nothing = isEmpty ? `${EMPTY} ${next}` : `Nothing found${unheld ? `: ${shown(unheldWords(unheld))}` : '.'}`;
    return void context.say(`${nothing}${nearest ? ` Nearest: ${lineOf(nearest)}` : ''}`);
  }
  const terms = new Set(parseQuery(query, context.now()).terms.keys());
  if (hits.length > 0) printRecords(hits, workspace, context, { terms, knownIds: near });
  const lines = commits.map(({ id, created: at, title, snippet }) => {
    return { id: id.slice(0, 8), at, type: 'commit', title, notes: [], snippet };
  });
  printLines(lines, context, terms);
  printMore(context, hits.length + commits.length, total);
}

function lineOf({ annotated: { record }, source }: SourceHit): string {
  const id = labelled(record.id, source);
  return oneLine(`${id} ${minute(record.generated.at)} ${typeOf(record)}: ${titleOf(record)}`);
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
      const result = await ask(cache, query).catch(refusalOf);
      const line = 'error' in result ? { query, ...result, total: 0, hits: [] } : resultOf(query, result);
      context.stdout.write(`${visibleJson(JSON.stringify(line))}\n`);
      isLate ||= 'meaning' in result && result.meaning?.embedder === 'local';
    }
    if (isLate) context.leave();
  } finally {
    cache.close();
  }
}

/** A rejected question gets its own answer, and the next one is still asked. */
function refusalOf(error: unknown): { error: string } {
  if (!(error instanceof GitMemError) || error.code !== 'bad-input') throw error;
  return { error: [error.message, error.hint].filter(Boolean).join(' ') };
}

type Answer = Awaited<ReturnType<typeof searchSources>> & { commits: CommitHit[] };

/** The JSON shape of an answer. */
function resultOf(query: string, { total, hits, commits, nearest, tookMs, meaning, unheld }: Answer) {
  return {
    query,
    took_ms: Math.round(tookMs * 10) / 10,
    total,
    ...meaning,
    ...(unheld && { note: unheldWords(unheld) }),
    hits: [...hits.map(hitOf), ...commits],
    ...(nearest && commits.length === 0 && { nearest: hitOf(nearest) }),
  };
}

function hitOf({ annotated, score, snippet, confidence, source }: SourceHit) {
  const { record, entry, trust, freshness } = annotated;
  return {
    id: record.id,
    kind: record.kind,
    type: typeOf(record),
    title: titleOf(record),
    created: record.generated.at,
    score: rounded(score),
    path: `${sourceFolders(source)[entry.store]}/${entry.path}`,
    trust,
    freshness,
    snippet,
    confidence: rounded(confidence),
    ...originOf(source),
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
