import type { Extractor } from '../extractor.ts';
import { draftOf } from './draft.ts';
import { outcomeOf } from './outcome.ts';
import { decisionIn } from './request.ts';
import { isMostOf, unitsOf } from './units.ts';

const NAME = 'rules/2';
/** Most records of one session; the latest work says how it ended. */
const MOST = 4;

/**
 * Extracts by rules alone: no model, no network, no clock; the same turns give the same records. It records only what
 * evidence proves, in the participants' own words, and it misses more than it finds.
 */
export function createRulesExtractor(): Extractor {
  return {
    async extract(turns, { earlier, summary }) {
      const decisions = turns.flatMap((turn) => decisionIn(turn) ?? []);
      const work = unitsOf(turns).flatMap((unit) => draftOf(unit) ?? []);
      const proven = new Map([...decisions, ...work].map((draft) => [draft.turn, draft]));
      const inOrder = turns.flatMap(({ key }) => proven.get(key) ?? []);
      const observations = inOrder.slice(Math.max(0, inOrder.length + earlier.length - MOST)).map((draft) => ({
        ...draft,
        // A resumed session that changes the same files again has the newer state of them.
        supersedes: earlier.filter((one) => isMostOf(one.files_modified, draft.files_modified)).map(({ id }) => id),
      }));
      const replaced = new Set(observations.flatMap(({ supersedes }) => supersedes));
      const outdated = earlier.filter(({ id }) => replaced.has(id)).map(({ title }) => title);
      return { observations, summary: outcomeOf(turns, observations, { before: summary, outdated }), extractor: NAME };
    },
  };
}
