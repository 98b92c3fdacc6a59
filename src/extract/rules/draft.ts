import { LIMITS } from '../../memory/record.ts';
import type { Draft } from '../extractor.ts';
import { conceptsOf } from './concepts.ts';
import { filesAbout, modifiedAbout } from './files.ts';
import type { Evidence } from './kind.ts';
import { clauseBreaks, partsOf } from './sentences.ts';
import type { Statement } from './statements.ts';
import { shared, termsIn } from './terms.ts';
import { dressed, headline } from './title.ts';
import type { Topic } from './topics.ts';

/** A narrative is a few plain sentences; the rest becomes facts. */
const NARRATIVE = 430;
/** Beyond this share of the message a record would be its copy. */
const SHARE = 0.75;
const FREE = 520;

const WEIGHT: Record<Statement['role'], number> = {
  cause: 5,
  decision: 5,
  caveat: 4.5,
  change: 4,
  side: 4,
  advice: 3.5,
  state: 3,
  open: 2.5,
  outcome: 1,
  commit: 0,
  noise: 0,
};

interface Writing {
  type: string;
  topic: Topic;
  /** Best first; the first that yields a phrase is taken. */
  titles: string[];
  /** Facts that the calls prove: checks and commits. */
  proven: string[];
  /** The symptom as reported; at most one. */
  symptom: string[];
  replyLength: number;
}

/** Writes the observation of one topic. */
export function draftOf({ topic, type, titles, proven, symptom, replyLength }: Writing, evidence: Evidence): Draft {
  const kept = withinShare(topic.statements, replyLength);
  const { told, rest } = storyOf(kept);
  const narrative = told.join(' ');
  const facts = factsOf(rest, narrative, [...symptom, ...proven]);
  const text = [narrative, ...facts].join(' ');
  const title = titles.find((candidate) => candidate !== '') ?? fallbackTitle(topic.statements, type, evidence);
  const identifiers = new Set(topic.statements.flatMap((statement) => [...statement.identifiers]));
  const about = `${title} ${text}`;
  const { calls } = evidence.turn;
  const isMain = topic.kind === 'main';
  const modified = isMain ? evidence.touched.modified : modifiedAbout(evidence.touched, about, identifiers, calls);
  return {
    type,
    title,
    subtitle: subtitleOf(topic.statements, title),
    narrative: narrative === '' ? `${title}.` : narrative,
    facts,
    concepts: conceptsOf(
      type,
      about,
      identifiers,
      topic.kind === 'caveat' || topic.statements.every(({ role }) => role === 'caveat'),
    ),
    files_read: filesAbout(evidence.touched.read, about, identifiers, calls).slice(0, LIMITS.files),
    files_modified: modified.slice(0, LIMITS.files),
    supersedes: [],
  };
}

/** A part of a statement: what can be kept, moved to the facts, or dropped without cutting a sentence. */
interface Unit {
  text: string;
  statement: Statement;
  /** Place of the part in its statement. */
  part: number;
  weight: number;
}

function unitsOf(statements: Statement[]): Unit[] {
  return statements.flatMap((statement, order) =>
    partsInContext(statement.text).map((text, part) => ({
      text,
      statement,
      part,
      weight:
        WEIGHT[statement.role] +
        detail(text, statement) -
        order * 0.05 -
        part * 0.25 +
        (order === 0 && part === 0 ? 3 : 0),
    })),
  );
}

/** The parts of a sentence; one that leans on the part before it stays in it. */
function partsInContext(text: string): string[] {
  const parts: string[] = [];
  for (const part of partsOf(text)) {
    const last = parts.at(-1);
    const leans =
      part.length < 30 || /^(?:it|they|this|that|these|its|so|then|otherwise|which|es|das|dies|sonst)\b/iu.test(part);
    if (last !== undefined && leans && last.length + part.length < LIMITS.fact)
      parts[parts.length - 1] = `${last}; ${part}`;
    else parts.push(part);
  }
  return parts.map(sentenceOf);
}

function detail(text: string, { identifiers }: Statement): number {
  const content = Math.min(1.5, termsIn(text).size / 8);
  return content + Math.min(1, identifiers.size * 0.3) + (/\d/u.test(text) ? 0.5 : 0) + (text.length < 40 ? -1 : 0);
}

/** Drops the lightest parts until the record holds no more than its share of the message. */
function withinShare(statements: Statement[], replyLength: number): Unit[] {
  const units = unitsOf(statements);
  const limit = Math.max(FREE, replyLength * SHARE);
  const kept = new Set(units);
  const parts = (unit: Unit) => units.filter(({ statement }) => statement === unit.statement).length;
  // A sentence that is taken apart is no copy any more.
  const weigh = (unit: Unit) => (parts(unit) > 1 ? unit.text.length / 2 : unit.text.length);
  let size = units.reduce((sum, unit) => sum + weigh(unit), 0);
  for (const unit of [...units].sort((a, b) => a.weight - b.weight)) {
    if (size <= limit || kept.size <= 1) break;
    kept.delete(unit);
    size -= weigh(unit);
  }
  return units.filter((unit) => kept.has(unit));
}

