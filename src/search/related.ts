import { withCache } from '../index/cache.ts';
import type { Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted } from '../provenance/trust.ts';
import { search } from './search.ts';

/** Longest question, in characters; its first words are the topic. */
const QUESTION_MAX = 4_000;

/** The active observations of the whole store that are nearest to files and words, best first; no untrusted ones. */
export async function relatedRecords(
  workspace: Workspace,
  topic: { files: string[]; text: string },
  limit: number,
): Promise<Observation[]> {
  const text = `${topic.files.slice(0, 20).join(' ')}\n${topic.text}`.slice(0, QUESTION_MAX);
  return withCache(workspace, async (cache) => {
    const { hits } = await search(workspace, cache, {
      text,
      plain: true,
      filter: { kind: ['observation'] },
      limit: limit * 2,
    });
    const trusted = hits.filter(({ annotated }) => isTrusted(annotated.trust));
    return trusted
      .flatMap(({ annotated: { record } }) => (record.kind === 'observation' ? [record] : []))
      .slice(0, limit);
  });
}
