import { clampClause, withoutHanging } from '../../memory/clamp.ts';
import { markdownLines } from '../../memory/markdown-lines.ts';
import { LIMITS, oneLine } from '../../memory/record.ts';
import { sentencesOf, weightOf } from '../../memory/sentences.ts';
import { COMMENT, withoutParts } from '../../privacy/sanitise.ts';
import { plainText } from './blocks.ts';
import { isContrary, isCourtesy, isLeaning } from './courtesy.ts';

/** Characters beyond any message that a person would read; the rest is left out. */
const MAX_CHARS = 40_000;

/** Below this, in characters, a conclusion goes on with the next paragraph. */
const SHORT = 120;

/** Fewer words, or half as many characters without spaces, are a remark such as "Done." in any language. */
const LEAST_WORDS = 4;
/** A lead to a list with fewer, such as "I changed two files:", says nothing without the list. */
const LEAD_WORDS = 6;

const END = /[.!。！…]["'”’»)*`]*$/u;

const QUESTION = /[?？؟]["'”’»)*`]*$/u;

const ITEM = /^\s{0,12}(?:[-*+•]|`?\d{1,3}[.)]`?)\s+/u;
/** Rows of tables, rules, quotations, a host's directive to its own window, and indented code. */
const NO_PROSE = /^\s*\|.*\|\s*$|^[\s|:*_=-]+$|^\s{0,3}>|^::[\w-]+\{|^(?: {4}|\t)/u;
/** A label in bold type on a line of its own. */
const BOLD_LINE = /^\s{0,3}\*\*[^*]{2,80}\*\*:?\s*$/u;

/** Something done, as the first words say. */
const DEED =
  /^(?:(?:i|we)(?:['’]ve| have)? )?(?:now |also |just )*(?:add|adjust|allow|bump|chang|clean|configur|consolidat|convert|cop|correct|creat|delet|disabl|document|drop|enabl|extend|extract|fix|generat|implement|improv|increas|introduc|limit|merg|migrat|mov|normali[sz]|port|prevent|reduc|refactor|remov|renam|replac|restor|revert|rework|simplif|switch|tighten|updat|upgrad|wrapp)(?:p?i?ed)\b|^(?:(?:i|we)(?:['’]ve| have)? )?(?:made|built|rewrote|split) /iu;
/** A remark beside what an answer says. */
const REMARK = /^(?:(?:side )?notes?|caveats?|limitations?|downsides?|verification)\b[^:]{0,10}:/iu;

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
function unitsOf(paragraph: string): string[] {
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
function isTakenBack(unit: string): boolean {
  return sentencesOf(unit).slice(1).some(isContrary);
}

/** "No." or "Not by itself.": what follows says why. An exclamation answers nothing. */
function isShortAnswer(sentence: string): boolean {
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
const OMISSION = '[…] ';

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
  const prose = withoutParts(message.slice(0, MAX_CHARS), { ...COMMENT, unclosed: 'dropped' });
  for (const { kind, text } of markdownLines(prose.split('\n'))) {
    const isProse = kind === 'text' && text.trim() !== '';
    const isItem = isProse && ITEM.test(text);
    const isLabel = BOLD_LINE.test(text);
    if (!isProse || isLabel || NO_PROSE.test(text) || isItem) {
      close();
      const last = paragraphs.at(-1);
      const [entry = ''] = sentencesOf(plain(text.replace(ITEM, '')));
      // A name alone says nothing.
      if ((isItem || isLabel) && last?.text.endsWith(':') && weightOf(entry) > 1)
        last.entry = entry.replace(/[.:;,]$/u, '');
      const isTold = isItem && isDeed(entry) && isUnannounced(paragraphs);
      if (isTold) paragraphs.push({ text: entry.replace(/[.:;,]$/u, ''), isDeed: true });
      if (text.trim() !== '') paragraphs.push(GAP);
      // An item goes on in the lines right below it.
      isList = isItem;
    } else if (!isList) lines.push(text.trim());
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

/** Fewer say nothing without what follows. */
const TITLE_WORDS = 6;
/** Fewer may tell that something was done and not what, unless they name something. */
const TELLING_WORDS = 9;

/** What was done about it: no more is said by the label than by what follows. */
const FIX =
  /^(?:the )?(?:fix|solution|result|outcome)(?: \([^)]{0,60}\))?(?:: +| was (?=\p{L}+ing )| is to | (?=\p{L}+s (?!to be\b)))/iu;

/** What was wrong before the work, measures, remarks beside it, and the parts of a pull request, each behind its label. */
const ASIDE =
  /^(?:bugs?|(?:root )?causes?|problems?|issues?|symptoms?|before|previously|notes?|caveats?|limitations?|downsides?|risks?|warnings?|verification|tests?|branch|pr|pull request|commits?|base|title|body|status|state|links?|url|(?:with|without|before|after) [^:]{1,40})(?: \([^)]{0,60}\))?(?::| [—–] )/iu;
/** A name before what is said of it in a list. */
const NAME = /^`[^`]+`(?: [—–-]|:) /u;
/** An entry of a list. */
const ENTRY = new RegExp(`${NAME.source}|^\\d{1,3}[.)] `, 'u');

/** Words that point to what was said before, at the beginning or as an object. */
const POINTING: readonly RegExp[] = [
  /^(?:each|both|neither|none|another|others?|yes|no|right|sorry|you)\b/iu,
  /\b(?:those|these|such(?! as\b)|the (?:above|latter|former))\b/iu,
  /\b(?:for|in|of|to|by|with|on|at|from|like|after|before) (?:this|that|it|them|here)\b/iu,
  // A verb without its subject.
  /^(?:parses|runs|works|passes|means|makes|lets|gives|covers|includes|contains|uses|compiles|renders|behaves|returns|looks|seems|needs)\b/iu,
];

/** Where the work was put, and that it is done: not what it was. */
const STATUS: readonly RegExp[] = [
  /`(?=[a-f]*\d)[0-9a-f]{7,40}`|\bcommits? `?(?=[a-f]*\d)[0-9a-f]{7,40}\b|^(?:\S+ ){0,3}(?:PR|pull request) #?\d|\bmergeable\b|^(?:(?:i|we) )?pushed\b/iu,
  /^(?:all|both|every\w*|the|\d+)\b[^,;:]{0,80}\b(?:is|are|was|were|has been|have been)(?: now| all| also)? (?:done|completed?|implemented|addressed|fixed|resolved|verified|applied|committed|merged)\b[^,;:—–]{0,20}$/iu,
];

/** The sentence of a conclusion that says alone what came of the work; empty where none does. */
export function headlineOf(conclusion: string): string {
  const units = unitsOf(conclusion).map((unit) => unit.replace(OMISSION, ''));
  const fixes = units.filter((unit) => FIX.test(unit));
  const alone = [...fixes, ...units]
    .map((unit) => capital(bare(unit).replace(FIX, '')))
    .filter((unit) => (weightOf(unit) >= TITLE_WORDS || isTelling(unit)) && isAlone(unit));
  return alone.find(isTelling) ?? alone[0] ?? '';
}

/** What a conclusion says beside the work, where nothing else is a title: a cause, an entry of a list. */
export function asideOf(conclusion: string): string {
  const said = unitsOf(conclusion).map((unit) => unit.replace(OMISSION, ''));
  const entries = said.map((unit) => capital(unit.replace(LISTED, '').replace(NAME, '')));
  return entries.find((unit) => isTelling(unit) && !isLeaning(unit) && !isPointing(unit)) ?? '';
}

/** What announces an entry that has a name. */
const LISTED = new RegExp(`^.*: (?=${NAME.source.slice(1)})`, 'u');

function isTelling(sentence: string): boolean {
  const weight = weightOf(sentence);
  return weight >= TELLING_WORDS || (weight >= LEAST_WORDS && sentence.includes('`'));
}

function isPointing(sentence: string): boolean {
  return POINTING.some((pattern) => pattern.test(sentence));
}

/** Tells whether a sentence says what came of the work without the sentences around it. */
function isAlone(unit: string): boolean {
  const patterns = [ASIDE, ENTRY, ...POINTING, ...STATUS];
  const isWhole = !isTakenBack(unit) || unit.length <= LIMITS.title;
  return isWhole && !isLeaning(unit) && !isCourtesy(unit) && !patterns.some((pattern) => pattern.test(unit));
}

/** A sentence without a remark before it, such as "Done." in any language, and without the entry of a list that it announces. */
function bare(unit: string): string {
  const [first = '', ...rest] = sentencesOf(unit);
  const said = rest.length > 0 && isShortAnswer(first) ? rest.join(' ') : unit;
  const lead = said.endsWith('…') ? said.slice(0, Math.max(0, said.search(/[:：] /u))) : '';
  return weightOf(lead) >= TITLE_WORDS ? withoutHanging(lead) : said;
}

/** A sentence that lost its beginning, with a capital letter unless it begins with a name. */
export function capital(sentence: string): string {
  return sentence.replace(/^\p{Ll}+(?= )/u, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));
}
