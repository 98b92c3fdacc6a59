import { AUTHORS, type Author, authorOf } from '../../memory/author.ts';
import { clampSentences, cut } from '../../memory/clamp.ts';
import { markdownLines } from '../../memory/markdown-lines.ts';
import { isHidden } from '../../memory/marks.ts';
import { inputWords, isRule, type Observation, oneLine, type Summary } from '../../memory/record.ts';
import { tellingSentences } from '../../memory/sentences.ts';
import { type DigestTurn, decodeTurns, isSessionDigest } from '../../memory/session-digest.ts';
import { missingWords } from '../../provenance/freshness.ts';
import type { Annotated } from '../../records/annotate.ts';
import { cleanLine, TITLE_CHARS } from './fence.ts';

/** A record that may be injected into the next session. */
export type Candidate<R extends Observation | Summary = Observation | Summary> = Annotated<R>;

/** Why the agent starts: a new session, a resumed one, or one whose context was compacted or cleared. */
export type Source = 'startup' | 'resume' | 'compact' | 'clear';

export interface Line {
  candidate: Candidate;
  text: string;
  /** For the receipt. */
  reason: string;
}

/** Observations by the part of a briefing that they belong to, each in the order in which it gets room. */
export interface Ranked {
  rules: Line[];
  /** Of this very session, whose context was compacted, and pinned ones. */
  own: Line[];
  inPlay: Line[];
  others: Line[];
  /** What bootstrap quoted: how to build, test and lint first. */
  quoted: Line[];
}

/** Sorts observations, newest first, into the parts of a briefing. */
export function ranked(
  observations: Candidate<Observation>[],
  options: { source: Source; session?: string; changedFiles: ReadonlySet<string> },
): Ranked {
  const found: Ranked = { rules: [], own: [], inPlay: [], others: [], quoted: [] };
  const ofSession = ({ record }: Candidate) =>
    options.source === 'compact' && record.session !== undefined && record.session === options.session;
  // What bootstrap quotes from a file is about the whole repository: that the file changes calls for none of it.
  const changed = ({ record }: Candidate<Observation>) =>
    [...record.files_modified, ...(authorOf(record) === 'bootstrap' ? [] : record.files_read)].find((path) =>
      options.changedFiles.has(path),
    );
  // Where not all rules have room: those that somebody pinned, then those about what is being changed.
  const place = (rule: Candidate<Observation>) => (rule.state.pinned ? 0 : changed(rule) === undefined ? 2 : 1);
  const byRank = byWorth(observations);
  for (const candidate of byRank.filter(({ record }) => isRule(record)).sort((a, b) => place(a) - place(b)))
    found.rules.push({ candidate, text: ruleLine(candidate), reason: 'rule' });
  for (const candidate of byRank.filter(({ record }) => !isRule(record))) {
    const cited = changed(candidate);
    const line = { candidate, text: indexLine(candidate) };
    if (ofSession(candidate)) found.own.push({ ...line, reason: 'this session' });
    else if (candidate.state.pinned) found.own.push({ ...line, reason: 'pinned' });
    else if (cited) found.inPlay.push({ ...line, reason: `cites ${cited}, which this branch changes` });
    else {
      const author = authorOf(candidate.record);
      (author === 'bootstrap' ? found.quoted : found.others).push({ ...line, reason: `by ${BY[author]}` });
    }
  }
  return found;
}

const BY: Record<Author, string> = {
  person: 'a person',
  agent: 'the agent',
  model: 'a model',
  bootstrap: 'bootstrap',
};

/** Most characters of a rule's reason. */
const REASON_CHARS = 240;

/** A rule with its reason: an agent that has to ask for it does not. */
function ruleLine({ record, shortId, state, verified }: Candidate<Observation>): string {
  const title = cut(record.title, TITLE_CHARS).replace(/[.。]$/u, '');
  const telling = tellingSentences(record.title, [record.narrative, ...record.facts].join('\n'));
  const reason = leadingSentences(telling.join('\n'), REASON_CHARS);
  return cleanLine(`${shortId} ${title}.${reason && ` ${reason}`}${notesOf({ record, state, verified, missing: [] })}`);
}

