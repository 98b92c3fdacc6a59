import { oneLine } from '../../memory/record.ts';
import { clampSentences } from '../clamp.ts';
import type { Draft, SessionSummary } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { checkRuns } from './checks.ts';
import { commitsOf } from './commits.ts';

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
    request: before?.request || clampSentences(oneLine(first), REQUEST_MAX),
    investigated: [],
    learned: [],
    completed: [...(before?.completed ?? []), ...titles, ...commits],
    next_steps: isBroken ? [`\`${last.command}\` failed when the session ended.`] : [],
    notes: [],
  };
}
