import * as z from 'zod/mini';
import { isObject } from '../../json.ts';
import { clampSentences, withinLimits } from '../../memory/clamp.ts';
import { block, type Content, LIMITS, oneLine } from '../../memory/record.ts';
import { isChange } from '../agents/event.ts';
import { type Draft, mapLists, type SessionSummary } from './extractor.ts';
import { findJson, looseLines, looseText, looseWords, toText, unusable } from './loose-values.ts';
import { typeMeant } from './mode.ts';
import { MOST_OBSERVATIONS } from './prompt.ts';
import type { Turn } from './turn.ts';

/** A model's reply about a part of a session, validated and within the limits of a record. */
export interface Reply {
  observations: Draft[];
  /** Undefined if it says nothing about the session. */
  summary: SessionSummary | undefined;
}

/** What a reply may refer to. */
export interface ReplyScope {
  types: readonly string[];
  /** Ids of the records that the model saw. */
  ids: readonly string[];
  files: FileFilter;
  /** Keys of the turns in the order that the model saw; undefined for those that were already closed. */
  turns: readonly (string | undefined)[];
}

/**
 * Lines of one section of a summary, as many as a record has facts, and characters of a concept, which is a topic of a
 * few words: a model that writes more retells the session.
 */
const MAX_SUMMARY_LINES = 8;
const MAX_CONCEPT = 40;

/**
 * Reads a model's answer, whether it came in the requested structure (`output`) or as text around JSON. `truncated`:
 * the model was cut off, so a last observation that looks unfinished is left out. Throws ProviderError
 * `invalid-output`, whose message can be sent back to the model.
 */
export function parseReply(output: unknown, text: string, scope: ReplyScope, truncated = false): Reply {
  const structured = asReply(output);
  if (structured !== undefined) {
    const items = toItems(structured.observations);
    const whole = truncated && isUnfinished(items.at(-1)) ? items.slice(0, -1) : items;
    return toReply(structured, whole, scope, truncated);
  }
  for (const found of findJson(text)) {
    const shaped = asReply(found.value);
    // In text, a truncated object is already left out: only whole ones are found.
    if (shaped !== undefined) return toReply(shaped, toItems(shaped.observations), scope, found.truncated);
  }
  throw unusable(truncated ? CUT_OFF : 'the answer holds no JSON object with "observations" or "skip"');
}

const CUT_OFF = 'the answer was cut off before an observation was whole; write fewer and shorter ones';

type Shaped = Record<string, unknown>;

/** The object that carries the reply: itself, a list of observations, or one wrapped in a single key. */
function asReply(value: unknown): Shaped | undefined {
  if (Array.isArray(value)) {
    return value.some((item) => isObject(item) && 'title' in item) ? { observations: value } : undefined;
  }
  if (!isObject(value)) return undefined;
  if ('observations' in value || 'skip' in value || 'summary' in value) return value;
  const inner = Object.values(value);
  return inner.length === 1 && isObject(inner[0]) ? asReply(inner[0]) : undefined;
}

function toReply(shaped: Shaped, items: unknown[], scope: ReplyScope, truncated: boolean): Reply {
  const problems: string[] = [];
  const drafts = items.flatMap((item, index) => {
    const parsed = observationShape.safeParse(item);
    if (parsed.success) return toDraft(parsed.data, scope);
    problems.push(
      ...parsed.error.issues.map((issue) => `observations[${index}] ${issue.path.join('.')} ${issue.message}`),
    );
    return [];
  });
  if (drafts.length === 0 && problems.length > 0) throw unusable(problems.slice(0, 5).join('; '));
  if (drafts.length === 0 && truncated && !isSkip(shaped.skip)) throw unusable(CUT_OFF);
  const summary = toSummary(shaped.summary);
  const observations = drafts.filter(({ title }, at) => drafts.findIndex((one) => one.title === title) === at);
  return { observations: observations.slice(0, MOST_OBSERVATIONS), summary };
}

function toItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  // Models occasionally put a list into a string.
  if (typeof value === 'string') return findJson(value).flatMap((found) => found.value);
  return isObject(value) && 'title' in value ? [value] : [];
}