function indexLine(candidate: Candidate<Observation>): string {
  const { record, entry, shortId } = candidate;
  const said = `${shortId} ${entry.time.slice(0, 10)} ${cut(record.type, 20)}: ${cut(record.title, TITLE_CHARS)}`;
  return cleanLine(`${said}${notesOf(candidate)}`);
}

function notesOf({
  record,
  state,
  verified,
  missing,
}: Pick<Candidate, 'record' | 'state' | 'verified' | 'missing'>): string {
  const said = [...inputWords(record), missingWords(missing), state.disputed && 'disputed', verified && 'verified'];
  const notes = said.filter(Boolean);
  return notes.length > 0 ? ` [${notes.join(', ')}]` : '';
}

/** Whole sentences from the beginning of a text without the marks of its lists, as many as fit. */
export function leadingSentences(text: string, max: number): string {
  return clampSentences(oneLine(text.replace(/^\s*[-*]\s+/gm, '')), max);
}

/** Types by how hard their content is to recover by reading the code; a team's own types rank in the middle. */
const TYPES = ['rule', 'decision', 'security', 'bugfix', 'discovery', '', 'feature', 'refactor', 'change'];

/** What a first session needs, most needed first, as concepts of the records that bootstrap writes. */
const FIRST_NEEDED = [
  'workflow',
  'build',
  'test',
  'lint',
  'types',
  'format',
  'setup',
  'release',
  'convention',
  'decision',
  'revert',
];

/** How many places a record drops because its files were edited since: below newer ones, but not below all. */
const TOUCHED_PENALTY = 10;

/**
 * Observations in the order in which they get a share of the budget: by author, type, evidence, review and recency. The
 * input is sorted newest first.
 */
export function byWorth<One extends Annotated<Observation>>(observations: readonly One[]): One[] {
  const keyed = observations.map((candidate, i) => ({ candidate, key: worthOf(candidate, i) }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ candidate }) => candidate);
}

function worthOf({ record, verified, trust, freshness }: Annotated<Observation>, place: number): number[] {
  const type = TYPES.indexOf(record.type);
  const author = authorOf(record);
  return [
    AUTHORS.indexOf(author),
    author === 'bootstrap' ? needOf(record) : 0,
    type < 0 ? TYPES.indexOf('') : type,
    // Work that changed files is more than words.
    verified ? 0 : record.files_modified.length > 0 ? 1 : 2,
    trust === 'reviewed' ? 0 : 1,
    place + (freshness === 'touched' ? TOUCHED_PENALTY : 0),
  ];
}