/** Chooses what the narrative tells: the weightiest first parts, in the order of the message; the rest is left for the facts. */
function storyOf(units: Unit[]): { told: string[]; rest: string[] } {
  const chosen = new Set<Unit>();
  let size = 0;
  // A list reads better as facts; where there is nothing else its head tells the story.
  const prose = units.filter(({ statement: { isItem, role } }) => !isItem && role !== 'advice' && role !== 'open');
  const listed = prose.reduce((sum, { text }) => sum + text.length, 0) >= 80;
  let items = 0;
  for (const unit of [...units].sort((a, b) => b.weight - a.weight)) {
    if (unit.statement.isItem && (listed || items >= 2)) continue;
    if (size > 0 && (unit.part > 0 || size + unit.text.length > NARRATIVE)) continue;
    if (unit.text.length > LIMITS.narrative) continue;
    chosen.add(unit);
    if (unit.statement.isItem) items += 1;
    size += unit.text.length + 1;
  }
  return {
    told: units.filter((unit) => chosen.has(unit)).map(({ text }) => text),
    rest: units.filter((unit) => !chosen.has(unit)).map(({ text }) => text),
  };
}

function factsOf(rest: string[], narrative: string, proven: string[]): string[] {
  const facts = rest.flatMap(fitted);
  const room = LIMITS.facts - Math.min(proven.length, 5);
  const all = [...facts.slice(0, room), ...proven.flatMap(fitted)];
  return [...new Set(all)].filter((fact) => !narrative.includes(fact.slice(0, -1))).slice(0, LIMITS.facts);
}

/** The parts of a sentence as sentences of their own. */
export function sentenceParts(sentence: string): string[] {
  return partsOf(sentence).map(sentenceOf);
}

function sentenceOf(part: string): string {
  const text = part.replace(/^(?:and|but|so|und|aber)\s+/iu, '').replace(/(?<![\s,;:])[\s,;:]+$/u, '');
  const capital = /^\p{Ll}+(?:\s|,|$)/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…。！？]$/u.test(capital) ? capital : `${capital}.`;
}

/** A sentence as facts within the limit: cut at clauses, never inside one; nothing where no clause fits. */
export function fitted(sentence: string): string[] {
  if (sentence.length <= LIMITS.fact) return [sentence];
  const cuts = clauseBreaks(sentence).filter(({ word }) => word !== ',');
  const cut = cuts.findLast(({ at }) => at >= 30 && at < LIMITS.fact);
  if (!cut) return [];
  const head = sentenceOf(sentence.slice(0, cut.at));
  const tail = sentence.slice(cut.at + cut.word.length + (sentence[cut.at] === ' ' ? 1 : 0)).trim();
  return /^(?:[:;]|[–—-])$/u.test(cut.word) && tail.length > 30 ? [head, ...fitted(sentenceOf(tail))] : [head];
}

function subtitleOf(statements: Statement[], title: string): string {
  const plain = title.toLowerCase();
  const second = (text: string) => text.toLowerCase().replace(/^\S+ /u, '').slice(0, 36);
  const order = [...statements.filter(({ role }) => role === 'change' || role === 'decision'), ...statements];
  for (const { text } of order) {
    const line = headline(text, 140);
    if (
      line !== '' &&
      !line.toLowerCase().startsWith(plain.slice(0, 40)) &&
      second(line) !== second(title) &&
      !repeats(line, title) &&
      !plain.includes(line.toLowerCase())
    )
      return line;
  }
  for (const { text } of statements) {
    const [, ...parts] = partsOf(text);
    for (const part of parts) {
      const line = dressed(part);
      if (
        line.length >= 20 &&
        !repeats(line, title) &&
        line.length <= LIMITS.subtitle &&
        !plain.includes(line.toLowerCase())
      )
        return line;
    }
  }
  return '';
}

/** True where a line says hardly more than the title above it. */
function repeats(line: string, title: string): boolean {
  const [a, b] = [termsIn(line), termsIn(title)];
  return shared(b, a) >= 0.7 * b.size;
}

/** A title where no sentence yields one: what was touched. */
function fallbackTitle(statements: Statement[], type: string, { touched, commits }: Evidence): string {
  const [commit] = commits;
  if (commit && commit.subject.length <= LIMITS.title) return dressed(commit.subject);
  const files = (touched.modified.length > 0 ? touched.modified : touched.read)
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => name.length <= 30);
  const noun =
    {
      bugfix: 'Fix',
      feature: 'New behaviour',
      refactor: 'Refactoring',
      discovery: 'Finding',
      decision: 'Decision',
      security: 'Security fix',
    }[type] ?? 'Change';
  const [first, second] = files;
  if (first === undefined) {
    const name = [...(statements[0]?.identifiers ?? [])].find((identifier) => identifier.length <= 50);
    return name === undefined ? `${noun} without a title` : dressed(`${noun} about ${name}`);
  }
  const more = files.length > 2 ? ` and ${files.length - 1} more files` : second === undefined ? '' : ` and ${second}`;
  return dressed(`${noun} in ${first}${more}`);
}
