import { checkRuns } from '../checks.ts';
import type { Draft, SessionSummary } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { commitsOf } from './commits.ts';
import { planIn, requestIn } from './request.ts';

/** Longest request that is quoted, in characters: about two lines. */
const REQUEST_MAX = 160;
/** Begins with what somebody did. */
const DEED = /^(?:I|We)\b|^\p{Lu}\p{Ll}+ed\b/u;

/**
 * How a session ended, as far as its calls prove it: what was recorded and committed, and the check still failing.
 * `before` is the summary of its earlier parts, `outdated` the titles of their records that have been replaced.
 */
export function outcomeOf(
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
