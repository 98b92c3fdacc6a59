import { withoutHanging } from '../../memory/clamp.ts';
import { LIMITS } from '../../memory/record.ts';
import { sentencesOf, weightOf } from '../../memory/sentences.ts';
import { isShortAnswer, isTakenBack, LEAST_WORDS, NAME, OMISSION, unitsOf } from './conclusion.ts';
import { isCourtesy, isLeaning } from './courtesy.ts';

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
