import type { Draft, SessionSummary } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { plainText } from './blocks.ts';
import { type CheckRun, checkRuns } from './checks.ts';
import { commitsOf } from './commits.ts';
import { isPlan, planIn } from './plan.ts';
import { sentencesOf } from './sentences.ts';

/** Longest request that is quoted, in characters: about two lines. */
const REQUEST_MAX = 160;

/** Begins with what somebody did. */
const DEED = /^(?:I|We)\b|^\p{Lu}\p{Ll}+ed\b/u;

/** How a session ended, as far as its calls prove it: what was recorded and committed, and the check still failing. */
export function outcomeOf(turns: Turn[], drafts: Draft[], before: SessionSummary | undefined): SessionSummary {
  const first = turns.find(({ promptFrom, prompt }) => promptFrom === 'user' && prompt !== '')?.prompt ?? '';
  const titles = drafts.map(({ title }) => title);
  const subjects = turns.flatMap(commitsOf).map(({ subject }) => subject);
  const commits = subjects.filter((subject) => !titles.includes(subject)).map((one) => `Committed "${one}".`);
  // Titles of commits and plans name completed work; most other titles state a fact, which is not completed work.
  const done = [...subjects, ...turns.map(({ prompt }) => planIn(prompt).title)];
  const isDone = (title: string) => done.includes(title) || DEED.test(title);
  const last = turns.flatMap(checkRuns).findLast(({ passed }) => passed !== undefined);
  return {
    request: before?.request || requestIn(first),
    investigated: [],
    learned: [...(before?.learned ?? []), ...sentences(titles.filter((title) => !isDone(title)))],
    completed: [...(before?.completed ?? []), ...sentences(titles.filter(isDone)), ...commits],
    next_steps: last === undefined ? (before?.next_steps ?? []) : openAfter(last),
    notes: [],
  };
}

/** The summary without what records with these titles said. */
export function withoutTitles(summary: SessionSummary, titles: string[]): SessionSummary {
  const gone = sentences(titles);
  const kept = (entries: string[]) => entries.filter((entry) => !gone.includes(entry));
  return { ...summary, learned: kept(summary.learned), completed: kept(summary.completed) };
}

/** What a session's last check leaves to do. */
function openAfter({ command, passed }: CheckRun): string[] {
  return passed === false ? [`\`${command}\` failed when the session ended.`] : [];
}

function sentences(titles: string[]): string[] {
  return titles.map((title) => `${title}.`);
}

/** The first sentence of a prompt if it is whole and short enough to quote; for a plan, its title. */
function requestIn(prompt: string): string {
  const first = sentencesOf(plainText(prompt.trim().split('\n')[0] ?? ''))[0] ?? '';
  const request = isPlan(prompt) ? planIn(prompt).title : first;
  return request.length <= REQUEST_MAX && !request.endsWith(':') ? request : '';
}
