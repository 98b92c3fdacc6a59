import { LIMITS, oneLine } from '../../memory/record.ts';
import type { Draft } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { plainText } from './blocks.ts';
import { kindOf } from './kind.ts';
import { planIn } from './plan.ts';
import { sentencesOf } from './sentences.ts';
import { isLeaning, isStated, isUnfinished, type Statement, statementsIn } from './statements.ts';
import { headlines, isHeadline } from './title.ts';
import type { Unit } from './units.ts';

/** What a piece of work is remembered by; undefined where nobody said in words what it was about. */
export function draftOf(unit: Unit): Draft | undefined {
  const { commit, edited, turns } = unit;
  const turn = turns.at(-1);
  if (turn === undefined) return undefined;
  const plans = turns.map(({ prompt }) => planIn(prompt));
  // Of the turns before the last one only what they came to: what else they said may have changed since.
  const before = turns.slice(0, -1).flatMap((one) => statementsIn(one.reply).slice(0, 1));
  const written = [...statementsIn(commit?.body ?? ''), ...plans.flatMap(({ statements }) => statements)];
  const last = statementsIn(turn.reply);
  const sources = unique([...written, ...before, ...last]);
  const about = wordsOf(unit);
  const given = [commit?.subject ?? '', ...plans.map(({ title }) => title)]
    .map(oneLine)
    .find((line) => isHeadline(line));
  const best = headlines(sources, about, LIMITS.title)[0];
  const title = given ?? best?.text;
  if (title === undefined || sources.length === 0) return undefined;
  const others = sources.filter((one) => given !== undefined || one !== best?.of);
  const subtitle = headlines(others, about, LIMITS.subtitle)[0];
  // What holds at the end comes first where not everything has room; a headline cut short stands there whole.
  const heads = [best?.of, subtitle?.of];
  const rest = unique([...written, ...last, ...before])
    .filter((one) => one.kind !== 'lead' || (heads.includes(one) && !isUnfinished(one.text)))
    .filter((one) => ![title, subtitle?.text].includes(oneLine(one.text).replace(/\.$/u, '')));
  return {
    turn: turn.key,
    type: kindOf(unit, title),
    title,
    subtitle: subtitle?.text ?? symptomIn(turns),
    narrative: fitted(
      rest.filter(({ kind }) => kind !== 'item').map(({ text }) => (/[.!]$/u.test(text) ? text : `${text}.`)),
    ),
    facts: factsOf(rest, unit),
    concepts: [],
    files_read: [],
    files_modified: edited.slice(0, LIMITS.files),
    supersedes: [],
  };
}

function factsOf(statements: Statement[], { commit, check }: Unit): string[] {
  const items = statements.filter(({ kind, text }) => kind === 'item' && text.length <= LIMITS.fact);
  const proof = [
    check === undefined ? '' : `\`${check.command}\` ${check.hadFailed ? 'failed first, then passed' : 'passed'}.`,
    commit?.id !== undefined ? `Committed as ${commit.id}.` : '',
  ].filter(Boolean);
  return [...items.map(({ text }) => text).slice(0, LIMITS.facts - proof.length), ...proof];
}

/** The words of the request, of the changed text and of the files' names, which a title should share. */
function wordsOf({ turns, edited, asked }: Unit): string {
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

/** What the user saw go wrong, where the prompt says it in one sentence. */
function symptomIn(turns: Turn[]): string {
  for (const { prompt, promptFrom } of turns) {
    const line = promptFrom === 'user' ? (sentencesOf(plainText(prompt.trim().split('\n')[0] ?? ''))[0] ?? '') : '';
    if (line.length >= 25 && line.length <= LIMITS.subtitle && isStated(line) && !isLeaning(line)) return line;
  }
  return '';
}
