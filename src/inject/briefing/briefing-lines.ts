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

/** Why a session starts: it is new, it is resumed, or its context was compacted or cleared. */
export type Source = 'startup' | 'resume' | 'compact' | 'clear';

export interface Line {
  candidate: Candidate;
  text: string;
  /** Why it is injected, for the receipt. */
  reason: string;
}

/** Observations by the part of the briefing that they belong to; those that get room first come first. */
export interface Ranked {
  rules: Line[];
  /** Those of this session, if its context was compacted, and pinned ones. */
  own: Line[];
  inPlay: Line[];
  others: Line[];
  /** What bootstrap quoted from files; how to build, test and lint comes first. */
  quoted: Line[];
}

/** Sorts observations, which must come newest first, into the parts of a briefing. */
export function ranked(
  observations: Candidate<Observation>[],
  options: { source: Source; session?: string; changedFiles: ReadonlySet<string> },
): Ranked {
  const found: Ranked = { rules: [], own: [], inPlay: [], others: [], quoted: [] };
  const ofSession = ({ record }: Candidate) =>
    options.source === 'compact' && record.session !== undefined && record.session === options.session;
  // What bootstrap quotes from a file is about the whole repository, so a change to that file does not call for it.
  const changed = ({ record }: Candidate<Observation>) =>
    [...record.files_modified, ...(authorOf(record) === 'bootstrap' ? [] : record.files_read)].find((path) =>
      options.changedFiles.has(path),
    );
  // If not all rules fit, pinned ones come first, then those about files that are being changed.
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

/** Longest reason of a rule, in characters. */
const REASON_CHARS = 240;

/** A rule with its reason, because agents do not ask for the reason. */
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

/** A text's first sentences, without list markers, that fit into `max` characters; else its first words and `…`. */
export function leadingSentences(text: string, max: number): string {
  return clampSentences(oneLine(text.replace(/^\s*[-*]\s+/gm, '')), max);
}

/** Types whose content is hardest to recover by reading the code come first; `''` stands for a team's own types. */
const TYPES = ['rule', 'decision', 'security', 'bugfix', 'discovery', '', 'feature', 'refactor', 'change'];

/** What a first session needs, most needed first: concepts of the records that bootstrap writes. */
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

/** How many places a record drops if a name in it is gone from its files: below newer ones, but not below all. */
const TOUCHED_PENALTY = 10;

/**
 * Observations in the order in which they get a share of the budget: by author, type, evidence, review and recency.
 * `observations` must come newest first.
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
    // A record of work that changed files has more behind it than words.
    verified ? 0 : record.files_modified.length > 0 ? 1 : 2,
    trust === 'reviewed' ? 0 : 1,
    place + (freshness === 'touched' ? TOUCHED_PENALTY : 0),
  ];
}

/** The rank of a record that bootstrap wrote, from 0 for what is needed most. */
function needOf({ concepts }: Observation): number {
  const rank = FIRST_NEEDED.findIndex((need) => concepts.includes(need));
  return rank < 0 ? FIRST_NEEDED.length : rank;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Most characters of what a session left open, most characters of an answer, and most files named. */
const OPEN_CHARS = 240;
const ANSWER_CHARS = 160;
const MOST_FILES = 3;

/**
 * One line for each of the last sessions on a branch, newest first. The newest session is always told, earlier ones
 * only if they left something open. A session's line comes from its agent's summary, or else from its digest.
 * `summaries` must come newest first.
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
    // If several sessions left the same, the newest stands for all.
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

/** Says whether a digest's title was asked or answered; empty if commits say what was done, or if neither is known. */
function sourceOf(turns: readonly DigestTurn[]): string {
  if (turns.some(({ commits }) => commits.length > 0)) return '';
  return turns.some(({ prompt }) => prompt !== '') ? 'Asked: ' : turns.some(({ answer }) => answer) ? 'Answered: ' : '';
}

/** How the answer to the title's question begins; empty if the session changed anything or has no such answer. */
function quotedAnswer(title: string, turns: readonly DigestTurn[]): string {
  const isWork = turns.some(({ files, commits }) => files.length + commits.length > 0);
  const start = title.slice(0, TITLE_START).toLowerCase();
  const asked = turns.find(({ prompt }) => prompt !== '' && prompt.toLowerCase().startsWith(start));
  if (isWork || asked === undefined) return '';
  const lines = [...markdownLines(asked.answer.split('\n'))].filter(({ kind }) => kind === 'text');
  const begun = leadingSentences(lines.map(({ text }) => text).join('\n'), ANSWER_CHARS);
  return begun && `its answer begins: ${begun}`;
}

/** Characters of a title that are compared with a request: the two may have been cut at different places. */
const TITLE_START = 30;

/** Tells whether commits hold all that a session did, so that git's log is enough. */
export function isAllCommitted(digest: Summary): boolean {
  return (
    (digest.commits ?? []).length > 0 && digest.stopped === undefined && leftOpen(decodeTurns(digest.request)) === ''
  );
}

/**
 * What was unfinished when the hooks last saw the session; empty if nothing was. That is the unbroken run of failed
 * checks at its end, unless a file changed after them, and the files changed in turns after that of its last commit.
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
