import { type HubHits, searchHub } from '../../hub/client.ts';
import { parseQuery } from '../../recall/query/parse-query.ts';
import type { Context } from './context.ts';
import type { FilterOptions } from './filter-options.ts';
import { highlighted } from './highlight.ts';
import { fitted, printJson, printMore, shown, styler, widthOf } from './print.ts';

/** Line width without a terminal. */
const WIDEST = 200;

/** Asks the hub and prints its answer. */
export async function answerFromHub(
  context: Context,
  query: string,
  { limit, json, ...options }: FilterOptions & { limit: number; json: boolean },
): Promise<void> {
  const { config } = context.project().config();
  const found = await searchHub(config.hub, context.env, parametersOf(query, limit, options));
  if (found.note) context.stderr.write(`${shown(found.note)}\n`);
  if (json) return printJson(context.stdout, { ...found, hits: found.hits.map(inJson) });
  if (found.hits.length === 0) return void context.stderr.write('Nothing found.\n');
  print(context, query, found);
  printMore(context, found.hits.length, found.total);
}

/** The parameters of the API. Paths are those of other repositories, from their tops: as they were typed. */
function parametersOf(query: string, limit: number, options: FilterOptions): URLSearchParams {
  const parameters = new URLSearchParams({ q: query, limit: String(limit) });
  for (const key of ['type', 'concept', 'file', 'kind'] as const) {
    for (const value of options[key] ?? []) parameters.append(key, value);
  }
  for (const key of ['since', 'until', 'trust', 'freshness'] as const) {
    const value = options[key];
    if (value !== undefined) parameters.set(key, value);
  }
  if (options.all) parameters.set('all', '1');
  return parameters;
}

function inJson({ repository, ...hit }: HubHits['hits'][number]) {
  return { ...hit, origin: repository };
}

function print({ stdout, env, now }: Context, query: string, { hits }: HubHits): void {
  const style = styler(stdout, env);
  const terms = new Set(parseQuery(query, now()).terms.keys());
  const mark = (word: string) => style(['bold', 'underline'], word);
  const columns = stdout.isTTY ? widthOf(stdout) : WIDEST;
  const width = Math.max(...hits.map(({ repository, id }) => repository.length + 1 + id.length));
  for (const hit of hits) {
    const notes = notesOn(hit);
    const note = notes.length > 0 ? `  [${notes.join(', ')}]` : '';
    const cells = [
      style('yellow', shown(`${hit.repository}:${hit.id}`).padEnd(width)),
      style('dim', shown(hit.created.slice(0, 16).replace('T', ' '))),
      style('cyan', fitted(shown(hit.type), 9).padEnd(9)),
      `${highlighted(fitted(shown(hit.title), columns), terms, mark)}${style('dim', shown(note))}`,
    ];
    stdout.write(`${cells.join(' ')}\n`);
    if (hit.snippet) stdout.write(`    ${highlighted(fitted(shown(hit.snippet), columns - 4), terms, mark)}\n`);
  }
}

function notesOn({ pinned, superseded_by, retired, disputed, freshness, trust }: HubHits['hits'][number]): string[] {
  return [
    pinned && 'pinned',
    superseded_by.length > 0 && 'superseded',
    retired && 'retired',
    disputed && 'disputed',
    freshness !== 'fresh' && freshness !== 'unknown' && freshness,
    trust !== 'reviewed' && trust,
  ].filter((note) => note !== false);
}
