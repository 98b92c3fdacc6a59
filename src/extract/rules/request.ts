import type { Turn } from '../turn.ts';
import { blocksOf } from './blocks.ts';
import { isAgreeable, withoutOpener } from './roles.ts';
import { clauseBreaks, sentencesOf } from './sentences.ts';
import { givesOrders } from './statements.ts';
import { identifiersIn, termsIn } from './terms.ts';
import { isBaseVerb } from './verbs.ts';
import { isFirstPerson, neutralise } from './voice.ts';

/** What the user wanted, without greeting and first person. */
export interface Request {
  /** One short phrase; empty where the prompt asks for nothing. */
  phrase: string;
  /** How the user described what is wrong; empty where he did not. */
  symptom: string;
  isQuestion: boolean;
}

const NOTHING: Request = { phrase: '', symptom: '', isQuestion: false };
const ASK =
  /^(?:(?:can|could|would|will|should|shall) (?:you|we|i) (?:please )?|please |pls |bitte |kannst du (?:bitte )?|könntest du (?:bitte )?|können sie (?:bitte )?|(?:we|i) (?:have|need|want|would like|'d like) (?:you )?to |(?:we|i) (?:should|must) |let's |go ahead and |peux-tu |pourrais-tu |puedes |por favor )+/iu;
const JOINT = /^(?:(?:now|just|then|next|also|and|so|und|jetzt|dann|et|y)[\s,]+)+/iu;
const PROBLEM =
  /\b(?:wrong|broken|fails?|failing|failed|errors?|crash\w*|random|missing|lost|stuck|hangs?|twice|duplicate[sd]?|slow|garbage|leak\w*|gets?|get|never|not|nothing|instead|doesn't|don't|can't|cannot|since|looks?|become|timeout|[45]\d\d|kaputt|fehler\w*|falsch|nicht|doppelt|langsam|stürzt|bleibt)\b|�/iu;
const MAX = 160;

/** Reads the user's prompt; a machine's prompt asks for nothing. */
export function requestOf(turn: Turn): Request {
  if (turn.promptFrom === 'machine') return NOTHING;
  const sentences = blocksOf(turn.prompt.slice(0, 6000))
    .flatMap(({ text }) => sentencesOf(text))
    .map((sentence) =>
      withoutOpener(sentence)
        .replace(/^(?:(?:ok|okay|yes|good|great|thanks|thx|ja|gut|danke)\s+)+(?=\S)/iu, '')
        .replace(/(?<![.\s])[.\s]+$/u, ''),
    )
    .filter((sentence) => sentence !== '' && !givesOrders(sentence) && !isAgreeable(sentence) && !isApproval(sentence))
    .slice(0, 12);
  const isQuestion = sentences.some((sentence) => /[?？]$/u.test(sentence));
  const asks = sentences
    .filter((sentence) => isAsk(sentence) && !/^(?:stop|wait|hold on|halt|stopp|warte)\b/iu.test(sentence))
    .map(asked)
    .filter(Boolean);
  const symptom =
    sentences
      .filter(
        (sentence) => !isAsk(sentence) && !/^(?:should|must|shall|soll)\b/iu.test(sentence) && PROBLEM.test(sentence),
      )
      .map(plain)
      .find((text) => text.length >= 20 && text.length <= 200) ?? '';
  const [ask = ''] = asks
    .filter((text) => termsIn(text).size >= 2 && !isConstraint(text))
    .map((text) => pointed(text, sentences));
  const [any = ''] = asks.filter((text) => !isConstraint(text));
  if (/^(?!fix)\p{L}+$/iu.test(ask) && symptom !== '') return { phrase: shortened(symptom), symptom, isQuestion };
  if (ask !== '') {
    // "Fix it" says little without what is broken.
    const matter =
      symptom ||
      (sentences
        .filter((sentence) => !isAsk(sentence))
        .map(plain)
        .find((text) => text.length >= 15 && text.length <= 120 && !isConstraint(text)) ??
        '');
    const isVague =
      /\bwhat(?:'s| is) (?:going on|wrong|up|happening)|^(?:why|how come|warum|wieso|pourquoi|por qué)[?？]?$/iu.test(
        ask,
      );
    if (isVague && matter !== '') return { phrase: shortened(matter), symptom, isQuestion };
    const needs =
      (/^(?:\S+ ){0,3}(?:it|this|that|them|es|das)\b|\b(?:it|this|that|them)$/iu.test(ask) || termsIn(ask).size < 3) &&
      ask.length < 60 &&
      matter !== '';
    return { phrase: shortened(needs ? `${ask}: ${lower(matter)}` : ask), symptom, isQuestion };
  }
  if (symptom !== '')
    return { phrase: shortened(any === '' ? symptom : `${any}: ${lower(symptom)}`), symptom, isQuestion };
  const [first = '', second = ''] = sentences.map(plain).filter((text) => termsIn(text).size >= 1);
  const both = second !== '' && first.length + second.length < 120 ? `${first}; ${lower(second)}` : first;
  return { phrase: shortened(both || any), symptom, isQuestion };
}

function isApproval(sentence: string): boolean {
  return /^(?:good|great|nice|perfect|ok(?:ay)?|yes|yep|no|thanks?|thank you|cool|super|gut|ja|nein|danke|passt|makes sense|ok makes sense|sounds good|looks good|lgtm|go ahead|do it|continue|go on|weiter|mach weiter|proceed)[\s!.]*$/iu.test(
    sentence,
  );
}

/** "Don't change anything" limits the work and does not name it. */
function isConstraint(text: string): boolean {
  return /^(?:don't|do not|without|no) (?:change|touch|edit|code|modify|commit|write|run)\b|^read[- ]only\b(?!.*\?)/iu.test(
    text,
  );
}

/** Puts the name of the file before it in place of "it": "split it" gives "split src/store.js". */
function pointed(ask: string, sentences: string[]): string {
  const [file] = sentences.flatMap((sentence) => [...identifiersIn(sentence)].filter((name) => /[/.]/u.test(name)));
  if (file === undefined || ask.includes(file)) return ask;
  return ask
    .replace(/^(\p{L}+) it\b/u, `$1 ${file}`)
    .replace(/^(Split|Break|Move|Divide) (?=(?:by|into|up|out)\b)/u, `$1 ${file} `);
}

function isAsk(sentence: string): boolean {
  const joined = sentence.replace(JOINT, '');
  const bare = joined.replace(ASK, '');
  const [first = ''] = bare.split(/\s/u);
  return (
    bare !== joined ||
    /[?？]$/u.test(sentence) ||
    isBaseVerb(first.replace(/[,:]$/u, '')) ||
    /\b(?:please|pls|bitte)$/iu.test(sentence) ||
    /^(?:don't|do not|never)\b/iu.test(sentence)
  );
}

function asked(sentence: string): string {
  const isPolite = /^(?:can|could|would|will|should|shall) (?:you|we|i)\b|^(?:kannst|könntest) du\b/iu.test(sentence);
  let bare = sentence
    .replace(JOINT, '')
    .replace(ASK, '')
    .replace(/(?<![,\s])[,\s]+(?:please|pls|bitte)$/iu, '')
    .replace(/^(?:fix|behebe) please$/iu, 'fix');
  if (isPolite) bare = bare.replace(/[?？]$/u, '');
  return plain(bare);
}

function plain(sentence: string): string {
  const isOpen = /[?？]$/u.test(sentence);
  const said = isFirstPerson(sentence) ? (neutralise(sentence)[0] ?? '') : sentence;
  // In a report "we" means the program, in a request the people with it.
  const tidy = said.replace(JOINT, '').replace(/(?<![,\s])[,\s]+(?:please|pls|bitte)$/iu, '');
  const text = /\bthe code\b/iu.test(sentence) ? tidy : tidy.replace(/\b([Tt])he code\b/gu, '$1he project');
  const short = text.replace(/^Still to do: /u, '').replace(/(?<![.\s])[.\s]+$/u, '');
  if (short === '') return '';
  const end = isOpen && !short.endsWith('?') ? `${short}?` : short;
  return /^\p{Ll}+(?=[\s,:?]|$)/u.test(end) ? end.charAt(0).toUpperCase() + end.slice(1) : end;
}

function lower(text: string): string {
  return /^\p{Lu}\p{Ll}+(?:\s|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Cut at a clause, so that it stays a phrase; empty where no clause is short enough. */
function shortened(text: string): string {
  if (text.length <= MAX) return text;
  const cut = clauseBreaks(text).findLast(({ at }) => at >= 20 && at <= MAX);
  return cut ? text.slice(0, cut.at).replace(/(?<![\s,;:])[\s,;:]+$/u, '') : '';
}
