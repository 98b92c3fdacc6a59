import { unheldWords } from '../../../recall/query/query.ts';
import { search } from '../../../recall/search/search.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import { filterOf } from '../filter.ts';
import type { Repository } from '../repositories.ts';
import { lineOf, warningOf } from '../text.ts';
import { hitOf } from '../views.ts';

/** Default number of hits: each costs the agent a line. */
const LIMIT = 10;

/** Step one: hits, one line each with the sentence that answers best. */
export async function searchRecords(repository: Repository, given: Arguments<'search'>, now: Date): Promise<Answer> {
  const { workspace } = repository.project;
  const { query = '', limit = LIMIT } = given;
  const filter = filterOf(given, { root: workspace.checkout.root, now });
  const request = { text: query, filter, limit, now, embedder: await repository.project.embedder() };
  const { total, hits, tookMs, meaning, unheld } = await search(workspace, repository.cache, request);
  const lines = hits.flatMap(({ annotated, snippet }) => [lineOf(annotated), ...(snippet ? [`  ${snippet}`] : [])]);
  const rest = total - hits.length;
  if (unheld) lines.push(`Nothing found: ${unheldWords(unheld)}`);
  else if (total === 0) lines.push('Nothing found. Try other words, or drop a filter.');
  else if (rest > 0) lines.push(`${rest} more: ask more narrowly, or give a higher limit.`);
  if (meaning?.note) lines.push(meaning.note);
  return {
    text: [...lines, warningOf(hits.map(({ annotated }) => annotated))].filter(Boolean).join('\n'),
    data: {
      query,
      took_ms: Math.round(tookMs),
      total,
      ...meaning,
      hits: hits.map(({ annotated, score, snippet }) => ({
        ...hitOf(annotated, workspace),
        score: Math.round(score * 1000) / 1000,
        snippet,
      })),
    },
  };
}
