import { checkRuns } from '../checks.ts';
import type { Draft, Extractor, SessionSummary } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { commitsOf } from './commits.ts';
import { draftOf } from './draft.ts';
import { decisionIn, planIn, requestIn } from './request.ts';
import { isMostOf, unitsOf } from './units.ts';

const NAME = 'rules/2';
/** Most records of one session, as many as of one answer (`MOST_OBSERVATIONS`); the latest say how it ended. */
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

/** Longest request that is quoted, in characters: about two lines. */
const REQUEST_MAX = 160;
/** Begins with what somebody did. */
const DEED = /^(?:I|We)\b|^\p{Lu}\p{Ll}+ed\b/u;

/**
 * How a session ended, as far as its calls prove it: what was recorded and committed, and the check still failing.
 * `before` is the summary of its earlier parts, `outdated` the titles of their records that have been replaced.
 */
function outcomeOf(
  turns: Turn[],
  drafts: Draft[],
  { before, outdated }: { before: SessionSummary | undefined; outdated: string[] },
): SessionSummary {
  const first = turns.find(({ promptFrom, prompt }) => promptFrom === 'user' && prompt !== '')?.prompt ?? '';
  const request = before?.request || requestIn(first);
  const titles = drafts.map(({ title }) => title);
  const subjects = turns.flatMap(commitsOf).map(({ subject }) => subject);
  const commits = subjects.filter((subject) => !titles.includes(subject)).map((one) => `Committed "${one}".`);
  // Titles of commits and plans name completed work; most other titles state a fact, which is not completed work.
  const done = [...subjects, ...turns.map(({ prompt }) => planIn(prompt).title)];
  const isDone = (title: string) => done.includes(title) || DEED.test(title);
  const gone = sentences(outdated);
  const kept = (entries: string[] = []) => entries.filter((entry) => !gone.includes(entry));
  const last = turns.flatMap(checkRuns).findLast(({ passed }) => passed !== undefined);
  const failing = last?.passed === false ? [`\`${last.command}\` failed when the session ended.`] : [];
  return {
    request: request.length <= REQUEST_MAX ? request : '',
    investigated: [],
    learned: [...kept(before?.learned), ...sentences(titles.filter((title) => !isDone(title)))],
    completed: [...kept(before?.completed), ...sentences(titles.filter(isDone)), ...commits],
    next_steps: last === undefined ? (before?.next_steps ?? []) : failing,
    notes: [],
  };
}

function sentences(titles: string[]): string[] {
  return titles.map((title) => `${title}.`);
}
