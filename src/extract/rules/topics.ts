import { isCaveat } from './roles.ts';
import { partsOf } from './sentences.ts';
import type { Statement } from './statements.ts';
import { shared } from './terms.ts';

/** The statements of one observation-to-be. */
export interface Topic {
  kind: 'main' | 'decision' | 'caveat' | 'side';
  statements: Statement[];
}

const MAX_TOPICS = 4;
/** A statement shorter than this is a remark, no record. */
const MIN_OWN = 35;

/**
 * Cuts a report into at most four topics: the matter itself, decisions, caveats and changes made by the way. A topic of its
 * own is what a later turn can take back without hiding the rest.
 */
export function topicsOf(statements: Statement[], options: { edits: boolean }): Topic[] {
  const useful = statements.filter(({ role }) => !['commit', 'outcome', 'noise'].includes(role));
  if (!options.edits) return capped(byParagraph(useful).flatMap(warningsApart));
  const main: Topic = { kind: 'main', statements: [] };
  const others: Topic[] = [];
  let last: Topic = main;
  for (const [index, statement] of useful.entries()) {
    // A report's first sentence is its matter, even when a warning hangs on it.
    const opens = index === 0 && !isCaveat(partsOf(statement.text)[0] ?? '') && statement.role === 'caveat';
    const kind = opens ? 'main' : ownKind(statement);
    if (kind === 'main' || statement.text.length < MIN_OWN) {
      // What leans on the sentence before it stays with it.
      const topic = leans(statement) ? last : main;
      topic.statements.push(statement);
      last = topic;
      continue;
    }
    if (leans(statement)) {
      last.statements.push(statement);
      continue;
    }
    const near = others.find((topic) => topic.kind === kind && isNear(topic, statement));
    if (near) near.statements.push(statement);
    else others.push({ kind, statements: [statement] });
    last = near ?? others.at(-1) ?? main;
  }
  return capped(main.statements.length > 0 ? [main, ...others] : others);
}

function ownKind({ role }: Statement): Topic['kind'] {
  return role === 'decision' || role === 'caveat' || role === 'side' ? role : 'main';
}

/** Points back: by its first word, or because it tells what was done with something named before. */
function leans({ text, spoken, role }: Statement): boolean {
  return (
    isLeaning(text) ||
    (spoken && role !== 'decision' && role !== 'side' && /^(?:\S+ ){1,3}(?:it|them|those|these)\b/u.test(text))
  );
}

/** Starts with a word that points back. */
function isLeaning(text: string): boolean {
  return /^(?:it|its|they|them|their|this|that|these|those|otherwise|so|therefore|hence|thus|then|there|he|she|both|such|instead|likewise|consequently|dadurch|dabei|deshalb|daher|darum|sonst|das|dies|diese[rs]?|es|so)\b(?![-_./])/iu.test(
    text,
  );
}

function isNear(topic: Topic, statement: Statement): boolean {
  const last = topic.statements.at(-1);
  if (!last) return false;
  if (last.block === statement.block && last.heading === statement.heading) return true;
  if (last.heading !== '' && last.heading === statement.heading) return true;
  return shared(last.terms, statement.terms) >= 3;
}

/** Without edits a report answers questions: paragraphs that share little are topics of their own. */
function byParagraph(statements: Statement[]): Topic[] {
  const topics: Topic[] = [];
  for (const statement of statements) {
    const open = topics.at(-1);
    const first = open?.statements[0];
    if (
      open &&
      first &&
      (first.block === statement.block || (statement.heading !== '' && statement.heading === first.heading))
    ) {
      open.statements.push(statement);
      continue;
    }
    const terms = new Set(open?.statements.flatMap((one) => [...one.terms]));
    if (open && statement.role === 'decision' && open.statements.some(({ role }) => role === 'decision')) {
      open.statements.push(statement);
      continue;
    }
    const apart =
      open === undefined || (length(open) >= 100 && shared(statement.terms, terms) <= 2 && !isLeaning(statement.text));
    if (apart) topics.push({ kind: topics.length === 0 ? 'main' : ownKind(statement), statements: [statement] });
    else open.statements.push(statement);
  }
  return topics;
}

/** A proposal's price is worth its own record: it still holds when the proposal is forgotten. */
function warningsApart(topic: Topic): Topic[] {
  const { statements } = topic;
  const warnings = statements.filter(({ role, text }) => role === 'caveat' && text.length >= 60 && !isLeaning(text));
  const rest = statements.filter((statement) => !warnings.includes(statement));
  const isDecision = statements.some(({ role }) => role === 'decision');
  if (!isDecision || warnings.length === 0 || rest.reduce((sum, { text }) => sum + text.length, 0) < 120)
    return [topic];
  return [
    { ...topic, statements: rest },
    { kind: 'caveat', statements: warnings },
  ];
}

/** At most four: the shortest of the surplus go back to the first. */
function capped(topics: Topic[]): Topic[] {
  if (topics.length <= MAX_TOPICS) return topics;
  const [first, ...rest] = topics;
  if (!first) return [];
  const kept = new Set([...rest].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_TOPICS - 1));
  const back = rest.filter((topic) => !kept.has(topic)).flatMap((topic) => topic.statements);
  return [{ ...first, statements: [...first.statements, ...back] }, ...rest.filter((topic) => kept.has(topic))];
}

function weight(topic: Topic): number {
  return length(topic) + { main: 100, decision: 200, side: 120, caveat: 150 }[topic.kind];
}

function length(topic: Topic): number {
  return topic.statements.reduce((sum, { text }) => sum + text.length, 0);
}
