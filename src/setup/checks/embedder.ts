import { GitMemError, messageOf } from '../../errors.ts';
import { withCache } from '../../recall/index/cache.ts';
import { embedderOf } from '../../recall/index/embed/http.ts';
import { countMissing } from '../../recall/index/embed/neural.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';

/** Longest wait for the model's answer, in milliseconds: a person waits for all checks. */
const PATIENCE_MS = 3000;

/**
 * Checks which vectors search uses, whether an optional model answers, and how many records wait for it. Sends no
 * memory.
 */
export async function checkEmbedder({ workspace, loaded: { config }, env }: Patient): Promise<Check> {
  const embedder = embedderOf(config.embed, env);
  if (embedder === undefined) return ok('embedder', 'Local vectors, offline.');
  const model = `${embedder.name}${embedder.place ? ` at ${embedder.place}` : ''}`;
  try {
    await embedder.probe(AbortSignal.timeout(PATIENCE_MS));
  } catch (error) {
    const hint = error instanceof GitMemError ? error.hint : undefined;
    return warn('embedder', `${model} does not work, so search uses local vectors. ${messageOf(error)}`, hint);
  }
  return withCache(workspace, async (cache) => {
    const { missing, records } = await cache.query((index) => countMissing(index, embedder.name));
    if (missing === 0) return ok('embedder', `${model} answers; every record has its vector.`);
    const message = `${model} answers; ${missing} of ${records} records have no vector yet and are ranked by local ones.`;
    return warn('embedder', message, 'Each drain makes some of them; `git mem sync` makes all.');
  });
}
