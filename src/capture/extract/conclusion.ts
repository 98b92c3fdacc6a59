import { clampClause } from '../../memory/clamp.ts';
import { oneLine } from '../../memory/record.ts';
import { sentencesOf, weightOf } from '../../memory/sentences.ts';
import { isContrary, isCourtesy, isLeaning } from './courtesy.ts';
import { plainText, proseIn } from './prose.ts';

/** Below this, in characters, a conclusion goes on with the next paragraph. */
const SHORT = 120;

/** Fewer words, or half as many characters without spaces, are a remark such as "Done." in any language. */
export const LEAST_WORDS = 4;
/** A lead to a list with fewer, such as "I changed two files:", says nothing without the list. */
const LEAD_WORDS = 6;

const END = /[.!。！…]["'”’»)*`]*$/u;

const QUESTION = /[?？؟]["'”’»)*`]*$/u;

/** Something done, as the first words say. */
const DEED =
  /^(?:(?:i|we)(?:['’]ve| have)? )?(?:now |also |just )*(?:add|adjust|allow|bump|chang|clean|configur|consolidat|convert|cop|correct|creat|delet|disabl|document|drop|enabl|extend|extract|fix|generat|implement|improv|increas|introduc|limit|merg|migrat|mov|normali[sz]|port|prevent|reduc|refactor|remov|renam|replac|restor|revert|rework|simplif|switch|tighten|updat|upgrad|wrapp)(?:p?i?ed)\b|^(?:(?:i|we)(?:['’]ve| have)? )?(?:made|built|rewrote|split) /iu;
/** A remark beside what an answer says. */
const REMARK = /^(?:(?:side )?notes?|caveats?|limitations?|downsides?|verification)\b[^:]{0,10}:/iu;

/** A name before what is said of it in a list. */
export const NAME = /^`[^`]+`(?: [—–-]|:) /u;

/**
 * What an answer says about the work: whole sentences within `max` characters from the first paragraph that has any, and
 * from those after it while that is short; one that alone is longer is cut at a clause. Of a list that
 * nothing but courtesy announces, the first entry that tells of something done. Empty where it says nothing else.
 */
export function conclusionOf(message: string, max = Number.POSITIVE_INFINITY): string {
  const paragraphs = partsOf(message);
  // A person may leave out the end mark of a single line; else a line without one is a label.
  const isOne = paragraphs.filter((paragraph) => paragraph !== GAP).length === 1;
  let text = '';
  let isFollowing = true;
  for (const paragraph of paragraphs) {
    if (text.length >= SHORT) break;
    // A lead may have told it.
    if (paragraph.isDeed && text.includes(paragraph.text)) continue;
    isFollowing &&= paragraph !== GAP || text === '';
    for (const unit of unitsOf(paragraph.text)) {
      // What follows a question answers it, or is offered with it.
      if (QUESTION.test(unit)) {
        if (text !== '') return text;
        break;
      }
      const lead = leadIn(unit, paragraph.entry, text === '');
      // Without a short sentence between them, two others may say the opposite.
      const states = isFollowing && text !== '' ? isStatement : isConclusive;
      const before = text === '' || END.test(text) ? text : `${text}…`;
      const mark = isFollowing || /(?:^|…)$/u.test(before) ? '' : OMISSION;
      const longer = `${before} ${mark}${lead ?? unit}`.trimStart();
      const isTaken: boolean =
        (lead !== undefined || (states(unit) && (isOne || paragraph.isDeed || END.test(unit)))) &&
        (isFollowing || !isLeaning(unit)) &&
        !(REMARK.test(unit) && (text === '' || !isFollowing)) &&
        !(text === '' && longer.length > max && isTakenBack(unit));
      if (isTaken) {
        // A sentence that does not fit ends what is told.
        if (longer.length > max) return text || clampClause(longer, max);
        text = longer;
      }
      // What follows a lead stands behind its list.
      isFollowing = isTaken && lead === undefined;
    }
  }
  return text;
}

/** The sentences of a paragraph; one stays with the next that takes it back, and a short answer with its reason. */
export function unitsOf(paragraph: string): string[] {
  const units: string[] = [];
  for (const sentence of sentencesOf(paragraph)) {
    const isReason =
      units.length === 1 && isShortAnswer(units[0] ?? '') && !(/[:：]$/u.test(sentence) && isCourtesy(sentence));
    const isPart = isReason || isContrary(sentence);
    const before = isPart ? units.pop() : undefined;
    units.push(before === undefined ? sentence : `${before} ${sentence}`);
  }
  return units;
}

/** Tells whether the later part of a unit takes the earlier back. */
export function isTakenBack(unit: string): boolean {
  return sentencesOf(unit).slice(1).some(isContrary);
}

/** "No." or "Not by itself.": what follows says why. An exclamation answers nothing. */
export function isShortAnswer(sentence: string): boolean {
  const isShort = weightOf(sentence) < LEAST_WORDS && /[.。]$/u.test(sentence) && !DEED.test(sentence);
  return isShort && isStatement(sentence) && !isLeaning(sentence);
}

/** A sentence that goes on in a list or in code, with the first entry, if it opens an answer or tells of something done. */
function leadIn(sentence: string, entry: string | undefined, isOpening: boolean): string | undefined {
  if (!/[^:]:$/u.test(sentence)) return undefined;
  const isDeed = weightOf(sentence) >= LEAD_WORDS && (DEED.test(sentence) || /\bnow\b/iu.test(sentence));
  const lead = entry === undefined ? sentence.replace(/:$/u, '…') : `${sentence} ${entry}…`;
  return (isDeed || isOpening) && isConclusive(lead) ? lead : undefined;
}

/** Tells whether a sentence states something by itself: no remark of a few words. */
export function isConclusive(sentence: string): boolean {
  return isStatement(sentence) && weightOf(sentence) >= LEAST_WORDS;
}

/** Tells whether a sentence is no question, no lead to a list and no courtesy. */
function isStatement(sentence: string): boolean {
  return (
    /^[\p{L}\p{N}`"'“„«([@#$~]/u.test(sentence) && !/[?？؟:：]["'”’»)*`]*$/u.test(sentence) && !isCourtesy(sentence)
  );
}

