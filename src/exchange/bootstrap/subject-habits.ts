/** The verbs that most subjects begin with, from which their forms are made. */
const VERBS =
  'add fix remove update change make use move rename allow support improve handle implement introduce create refactor replace drop bump revert document clean merge avoid prevent ensure enable disable correct test show set check convert extract simplify rework';

const DOUBLED = new Set(['drop', 'set']);

/** A habit: this share of the subjects that show a form, if at least so many do; above the last, nearly all do. */
const MOST = 0.75;
const LEAST = 25;
const NEARLY_ALL = 0.9;

const [IMPERATIVE, PAST, PRESENT] = formsOf(VERBS.split(' '));

/** The prevailing mood of the subjects' first words, if any, and its share among the subjects that show one. */
export function tenseOf(
  subjects: string[],
): { words: string; share: number; isSo(subject: string): boolean } | undefined {
  const first = subjects.map(firstWord);
  const forms: [string, Set<string>][] = [
    ['in the imperative, as in "add"', IMPERATIVE],
    ['in the past tense, as in "added"', PAST],
    ['in the present tense, as in "adds"', PRESENT],
  ];
  const counts = forms.map(([words, set]) => ({ words, set, n: first.filter((word) => set.has(word)).length }));
  const telling = counts.reduce((sum, { n }) => sum + n, 0);
  const best = counts.toSorted((a, b) => b.n - a.n)[0];
  if (best === undefined || telling < LEAST || best.n < telling * MOST) return undefined;
  return { words: best.words, share: best.n / telling, isSo: (subject) => best.set.has(firstWord(subject)) };
}

function firstWord(subject: string): string {
  return /^[^\p{L}]*(\p{L}+)/u.exec(afterPrefix(subject))?.[1]?.toLowerCase() ?? '';
}

/** Other things that nearly all subjects have in common: first letter, full stop, language. */
export function habitsOf(subjects: string[]): string[] {
  const rests = subjects.map(afterPrefix).filter((rest) => /^\p{L}/u.test(rest));
  const lower = rests.filter((rest) => /^\p{Ll}/u.test(rest)).length / Math.max(1, rests.length);
  const stops = subjects.filter((subject) => subject.endsWith('.')).length / Math.max(1, subjects.length);
  const language = languageOf(subjects);
  const habits: string[] = [];
  if (lower >= NEARLY_ALL) habits.push('begin in lower case');
  if (lower <= 1 - NEARLY_ALL && rests.length > 0) habits.push('begin with a capital');
  if (stops >= NEARLY_ALL) habits.push('end with a full stop');
  if (language !== undefined) habits.push(`write ${language}`);
  return habits;
}

const LANGUAGES: [string, RegExp][] = [
  ['Chinese', /^(?!.*[\p{Script=Hiragana}\p{Script=Katakana}]).*\p{Script=Han}{2}/u],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]{2}/u],
  ['Korean', /\p{Script=Hangul}{2}/u],
  ['Russian', /\p{Script=Cyrillic}{3}/u],
  ['German', /\b(?:und|für|nicht|der|das|eine?|behebt|hinzugefügt|füge|entfernt?)\b/iu],
  ['French', /\b(?:ajoute?|ajout|supprime|pour|les|des|corrige|mise à jour|dans)\b/iu],
  ['Spanish', /\b(?:agrega|añade|elimina|para|los|las|corrige|actualiza)\b/iu],
];

/** The language of more than half of the subjects, unless it goes without saying. */
function languageOf(subjects: string[]): string | undefined {
  return LANGUAGES.find(([, pattern]) => {
    return subjects.filter((subject) => pattern.test(subject)).length > subjects.length / 2;
  })?.[0];
}

function afterPrefix(subject: string): string {
  return subject.replace(/^(?:\[[^\]]{1,30}\]\s*)?(?:[\w./*-]{1,30}(?:\([^)]{1,40}\))?!?: )?/, '');
}

function formsOf(verbs: string[]): [Set<string>, Set<string>, Set<string>] {
  const irregular: Record<string, string> = { make: 'made', show: 'showed', set: 'set' };
  const past = verbs.map((verb) => {
    if (irregular[verb]) return irregular[verb];
    if (DOUBLED.has(verb)) return `${verb}${verb.at(-1)}ed`;
    if (verb.endsWith('e')) return `${verb}d`;
    return verb.endsWith('y') ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
  });
  const present = verbs.map((verb) => (/(?:x|sh|ch|ss)$/.test(verb) ? `${verb}es` : `${verb}s`));
  return [new Set(verbs), new Set(past), new Set(present)];
}
