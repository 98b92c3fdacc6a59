import { messageOf } from '../errors.ts';
import type { Embedder } from '../index/embed/embedder.ts';
import type { NeuralCoverage, QueryVector } from './fusion.ts';

/** Longest wait for a question's vector, in milliseconds: the question can be answered without it. */
const QUERY_MS = 1500;

/** A provider that failed is not asked again for this long, in milliseconds, so that not every question waits. */
const REST_MS = 30_000;

/** Below this share of records with vectors, an answer carries a note: a few new ones always wait for a sync. */
const ENOUGH = 0.9;

/** Which model embedded a question, and a note about it. */
export interface Meaning {
  /** The model's name, or `local` if the store's own vectors were used instead. */
  embedder: string;
  /** A sentence for the person or agent that asked. */
  note?: string;
}

/** Keyed by the cache or database that holds the records' vectors. */
const failures = new WeakMap<object, { embedder: string; problem: string; until: number }>();

/** The vector of a question, or the problem if the provider is slow or down. */
export async function questionVector(
  holder: object,
  embedder: Embedder,
  text: string,
  waitMs = QUERY_MS,
): Promise<QueryVector | { problem: string }> {
  const failed = failures.get(holder);
  if (failed?.embedder === embedder.name && Date.now() < failed.until) return { problem: failed.problem };
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // A race as well, because a model that is still loading ignores the signal.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${waitMs / 1000} s`));
      controller.abort();
    }, waitMs);
  });
  try {
    const [vector] = await Promise.race([embedder.embed([text], 'query', controller.signal), late]);
    if (vector === undefined) throw new Error('it gave no vector');
    failures.delete(holder);
    return { model: embedder.name, vector };
  } catch (error) {
    const problem = messageOf(error).replace(/\.$/, '');
    failures.set(holder, { embedder: embedder.name, problem, until: Date.now() + REST_MS });
    return { problem };
  } finally {
    clearTimeout(timer);
  }
}

/** What an answer reports about the configured model. */
export function meaningOf(
  name: string,
  asked: QueryVector | { problem: string },
  coverage: NeuralCoverage | undefined,
): Meaning {
  if ('problem' in asked) {
    const note = `Meaning search by ${name} failed (${asked.problem}): answered with local vectors.`;
    return { embedder: 'local', note };
  }
  const { usable = 0, unknown = 0, unfit = 0 } = coverage ?? {};
  if (usable === 0 && unfit > 0) {
    const note = `The vectors of ${name} have a different length than before: answered with local vectors. \`git mem sync --rebuild\` rebuilds them.`;
    return { embedder: 'local', note };
  }
  if (usable === 0) {
    const note = `No record has a vector of ${name} yet: answered with local vectors. \`git mem sync\` makes them.`;
    return { embedder: 'local', ...(unknown > 0 && { note }) };
  }
  const all = usable + unknown + unfit;
  if (usable >= all * ENOUGH) return { embedder: name };
  const note = `${all - usable} of ${all} records have no vector of ${name} yet and are ranked by local ones. \`git mem sync\` makes them.`;
  return { embedder: name, note };
}
