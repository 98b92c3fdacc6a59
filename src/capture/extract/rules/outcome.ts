import type { Draft, SessionSummary } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { plainText } from './blocks.ts';
import { checkRuns } from './checks.ts';
import { commitsOf } from './commits.ts';
import { isPlan, planIn } from './plan.ts';
import { sentencesOf } from './sentences.ts';

const REQUEST_MAX = 160;

/** How a session ended, as far as its calls prove it: what was written down and committed, and the check that still fails. */
export function outcomeOf(turns: Turn[], drafts: Draft[], before: SessionSummary | undefined): SessionSummary {
  const first = turns.find(({ promptFrom, prompt }) => promptFrom === 'user' && prompt !== '')?.prompt ?? '';
  const titles = drafts.map(({ title }) => `${title}.`);
  const subjects = turns.flatMap(commitsOf).map(({ subject }) => subject);
  const commits = subjects.filter((subject) => !titles.includes(`${subject}.`)).map((one) => `Committed "${one}".`);
  const last = turns.flatMap(checkRuns).findLast(({ passed }) => passed !== undefined);
  const isBroken = last?.passed === false;
  return {
    request: before?.request || requestIn(first),
    investigated: [],
    learned: [],
    completed: [...(before?.completed ?? []), ...titles, ...commits],
    next_steps: isBroken ? [`\`${last.command}\` failed when the session ended.`] : [],
    notes: [],
  };
}

/** The first sentence of a prompt where it is short enough to be quoted whole; of a plan its title. */
function requestIn(prompt: string): string {
  const first = sentencesOf(plainText(prompt.trim().split('\n')[0] ?? ''))[0] ?? '';
  const request = isPlan(prompt) ? planIn(prompt).title : first;
  return request.length <= REQUEST_MAX ? request : '';
}
