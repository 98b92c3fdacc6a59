import { type Author, authorOf } from '../../memory/author.ts';
import type { Observation, Summary } from '../../memory/record.ts';
import type { Annotated } from '../query/annotate.ts';
import { cleanLine, cut, TITLE_CHARS } from './fence.ts';
import { byWorth } from './worth.ts';

/** A record that may be injected into the next session. */
export interface Candidate<R extends Observation | Summary = Observation | Summary> extends Annotated<R> {
  /** A check that had failed passed in its turn. */
  isChecked?: true;
  /** Its session took its edits back. */
  isTakenBack?: true;
  /** An active, trusted record that contradicts it. */
  rival?: { id: string; title: string };
}

/** Why the agent starts: a new session, a resumed one, or one whose context was compacted or cleared. */
export type Source = 'startup' | 'resume' | 'compact' | 'clear';

/** One observation in the index of a briefing. */
export interface Line {
  candidate: Candidate<Observation>;
  text: string;
  reason: string;
  /** The heading above the line. */
  group: string;
  /** Pinned, or from this very session: exempt from the limits that keep a briefing varied. */
  isAskedFor: boolean;
}

/** All observations, in the order in which they get a share of the budget; the input is sorted newest first. */
export function rankedLines(
  observations: Candidate<Observation>[],
  options: { source: Source; session?: string; changedFiles: ReadonlySet<string> },
): Line[] {
  const placed = byWorth(observations).map((candidate) => {
    const { record, entry, state } = candidate;
    const cited = [...record.files_modified, ...record.files_read].find((path) => options.changedFiles.has(path));
    const own = options.source === 'compact' && record.session !== undefined && record.session === options.session;
    const [tier, reason, group] = own
      ? [0, 'this session', 'This session']
      : state.pinned
        ? [1, 'pinned', 'Pinned']
        : cited !== undefined
          ? [2, `cites ${cited}, which this branch changes`, 'On files this branch changes']
          : [3, `by ${BY[authorOf(record)]}`, entry.time.slice(0, 10)];
    return { tier, line: { candidate, reason, group, isAskedFor: tier < 2, text: indexLine(candidate, tier !== 3) } };
  });
  return placed.sort((a, b) => a.tier - b.tier).map(({ line }) => line);
}

const BY: Record<Author, string> = {
  person: 'a person',
  agent: 'the agent',
  model: 'a model',
  rules: 'the rules',
  bootstrap: 'bootstrap',
};

function indexLine(
  { record, entry, shortId, state, freshness, readTokens, isChecked, rival }: Candidate<Observation>,
  dated: boolean,
): string {
  const when = dated ? entry.time.slice(0, 10) : entry.time.slice(11, 16);
  const notes = [
    freshness === 'touched' ? 'file changed since' : freshness === 'moved' ? 'file moved' : '',
    state.disputed ? 'disputed' : '',
    rival ? `disputed by ${rival.id}: ${cut(rival.title, TITLE_CHARS)}` : '',
    state.verified || isChecked ? 'verified' : '',
  ].filter(Boolean);
  const note = notes.length > 0 ? ` [${notes.join(', ')}]` : '';
  return cleanLine(
    `${shortId} ${when} ${cut(record.type, 20)}: ${cut(record.title, TITLE_CHARS)} (${readTokens}t)${note}`,
  );
}

/** Lines under their headings, days newest first even where freshness changed the order of choosing. */
export function grouped(chosen: Line[]): string[] {
  const groups = new Map<string, Line[]>();
  for (const line of chosen) {
    const group = groups.get(line.group) ?? [];
    if (group.push(line) === 1) groups.set(line.group, group);
  }
  const isDay = (name: string) => /^\d{4}-/.test(name);
  const names = [...groups.keys()];
  const days = names.filter(isDay).sort().reverse();
  return [...names.filter((name) => !isDay(name)), ...days].flatMap((name) => {
    const lines = (groups.get(name) ?? []).sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0));
    return [`## ${name}`, ...lines.map(({ text }) => text)];
  });
}

function timeOf({ candidate }: Line): string {
  return `${candidate.entry.time} ${candidate.record.id}`;
}

