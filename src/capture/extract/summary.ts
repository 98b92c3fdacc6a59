import { clampPhrase } from '../../memory/clamp.ts';
import { LIMITS, type Summary } from '../../memory/record.ts';
import { mapLists, type SessionSummary } from './extractor.ts';

type Sections = Pick<Summary, 'title' | keyof SessionSummary>;

const NONE = 'None.';

/** The title of a session without a request that could serve as its title. */
export const NO_REQUEST = 'Session without a stated request';

/** Most lines of a whole summary, which the next session reads before anything else. */
const MOST_LINES = 12;

/** A session's summary as the sections of a record. `titles` are those of the session's observations, oldest first. */
export function summarise(summary: SessionSummary, titles: string[]): Sections {
  let left = MOST_LINES - (summary.request === '' ? 0 : 1);
  // The last lines are the newest, and a summary describes the end.
  const take = (entries: string[]) => {
    const lines = [...new Set(entries.map((entry) => entry.trim()).filter(Boolean))].slice(-Math.max(left, 0));
    const kept = left <= 0 ? [] : lines;
    left -= kept.length;
    return section(kept);
  };
  const lists = mapLists(summary, take);
  return { title: titleOf(summary, titles), request: summary.request.trim() || NONE, ...lists };
}

function titleOf({ request, completed }: SessionSummary, titles: string[]): string {
  const candidates = [titles.at(-1) ?? '', /[?？]\s*$/u.test(request) ? '' : request, completed.at(-1) ?? ''];
  // "Yes, do it" is not a title.
  const title = candidates.find((text) => text.trim().split(/\s+/u).length >= 3) ?? '';
  return clampPhrase(title, LIMITS.title) || NO_REQUEST;
}

function section(lines: string[]): string {
  const [only] = lines;
  if (only === undefined) return NONE;
  return lines.length === 1 ? only : lines.map((line) => `- ${line}`).join('\n');
}
