import { LIMITS, oneLine } from '../../../memory/record.ts';
import type { Draft } from '../extractor.ts';
import { planIn, requestIn } from './request.ts';
import { isLeaning, isStated, type Statement, statementsIn } from './statements.ts';
import { headlines, isHeadline } from './title.ts';
import type { Unit } from './units.ts';

/** The draft for a piece of work; undefined if nobody put into words what it was about. */
export function draftOf(unit: Unit): Draft | undefined {
  const last = unit.turns.at(-1);
  const sources = statementsAbout(unit);
  if (last === undefined || sources.length === 0) return undefined;
  const plans = unit.turns.map(({ prompt }) => planIn(prompt).title);
  const given = [unit.commit?.subject ?? '', ...plans].map(oneLine).find((line) => isHeadline(line));
  const about = matterOf(unit);
  const best = headlines(sources, about, LIMITS.title)[0];
  const title = given ?? best?.text;
  if (title === undefined) return undefined;
  const others = sources.filter((one) => given !== undefined || one !== best?.of);
  const second = headlines(others, about, LIMITS.subtitle)[0];
  // What a headline says in full is not repeated, except where the next sentence refers to it.
  const isSaid = (text: string) => [title, second?.text].includes(oneLine(text).replace(/\.$/u, ''));
  const rest = sources.filter(({ text }, index) => !isSaid(text) || isLeaning(sources[index + 1]?.text ?? ''));
  const narrative = fitted(rest.filter(({ kind }) => kind === 'sentence'));
  const facts = factsOf(rest, unit);
  return {
    turn: last.key,
    type: typeOf(unit, title),
    title,
    subtitle: second?.text ?? symptomIn(unit),
    narrative: narrative === '' && facts.length === 0 ? ended(second?.text ?? title) : narrative,
    facts,
    concepts: [],
    files_read: [],
    files_modified: unit.edited.slice(0, LIMITS.files),
    supersedes: [],
  };
}

/** What was written about the work, what its last answer says, and the conclusions of the answers before. */
function statementsAbout({ turns, commit }: Unit): Statement[] {
  const written = [...statementsIn(commit?.body ?? ''), ...turns.flatMap(({ prompt }) => planIn(prompt).statements)];
  // The rest of what earlier answers said may have changed since.
  const before = turns.slice(0, -1).flatMap(({ reply }) => statementsIn(reply).slice(0, 1));
  const all = [...written, ...statementsIn(turns.at(-1)?.reply ?? ''), ...before];
  const isReport = (text: string) =>
    commit !== undefined && [commit.subject, commit.id ?? '\n'].some((name) => text.includes(name));
  return all.filter(({ text }, index) => !isReport(text) && all.findIndex((one) => one.text === text) === index);
}

function ended(sentence: string): string {
  return /[.!]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function factsOf(statements: Statement[], { commit, check }: Unit): string[] {
  const items = statements.filter(({ kind, text }) => kind === 'item' && text.length <= LIMITS.fact);
  const proof = [
    check === undefined ? '' : `\`${check.command}\` ${check.hadFailed ? 'failed first, then passed' : 'passed'}.`,
    commit?.id !== undefined ? `Committed as ${commit.id}.` : '',
  ].filter(Boolean);
  return [...items.map(({ text }) => text).slice(0, LIMITS.facts - proof.length), ...proof];
}

/** Tells whether a fact is evidence as `factsOf` words it: every turn that ran a check repeats the check's result. */
export function isProof(fact: string): boolean {
  return /^`.+` (?:failed first, then )?passed\.$|^Committed as [0-9a-f]+\.$/.test(fact);
}

/** The words of the requests, the changed text and the file names, which a title should share. */
function matterOf({ turns, edited, asked }: Unit): string {
  const changes = turns.flatMap(({ calls }) =>
    calls.flatMap(({ change }) => [change?.removed ?? '', change?.added ?? '']),
  );
  return [...edited, ...asked, ...changes].join('\n').toLowerCase();
}

/** Whole sentences, as many as there is room for. */
function fitted(sentences: Statement[]): string {
  return sentences.reduce((text, one) => {
    const longer = `${text} ${ended(one.text)}`.trim();
    return longer.length <= LIMITS.narrative ? longer : text;
  }, '');
}

/** An answer to the agent, which is about what it said or did last. */
const ANSWER =
  /^(?:still|yes|yeah|yep|no|ok|okay|sure|please|let's|let us|go|do|now|and|then|thanks|great|perfect)\b/iu;

/** The failure that the user saw, if a request states it in one sentence. */
function symptomIn({ turns }: Unit): string {
  const isSymptom = (line: string) => isHeadline(line, LIMITS.subtitle) && isStated(line) && !ANSWER.test(line);
  return oneLine(turns.map(({ prompt }) => requestIn(prompt)).find(isSymptom) ?? '');
}

const TYPES: [RegExp, string][] = [
  [/^(?:fix|bugfix|hotfix)(?:e[sd])?\b/iu, 'bugfix'],
  [/^feat(?:ure)?\b|^(?:add|introduce|implement|support)(?:s|ed)?\b/iu, 'feature'],
  [/^(?:refactor|rename|split|extract|unify|move|simplify|restructure)(?:s|e?d)?\b/iu, 'refactor'],
  [/^security\b/iu, 'security'],
];

const TROUBLE = /\b(?:bugs?|fix|fails?|failing|failed|broken|errors?|crash\w*|wrong|bypass\w*|regression|flaky)\b/iu;

/** What its title says it is, else whether it was about a failure. */
function typeOf({ check, asked }: Unit, title: string): string {
  const isFix = check !== undefined && (check.hadFailed || asked.some((prompt) => TROUBLE.test(prompt)));
  return TYPES.find(([pattern]) => pattern.test(title))?.[1] ?? (isFix ? 'bugfix' : 'change');
}
