import type { Draft, Extractor } from '../extractor.ts';
import { decisionIn } from './decision.ts';
import { draftOf } from './draft.ts';
import { outcomeOf, withoutTitles } from './outcome.ts';
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
      const proven = new Map<string, Draft>();
      for (const turn of turns) {
        const decision = turn.saved ? undefined : decisionIn(turn);
        if (decision !== undefined) proven.set(turn.key, decision);
      }
      for (const draft of unitsOf(turns).flatMap((unit) => draftOf(unit) ?? [])) proven.set(draft.turn, draft);
      const inOrder = turns.flatMap(({ key }) => proven.get(key) ?? []);
      const room = Math.max(0, MOST - earlier.length);
      const observations = inOrder.slice(inOrder.length - Math.min(room, inOrder.length)).map((draft) => ({
        ...draft,
        // A resumed session that changes the same files again has the newer state of them.
        supersedes: earlier.filter((one) => isMostOf(one.files_modified, draft.files_modified)).map(({ id }) => id),
      }));
      const replaced = new Set(observations.flatMap(({ supersedes }) => supersedes));
      const before =
        summary &&
        withoutTitles(
          summary,
          earlier.filter(({ id }) => replaced.has(id)).map(({ title }) => title),
        );
      return { observations, summary: outcomeOf(turns, observations, before), extractor: NAME };
    },
  };
}