/** A paragraph of prose on one plain line. `entry`: the first of the list, or the label, that it announces. */
interface Paragraph {
  text: string;
  entry?: string;
  /** An entry of a list that tells of something done. */
  isDeed?: boolean;
}

/** A list, code or a heading between paragraphs. */
const GAP: Paragraph = { text: '' };

/** Stands before a sentence of a conclusion where something before it is left out. */
export const OMISSION = '[…] ';

/** The paragraphs of prose, what is between them as `GAP`, and what lists tell of something done, each as one plain line. */
function partsOf(message: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let lines: string[] = [];
  let isList = false;
  const plain = (text: string) => oneLine(plainText(text));
  const close = () => {
    const text = plain(lines.join(' '));
    const last = paragraphs.at(-1);
    if (last && last !== GAP && text !== '' && (isContrary(text) || isShortAnswer(last.text))) last.text += ` ${text}`;
    else if (text !== '') paragraphs.push({ text });
    lines = [];
  };
  for (const { kind, text } of proseIn(message)) {
    if (kind === 'words') {
      if (!isList) lines.push(text.trim());
      continue;
    }
    close();
    const last = paragraphs.at(-1);
    const [entry = ''] = sentencesOf(plain(text));
    const told = entry.replace(/[.:;,]$/u, '');
    // A name alone says nothing.
    if ((kind === 'item' || kind === 'label') && last?.text.endsWith(':') && weightOf(entry) > 1) last.entry = told;
    if (kind === 'item' && isDeed(entry) && isUnannounced(paragraphs)) paragraphs.push({ text: told, isDeed: true });
    if (kind !== 'blank') paragraphs.push(GAP);
    // An item goes on in the lines right below it.
    isList = kind === 'item';
  }
  close();
  return paragraphs;
}

function isDeed(entry: string): boolean {
  return DEED.test(entry.replace(NAME, '')) && isConclusive(entry);
}

/** Tells whether a list is the first, and nothing but courtesy, or a label, says what it lists. */
function isUnannounced(before: readonly Paragraph[]): boolean {
  const [lead = ''] = sentencesOf(before.findLast((one) => one !== GAP)?.text ?? '').slice(-1);
  const isLead = lead.endsWith(':') && weightOf(lead) >= LEAST_WORDS && !isCourtesy(lead);
  return !isLead && !before.some((one) => one.isDeed);
}