/** The rank of a record that bootstrap wrote: how to build, test and lint comes first. */
function needOf({ concepts }: Observation): number {
  const rank = FIRST_NEEDED.findIndex((need) => concepts.includes(need));
  return rank < 0 ? FIRST_NEEDED.length : rank;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Most characters of what a session left open and of an answer, and most files that are named. */
const OPEN_CHARS = 240;
const ANSWER_CHARS = 160;
const MOST_FILES = 3;

/**
 * What the last sessions on a branch left, newest first: of the last one what it committed or was asked, of those before only
 * what they left open. A session speaks by its agent's summary, else by its digest. The input is sorted newest first.
 */
export function sessionLines(summaries: readonly Candidate<Summary>[], branch: string | undefined): Line[] {
  const lines: Line[] = [];
  const told = new Set<string>();
  const isSaid = new Set(summaries.flatMap(({ record }) => (isSessionDigest(record) ? [] : (record.session ?? []))));
  for (const candidate of summaries) {
    const { record, state, entry, shortId } = candidate;
    const session = record.session ?? record.id;
    if (record.branch !== branch || isHidden(state) || told.has(session)) continue;
    if (isSessionDigest(record) && isSaid.has(session)) continue;
    told.add(session);
    const turns = isSessionDigest(record) ? decodeTurns(record.request) : undefined;
    const open = turns === undefined ? saidOpen(record) : leftOpen(turns);
    const tail = open || quotedAnswer(record.title, turns ?? []);
    const said = `${sourceOf(turns ?? [])}${cut(record.title, TITLE_CHARS)}${notesOf({ record, state, verified: false, missing: [] })}${tail === '' ? '' : ` — ${tail}`}`;
    // The last of several sessions that left the same stands for all.
    if ((lines.length > 0 && open === '') || told.has(said)) continue;
    told.add(said);
    const text = cleanLine(`${shortId} ${entry.time.slice(0, 10)} ${said}`);
    lines.push({
      candidate,
      text,
      reason: lines.length === 0 ? 'the last session on this branch' : 'left something open',
    });
  }
  return lines;
}

function saidOpen({ next_steps, completed }: Summary): string {
  const next = oneLine(next_steps);
  if (next !== '') return `Next: ${leadingSentences(next, OPEN_CHARS)}`;
  return leadingSentences(oneLine(completed), OPEN_CHARS);
}

/** Who said the title of a digest, where no commit says what was done. */
function sourceOf(turns: readonly DigestTurn[]): string {
  if (turns.some(({ commits }) => commits.length > 0)) return '';
  return turns.some(({ prompt }) => prompt !== '') ? 'Asked: ' : turns.some(({ answer }) => answer) ? 'Answered: ' : '';
}

/** The beginning of the answer to the question in the title, in a session that changed nothing. */
function quotedAnswer(title: string, turns: readonly DigestTurn[]): string {
  const isWork = turns.some(({ files, commits }) => files.length + commits.length > 0);
  const start = title.slice(0, TITLE_START).toLowerCase();
  const asked = turns.find(({ prompt }) => prompt !== '' && prompt.toLowerCase().startsWith(start));
  if (isWork || asked === undefined) return '';
  const lines = [...markdownLines(asked.answer.split('\n'))].filter(({ kind }) => kind === 'text');
  const begun = leadingSentences(lines.map(({ text }) => text).join('\n'), ANSWER_CHARS);
  return begun && `its answer begins: ${begun}`;
}

/** How much of a title is compared with a request, which may be cut at another place, in characters. */
const TITLE_START = 30;

/** Tells whether all that a session did is in its commits: git's log says the rest. */
export function isAllCommitted(digest: Summary): boolean {
  return (
    (digest.commits ?? []).length > 0 && digest.stopped === undefined && leftOpen(decodeTurns(digest.request)) === ''
  );
}

/**
 * What hooks saw last: checks that failed, with none after them whose end is another or unknown, and no file changed since;
 * and changed files in none of its commits.
 */
function leftOpen(turns: readonly DigestTurn[]): string {
  const checked = turns.findLastIndex(({ checks }) => checks.length > 0);
  const changed = turns.findLastIndex(({ files }) => files.length > 0);
  const isSame = changed < checked || (changed === checked && turns[checked]?.unchecked === undefined);
  const checks = isSame ? turns.flatMap((turn) => turn.checks) : [];
  const last = checks.slice(checks.findLastIndex(({ passed }) => passed !== false) + 1);
  const failing = [...new Set(last.map(({ command }) => command))].map((command) => `\`${cut(command, 60)}\` failed`);
  const committed = turns.findLastIndex(({ commits }) => commits.length > 0);
  const files = [...new Set(turns.slice(committed + 1).flatMap((turn) => turn.files))];
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  const uncommitted = files.length > 0 ? [`not committed: ${files.slice(0, MOST_FILES).join(', ')}${more}`] : [];
  const left = [...failing, ...uncommitted];
  return left.length > 0 ? `When it ended: ${left.join('; ')}.` : '';
}
