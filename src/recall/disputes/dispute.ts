import { namesId } from '../../memory/id.ts';
import type { Observation } from '../../memory/record.ts';
import type { Opposition, Text } from './claims.ts';
import { INJECTED_BAR, strongestOpposition } from './opposition.ts';
import { parseSentence, type Sentence, type Word } from './sentence.ts';

/** Two records of which at most one can be right, the earlier one first, with the sentences that show it. */
export interface Dispute {
  ids: [string, string];
  why: Why;
}

export interface Why {
  /** A sentence for people. */
  reason: string;
  /** What the earlier and the later record say, as written. */
  earlier: string;
  later: string;
}

/** The part of an observation that decides. */
export type Claiming = Pick<
  Observation,
  'id' | 'title' | 'narrative' | 'facts' | 'files_modified' | 'files_read' | 'supersedes' | 'generated'
>;

/** Sentences read of a record, the first ones: a longer record is a log. */
const MOST_SENTENCES = 24;

/**
 * Most records compared with one record for each file that it cites, the last ones before it: half the store may cite
 * `package.json`. What has two words of the title as well is found by these.
 */
const MOST_PER_FILE = 20;
const MOST_PER_TITLE = 60;

/**
 * The pairs among active observations that contradict each other, by order of the records; `about`: only pairs with one of
 * these. A record that supersedes another one or names it (`namesId`) builds on it, and disputes nothing. A third record that
 * names both settles what they say.
 */
export function disputesAmong(records: readonly Claiming[], about?: ReadonlySet<string>): Dispute[] {
  return disputesIn(records, about, textOf);
}

/**
 * The pairs whose titles alone contradict each other beyond doubt: few, but so seldom wrong that they may be injected.
 */
export function titleDisputes(records: readonly Claiming[], about?: ReadonlySet<string>): [string, string][] {
  const titleOf: typeof textOf = ({ title }, common) => textOf({ title, narrative: '', facts: [] }, common);
  return disputesIn(records, about, titleOf, INJECTED_BAR).map(({ ids }) => ids);
}

function disputesIn(
  records: readonly Claiming[],
  about: ReadonlySet<string> | undefined,
  readText: typeof textOf,
  bar?: typeof INJECTED_BAR,
): Dispute[] {
  const ordered = records.toSorted((a, b) => compare(a.generated.at, b.generated.at) || compare(a.id, b.id));
  const titles = new Map(records.map((record) => [record, parseSentence(record.title)]));
  const common = commonWordsOf([...titles.values()]);
  const texts = new Map<Claiming, Text>();
  const read = (record: Claiming): Text => {
    const text = texts.get(record) ?? readText(record, common);
    texts.set(record, text);
    return text;
  };
  const citing = new Map<string, Claiming[]>();
  const found: Dispute[] = [];
  for (const later of ordered) {
    const rivals = new Set<Claiming>();
    const places = placesOf(later, titles.get(later)?.words ?? [], common);
    for (const place of places) {
      const known = citing.get(place) ?? [];
      for (const one of known.slice(place.startsWith(TITLE) ? -MOST_PER_TITLE : -MOST_PER_FILE)) rivals.add(one);
      citing.set(place, known);
    }
    for (const earlier of rivals) {
      if (about && !about.has(earlier.id) && !about.has(later.id)) continue;
      const why = whyOf(earlier, later, read, bar);
      if (why !== undefined && !isSettled(earlier, later, records)) found.push({ ids: [earlier.id, later.id], why });
    }
    for (const place of places) citing.get(place)?.push(later);
  }
  return found;
}

/** Why a record that is being written seems to reverse an earlier one; undefined if it does not. */
export function reversal(earlier: Claiming, later: Claiming): Why | undefined {
  return whyOf(earlier, later, (record) => textOf(record));
}

function whyOf(
  earlier: Claiming,
  later: Claiming,
  read: (record: Claiming) => Text,
  bar?: typeof INJECTED_BAR,
): Why | undefined {
  if (earlier.id === later.id || buildsOn(later, earlier) || buildsOn(earlier, later)) return undefined;
  const files = new Set(filesOf(earlier));
  const isFileShared = filesOf(later).some((path) => files.has(path));
  const found = strongestOpposition({ earlier: read(earlier), later: read(later) }, isFileShared, bar);
  return found && { reason: reasonOf(found), earlier: found.earlier.text, later: found.later.text };
}

function buildsOn({ supersedes, narrative, facts }: Claiming, { id }: Claiming): boolean {
  return supersedes.includes(id) || [narrative, ...facts].some((text) => namesId(text, id));
}

function isSettled(one: Claiming, other: Claiming, records: readonly Claiming[]): boolean {
  return records.some((third) => third !== one && third !== other && buildsOn(third, one) && buildsOn(third, other));
}

function filesOf({ files_modified, files_read }: Claiming): string[] {
  return [...files_modified, ...files_read];
}

/**
 * Where to look for rivals: the files that it cites, and for those that share no file pairs of words of its title, of which
 * one says something in this memory.
 */
function placesOf(record: Claiming, title: Word[], common: ReadonlySet<string>): string[] {
  const words = [...new Set(title.flatMap(({ stem, kind }) => (kind === 'value' ? [] : [stem])))]
    .sort()
    .slice(0, MOST_TITLE_WORDS);
  const pairs = words.flatMap((one, i) =>
    words
      .slice(i + 1)
      .filter((other) => !common.has(one) || !common.has(other))
      .map((other) => `${TITLE}${one} ${other}`),
  );
  return [...new Set([...filesOf(record), ...pairs])];
}

/** Words of a title whose pairs are keys: 28 pairs at most, and titles have 80 characters. */
const MOST_TITLE_WORDS = 8;
/** Begins no path. */
const TITLE = '\0';

/** A word in more of a store's titles than this says little; in a store of fewer than 400 the second number decides. */
const COMMON = { share: 0.02, least: 8 } as const;

/** The words that say little in this memory, whatever they say elsewhere. */
function commonWordsOf(titles: readonly Sentence[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { stems } of titles) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const most = Math.max(COMMON.least, COMMON.share * titles.length);
  return new Set([...counts].flatMap(([stem, count]) => (count > most ? [stem] : [])));
}

function textOf(
  { title, narrative, facts }: Pick<Claiming, 'title' | 'narrative' | 'facts'>,
  common?: ReadonlySet<string>,
): Text {
  const further = [narrative, ...facts].flatMap(sentencesOf).slice(0, MOST_SENTENCES - 1);
  const first = parseSentence(title, common);
  const sentences = [first, ...further.map((text) => parseSentence(text, common))];
  return { title: first, sentences, stems: new Set(sentences.flatMap((sentence) => [...sentence.stems])) };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+|;\s+/)
    .map((one) => one.trim())
    .filter(Boolean);
}

function reasonOf({ kind, words: [one = '', other = ''], words }: Opposition): string {
  const about = words.join(' ');
  switch (kind) {
    case 'denied':
      return `One says what the other denies: ${about}.`;
    case 'over':
      return `The later one says that this is over: ${about}.`;
    case 'contrary':
      return `They say the opposite of one thing: ${one}, ${other}.`;
    case 'value':
    case 'version':
      return `They give one thing two values: ${one}, ${other}.`;
    case 'default':
      return 'They name two things where there is only one.';
    case 'other':
    case 'means':
      return `They say of one thing that it does two: ${about}.`;
    case 'cause':
      return `They explain one thing by two causes: ${about}.`;
    case 'changed':
      return 'The later one says that this has changed.';
    default:
      return kind satisfies never;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