/**
 * The newest summary in short, within `room` characters: whole sentences or nothing, and without what the lines of the
 * titles in `listed` already say.
 */
export function lastSession(
  { record, entry, shortId }: Candidate<Summary>,
  room: number,
  listed: ReadonlySet<string> = new Set(),
): string {
  const branch = record.branch ? `, ${cut(record.branch, 60)}` : '';
  const about = cut(record.title, TITLE_CHARS);
  const title = cleanLine(`## Last session: ${about} (${shortId}, ${entry.time.slice(0, 10)}${branch})`);
  if (title.length > room) return '';
  const lines = [title];
  let left = room - title.length;
  const parts = [
    ['Completed', record.completed],
    ['Next', record.next_steps],
    ['Learned', record.learned],
  ] as const;
  for (const [name, text] of parts) {
    const line = cleanLine(
      `${name}: ${leadingSentences(withoutTitles(text, new Set([record.title, ...listed])), Math.min(left - name.length - 3, Math.floor(room / 2)))}`,
    );
    if (line.length <= name.length + 2 || line.length + 1 > left || /^\w+: (None|Nothing)\b.{0,20}$/.test(line))
      continue;
    lines.push(line);
    left -= line.length + 1;
  }
  return lines.length === 1 && listed.has(record.title) ? '' : lines.join('\n');
}

/** The lines that are more than just a title; summaries derived from records consist of titles. */
function withoutTitles(text: string, titles: ReadonlySet<string>): string {
  const lines = text.split('\n').filter((line) => !titles.has(line.replace(/^\s*[-*]\s+/, '').replace(/\.$/, '')));
  return lines.join('\n');
}

/** One line for a session before the last one. */
export function earlierSession({ record, entry, shortId }: Candidate<Summary>): string {
  return cleanLine(`${shortId} ${entry.time.slice(0, 10)}: ${cut(record.title, TITLE_CHARS)}`);
}

/**
 * A sentence in which an agent asks the user for permission to continue or what to do next. It was answered, or does
 * not concern the next session.
 */
const ASKS_LEAVE =
  /\b(?:let me know|want me to|like me to|would you like|do you want|shall I|should I|may I|can I|could I|if you(?:'d| would)? (?:like|want|prefer|wish)|say the word|soll ich|möchtest du|willst du|sag Bescheid|darf ich|I (?:still )?need (?:your )?(?:permission|approval)|(?:your|the user's) (?:permission|approval|confirmation|go-ahead)|(?:waiting for|awaiting) (?:permission|approval|confirmation)|please (?:approve|allow|confirm)|so (?:that )?(?:I|the agent) can (?:go on|continue|proceed)|grant permission)\b/iu;

function leadingSentences(text: string, room: number): string {
  const sentences = text
    .replace(/^\s*[-*]\s+/gm, '')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !ASKS_LEAVE.test(sentence));
  let taken = '';
  for (const sentence of sentences) {
    if (taken.length + sentence.length + 1 > room) break;
    taken += `${taken && ' '}${sentence}`;
  }
  return taken;
}

/** The longest that the sentence can get. */
export const ECONOMICS_ROOM = 'x'.repeat(120);

/**
 * The cost of reading these records, and what that saves of the work behind them; empty for none. What an agent saved
 * states no work, and one such record makes the sum unknown.
 */
export function economics(chosen: Candidate<Observation>[]): string {
  const read = chosen.reduce((sum, { readTokens }) => sum + readTokens, 0);
  const work = chosen.reduce((sum, { record }) => sum + (record.discovery_tokens ?? Number.NaN), 0);
  if (chosen.length === 0) return '';
  const isOne = chosen.length === 1;
  const saved = ` (${Math.floor((1 - read / work) * 100)} % saved)`;
  const spent = work > read ? `, the work behind ${isOne ? 'it' : 'them'} ${thousands(work)}${saved}` : '';
  return `${isOne ? 'This record costs' : `These ${chosen.length} records cost`} ${thousands(read)} tokens to read${spent}.`;
}

/** Digits in groups of three. `toLocaleString` would load locale data, a quarter of the whole hook. */
function thousands(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
