import { LIMITS, oneLine } from '../../../memory/record.ts';
import type { Draft } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { plainText } from './blocks.ts';
import type { Commit } from './commits.ts';
import { kindOf } from './kind.ts';
import { planIn } from './plan.ts';
import { sentencesOf } from './sentences.ts';
import { isLeaning, isStated, isUnfinished, type Statement, statementsIn } from './statements.ts';
import { type Headline, headlines, isHeadline, mainClauseOf } from './title.ts';
import type { Unit } from './units.ts';

/** Work that accompanies other work and says nothing about it. */
const ASIDE = /\b(?:tests?|test cases?|coverage|expectations?|wording)\b/iu;

const COMMITTED = /\bcommit(?:s|ted)?\b/iu;

/** The draft for a piece of work; undefined if nobody put into words what it was about. */
export function draftOf(unit: Unit): Draft | undefined {
  const turn = unit.turns.at(-1);
  const { given, written, before, last } = wordsOf(unit);
  const sources = unique([...written, ...before, ...last]);
  if (turn === undefined || sources.length === 0) return undefined;
  const about = matterOf(unit);
  const best = headlines(sources, about, LIMITS.title)[0] ?? anyHeadline(sources, about);
  const title = given ?? best?.text;
  if (title === undefined) return undefined;
  const others = sources.filter((one) => given !== undefined || one !== best?.of);
  const seconds = others.filter(({ text }) => ASIDE.test(title) || !ASIDE.test(text));
  const second = headlines(seconds, about, LIMITS.subtitle)[0];
  // If space is short, what holds at the end comes first; a headline that was cut short is included whole.
  const rest = unique([...written, ...last, ...before])
    .filter((one) => one.kind !== 'lead' || ([best?.of, second?.of].includes(one) && !isUnfinished(one.text)))
    .filter((one) => ![title, second?.text].includes(oneLine(one.text).replace(/\.$/u, '')));
  const narrative = fitted(rest.flatMap(({ kind, text }) => (kind === 'item' ? [] : [ended(text)])));
  const facts = factsOf(rest, unit);
  return {
    turn: turn.key,
    type: kindOf(unit, title),
    title,
    subtitle: second?.text ?? symptomIn(unit.turns),
    narrative: narrative === '' && facts.length === 0 ? ended(second?.text ?? title) : narrative,
    facts,
    concepts: [],
    files_read: [],
    files_modified: unit.edited.slice(0, LIMITS.files),
    supersedes: [],
  };
}

/** The texts about a piece of work: what was written about it, the answers before the last one, and the last. */
function wordsOf({ turns, commit }: Unit) {
  const plans = turns.map(({ prompt }) => planIn(prompt));
  return {
    /** What its author called it. */
    given: [commit?.subject ?? '', ...plans.map(({ title }) => title)].map(oneLine).find((line) => isHeadline(line)),
    written: [...statementsIn(commit?.body ?? ''), ...plans.flatMap(({ statements }) => statements)],
    // From the turns before the last one only their conclusion: the rest of what they said may have changed since.
    before: turns.slice(0, -1).flatMap((one) => statementsIn(one.reply).slice(0, 1)),
    last: statementsIn(turns.at(-1)?.reply ?? '').filter(({ text }) => !isReport(text, commit)),
  };
}

/** Tells whether a sentence only reports the commit, by its subject or its id. */
function isReport(text: string, commit: Commit | undefined): boolean {
  const names = [commit?.subject, commit?.id].filter((name) => name !== undefined);
  return names.some((name) => text.includes(name)) && COMMITTED.test(text);
}

/** If only a longer sentence names the work, the first short sentence among the same texts will do. */
function anyHeadline(sources: Statement[], about: string): Headline | undefined {
  if (headlines(sources, about, LIMITS.subtitle).length === 0) return undefined;
  for (const of of sources) {
    const text = of.kind === 'sentence' ? mainClauseOf(of.text) : undefined;
    if (text !== undefined) return { text, of };
  }
  return undefined;
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

/** The words of the request, the changed text and the file names, which a title should share. */
function matterOf({ turns, edited, asked }: Unit): string {
  const changes = turns.flatMap(({ calls }) =>
    calls.flatMap(({ change }) => (change ? [change.removed, change.added] : [])),
  );
  return [...edited, asked, ...changes].join('\n').toLowerCase();
}

/** Whole sentences, as many as there is room for. */
function fitted(sentences: string[]): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length <= LIMITS.narrative) text = longer;
  }
  return text;
}

function unique(statements: Statement[]): Statement[] {
  return statements.filter(({ text }, index) => statements.findIndex((one) => one.text === text) === index);
}

/** A prompt that answers the agent's question, or asks it to go on. */
const CONSENT = /^(?:yes|yeah|yep|ok|okay|sure|please|let's|let us|go|do|now|and|then|thanks|great|perfect)\b/iu;

/** The failure that the user saw, if the prompt states it in one sentence. */
function symptomIn(turns: Turn[]): string {
  for (const { prompt, promptFrom } of turns) {
    const line = promptFrom === 'user' ? (sentencesOf(plainText(prompt.trim().split('\n')[0] ?? ''))[0] ?? '') : '';
    if (
      line.length >= 25 &&
      line.length <= LIMITS.subtitle &&
      isStated(line) &&
      !isLeaning(line) &&
      !CONSENT.test(line)
    )
      return oneLine(line);
  }
  return '';
}
