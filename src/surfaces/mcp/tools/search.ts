import { searchSources } from '../../../exchange/links/search.ts';
import { sourceFolders } from '../../../exchange/links/source-folders.ts';
import { unheldWords } from '../../../recall/query/query.ts';
import type { Answer } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import { filterOf } from '../filter.ts';
import { openOthers } from '../other-memories.ts';
import type { Repository } from '../repositories.ts';
import { hitOf, lineOf, warningOf } from '../text.ts';

/** Default number of hits: each costs the agent a line, and who needs more asks with other words. */
const LIMIT = 10;

/** Step one: hits, one line each with the sentence that answers best. */
export async function searchRecords(repository: Repository, given: Arguments<'search'>, now: Date): Promise<Answer> {
  const { workspace } = repository.project;
  const { query = '', limit = LIMIT, scope = 'here' } = given;
  const filter = filterOf(given, { root: workspace.checkout.root, now });
  const request = { text: query, filter, limit, now, embedder: await repository.project.embedder() };
  const others = scope === 'here' ? undefined : await openOthers(repository.project, repository.others, { scope });
  const own = { workspace, cache: repository.cache };
  const answered = await searchSources(own, others?.sources ?? [], request);
  const { total, hits, tookMs, meaning, unheld } = answered;
  const lines = hits.flatMap(({ annotated, snippet, source: { origin } }) => [
    `${origin === undefined ? '' : `${origin}:`}${lineOf(annotated)}`,
    ...(snippet ? [`  ${snippet}`] : []),
  ]);
  const rest = total - hits.length;
  if (unheld) lines.push(`Nothing found: ${unheldWords(unheld)}`);
  else if (total === 0) lines.push('Nothing found. Try other words, or drop a filter.');
  else if (rest > 0) lines.push(`${rest} more: ask more narrowly, or give a higher limit.`);
  if (meaning?.note) lines.push(meaning.note);
  lines.push(...(others?.notes ?? []));
  return {
    text: [...lines, warningOf(hits.map(({ annotated }) => annotated))].filter(Boolean).join('\n'),
    data: {
      query,
      took_ms: Math.round(tookMs),
      total,
      ...meaning,
      hits: hits.map(({ annotated, score, snippet, source }) => ({
        ...hitOf(annotated, sourceFolders(source)),
        ...(source.origin !== undefined && { repository: source.origin }),
        score: Math.round(score * 1000) / 1000,
        snippet,
      })),
    },
  };
}