function isUnfinished(item: unknown): boolean {
  if (!isObject(item) || !('facts' in item)) return true;
  return !/[.!?…。！？]["'”»)`]*\s*$/u.test(String(item.narrative));
}

const heading = z.pipe(
  z.transform((value) => oneLine(plain(toText(value)))),
  z.string(),
);

const observationShape = z
  .object({
    turn: looseText,
    type: looseText,
    title: heading.check(z.refine((title) => title !== '', 'is empty')),
    subtitle: heading,
    narrative: looseText,
    facts: looseLines,
    concepts: looseWords,
    files_read: looseWords,
    files_modified: looseWords,
    supersedes: looseWords,
  })
  .check(
    z.refine(({ narrative, facts }) => narrative.trim() !== '' || facts.length > 0, 'has neither narrative nor facts'),
  );

const summaryShape = z.object({
  request: looseText,
  investigated: looseLines,
  learned: looseLines,
  completed: looseLines,
  next_steps: looseLines,
  notes: looseLines,
});

/** None for a turn that was already closed. */
function toDraft(item: z.infer<typeof observationShape>, { types, ids, files, turns }: ReplyScope): Draft[] {
  const turn = turnOf(item.turn, turns);
  if (turn === undefined) return [];
  const concepts = unique(item.concepts.map((concept) => oneLine(concept.replace(/^#/, ''))));
  const draft: Draft = {
    turn,
    type: typeMeant(item.type, types, 'change'),
    title: item.title,
    subtitle: item.subtitle,
    narrative: block(item.narrative),
    facts: unique(item.facts.map((fact) => clampSentences(oneLine(fact), LIMITS.fact))),
    concepts: concepts.filter((concept) => concept.length <= MAX_CONCEPT),
    ...files(item),
    supersedes: unique(item.supersedes.flatMap((id) => knownIds(id, ids))),
  };
  return [withinLimits(draft)];
}

/** The turn with the number that a model gave; the last open one if it gave none. */
function turnOf(said: string, turns: ReplyScope['turns']): string | undefined {
  const number = Number(/\d+/.exec(said)?.[0] ?? Number.NaN);
  const isOne = number >= 1 && number <= turns.length;
  return isOne ? turns[number - 1] : turns.findLast((key) => key !== undefined);
}

function toSummary(value: unknown): SessionSummary | undefined {
  const summary = summaryShape.safeParse(value).data;
  if (summary === undefined) return undefined;
  // The last lines are the newest, and a summary describes the end.
  const sentences = (entries: string[]) =>
    unique(entries.map((entry) => clampSentences(oneLine(entry), LIMITS.fact))).slice(-MAX_SUMMARY_LINES);
  return { request: clampSentences(oneLine(summary.request), LIMITS.fact), ...mapLists(summary, sentences) };
}

/** Tells whether a model says why nothing is worth remembering. */
function isSkip(value: unknown): boolean {
  return value === true || !/^(|no|none|null|false|n\/a|-)$/i.test(oneLine(toText(value)));
}

function knownIds(said: string, ids: readonly string[]): string[] {
  const id = said.replace(/[^0-9a-z]/gi, '').toLowerCase();
  const meant = ids.filter((known) => id.length >= 4 && known.startsWith(id));
  return meant.length === 1 ? meant : [];
}

/** Strips the marks that models put around a heading. */
function plain(line: string): string {
  const bare = line.trim().replace(/^#+\s+/, '');
  return /^(["'`])([^"'`]+)\1$/.exec(bare)?.[2] ?? /^(?:\*\*|“)([^*“”]+)(?:\*\*|”)$/.exec(bare)?.[1] ?? bare;
}

function unique(values: string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))];
}

/** Files that an observation may cite. */
type CitedFiles = Pick<Content, 'files_read' | 'files_modified'>;

/** Keeps the claimed files that occur in the turns; for what was changed, the calls count more than the claim. */
type FileFilter = (claimed: CitedFiles) => CitedFiles;

/** A filter for what a model claims about the files of these turns. */
export function filesOf(turns: Turn[]): FileFilter {
  const calls = turns.flatMap((turn) => turn.calls);
  const done = calls.filter((call) => call.ok !== false);
  const modified = new Set(done.filter(isChange).flatMap(({ paths }) => paths));
  // A search names a folder as often as a file.
  const seen = new Set(done.flatMap(({ action, paths }) => (action === 'search' ? paths.filter(isFileLike) : paths)));
  const named = new Set(calls.flatMap(({ command }) => wordsOf(command ?? '')).filter(isFileLike));
  const known = [...new Set([...seen, ...named])];

  const resolve = (claim: string): string[] => {
    const path = claim.replace(/^\.\//, '').replaceAll('\\', '/');
    if (known.includes(path)) return [path];
    // An absolute path or a bare file name will do if exactly one file of the turns matches.
    const meant = known.filter((one) => one.endsWith(`/${path}`) || path.endsWith(`/${one}`));
    return path !== '' && meant.length === 1 ? meant : [];
  };

  return (claimed) => {
    const claimedModified = new Set(claimed.files_modified.flatMap(resolve));
    const all = [...new Set([...claimedModified, ...claimed.files_read.flatMap(resolve)])];
    // Only a shell command can change a file without a call that shows it.
    const isModified = (path: string) => modified.has(path) || (claimedModified.has(path) && named.has(path));
    return { files_read: all.filter((path) => !isModified(path)), files_modified: all.filter(isModified) };
  };
}

function wordsOf(command: string): string[] {
  return command.split(/[\s"'`=,:;()<>|&{}]+/).map((word) => word.replace(/^\.\//, ''));
}

function isFileLike(word: string): boolean {
  const isInside = !/^[-/~$]|(^|\/)\.\.(\/|$)|\/$/.test(word);
  return isInside && /(\.[\w-]+$)|\w\/\w/.test(word);
}
