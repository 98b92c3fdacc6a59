import { LIMITS } from '../../memory/record.ts';
import { sentencesOf, weightOf } from '../../memory/sentences.ts';
import { isShortAnswer, isTakenBack, OMISSION, unitsOf } from './conclusion.ts';
import { isCourtesy, isLeaning } from './courtesy.ts';

/** A title with fewer words says little, if another sentence has more. */
const TITLE_WORDS = 6;
/** Fewer say nothing. */
const LEAST_WORDS = 4;

/** What was done about it: no more is said by the label than by what follows. */
const FIX = /^(?:the )?(?:fix|solution|result|outcome)(?: \([^)]{0,60}\))?(?:: +| was (?=\p{L}+ing )| is to )/iu;
/** The remark that the work is over, before what it was. */
const DONE = /^(?:done|finished|fixed|updated|changed|deleted|removed) ?[—–:-] +/iu;

/** What was wrong before the work, measures, remarks beside it, and the parts of a pull request, each behind its label. */
const ASIDE =
  /^(?:bugs?|(?:root )?causes?|problems?|issues?|symptoms?|before|previously|notes?|caveats?|limitations?|downsides?|risks?|warnings?|verification|tests?|branch|pr|pull request|commits?|base|title|body|status|state|links?|url|(?:with|without|before|after) [^:]{1,40})(?: \([^)]{0,60}\))?(?::| [—–] )/iu;
/** A name with its description is an entry of a list. */
const ENTRY = /^(?:`[^`]+` [—–-] |\d{1,3}[.)] )/u;

/** Words that point to what was said before, at the beginning or as an object. */
const POINTING: readonly RegExp[] = [
  /^(?:each|both|neither|none|another|others?|yes|no|right|sorry|you)\b/iu,
  /^the (?:[\w-]+ )?(?:fix(?:es)?|issues?|problems?|bugs?|errors?|failures?|causes?|reasons?|questions?|answers?|feedback|findings?|diagnosis|changes?|difference|reports?|results?|insights?|former|latter|first|second|rest|same|others?|two|three)\b(?! (?:of|in|with|for|to|behind|from|between)\b)/iu,
  /\b(?:those|these|such(?! as\b)|the (?:above|latter|former))\b/iu,
  /\b(?:for|in|of|to|by|with|on|at|from|like|after|before) (?:this|that|it|them|here)\b/iu,
  // A verb without its subject.
  /^(?:parses|runs|works|passes|means|makes|lets|gives|covers|includes|contains|uses|compiles|renders|behaves|returns|looks|seems|needs)\b/iu,
];

/** Where the work was put, and that it is done: not what it was. */
const STATUS: readonly RegExp[] = [
  /`(?=[a-f]*\d)[0-9a-f]{7,40}`|\bcommits? `?(?=[a-f]*\d)[0-9a-f]{7,40}\b|\b(?:PR|pull request) #?\d|\bmergeable\b|\bpushed\b/iu,
  /^(?:(?:i|we)(?:'ve| have)? )?(?:now |also |just |all )*(?:addressed|applied|resolved|implemented|incorporated|handled|fixed)\b(?: \S+){0,4} (?:feedback|comments?|findings?|reviews?|suggestions?|recommendations?|requests?|issues?|conflicts?|changes?|plan)\b[^,;:—–]{0,20}$/iu,
  /^(?:all|both|every\w*|the|\d+)\b[^,;:]{0,80}\b(?:is|are|was|were|has been|have been)(?: now| all| also)? (?:done|completed?|implemented|addressed|fixed|resolved|verified|applied|committed|merged)\b[^,;:—–]{0,20}$/iu,
  /^(?:all|everything)(?: \S+){0,2} (?:clean|green|pass(?:es|ed|ing)?)\b|\b(?:remains?|stays?|left) (?:un\w+|open|pending)\b/iu,
  /^no (?:diff|changes?|errors?|issues?|conflicts?|problems?|differences?)\b/iu,
];

/** The sentence of a conclusion that says alone what came of the work; empty where none does. */
export function headlineOf(conclusion: string): string {
  const units = unitsOf(conclusion).map((unit) => unit.replace(OMISSION, ''));
  const fixes = units.filter((unit) => FIX.test(unit));
  const alone = [...fixes, ...units]
    .map((unit) => capital(bare(unit).replace(FIX, '').replace(DONE, '')))
    .filter((unit) => weightOf(unit) >= LEAST_WORDS && isAlone(unit));
  return alone.find((unit) => weightOf(unit) >= TITLE_WORDS) ?? alone[0] ?? '';
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
  const [, lead = ''] = /^(.+?)[:：] .*…$/u.exec(said) ?? [];
  return weightOf(lead) >= TITLE_WORDS ? lead : said;
}

/** A sentence that lost its beginning, with a capital letter unless it begins with a name. */
function capital(sentence: string): string {
  return sentence.replace(/^\p{Ll}+(?= )/u, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));
}
