import { parseQuery } from '../../recall/query/parse-query.ts';
import type { Context } from '../../surfaces/cli/command.ts';
import type { FilterOptions } from '../../surfaces/cli/filter-options.ts';
import { printJson, printMore, shown } from '../../surfaces/cli/print.ts';
import { printLines } from '../../surfaces/cli/record-table.ts';
import { type HubHits, searchHub } from './client.ts';

/** Asks the hub and prints its answer. */
export async function answerFromHub(
  context: Context,
  query: string,
  { limit, json, ...options }: FilterOptions & { limit: number; json: boolean },
): Promise<void> {
  const { config } = context.project().config();
  const found = await searchHub(config.hub, context.env, parametersOf(query, limit, options));
  if (found.note) context.stderr.write(`${shown(found.note)}\n`);
  const hits = found.hits.map(({ repository: origin, ...hit }) => ({ ...hit, origin }));
  if (json) return printJson(context.stdout, { ...found, hits });
  if (found.hits.length === 0) return void context.stderr.write('Nothing found.\n');
  const lines = found.hits.map((hit) => {
    const { repository, created: at, type, title, snippet } = hit;
    return { id: `${repository}:${hit.id}`, at, type, title, snippet, notes: notesOn(hit) };
  });
  printLines(lines, context, new Set(parseQuery(query, context.now()).terms.keys()));
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
