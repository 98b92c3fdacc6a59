/** Forms of the verbs that developers report their work with, so that a sentence can change its person and stay grammatical. */

const REGULAR =
  'accept access add adapt address adjust adopt align allow alter analyse analyze annotate append apply approve archive ask assert assign assume attach audit avoid back backport bisect block boot bump bundle cache call cap capture carry cause centralise centralize change check clamp clarify clean clear clone close collapse collect combine commit compare compile complete compress compute configure confirm connect consider consolidate contain convert copy correct count cover crash create deactivate debug decide declare decode decouple decrease deduplicate default defer define delay delegate delete deliver deploy deprecate deserialise deserialize derive describe detect disable discard discover display document double downgrade drain drop dump duplicate edit embed emit empty enable encode encrypt enforce ensure escape establish estimate evaluate examine exclude execute exercise expand expect explain export expose extend extract fail fetch filter finish fix flag flatten flush follow force format forward free gate generate grant group guard handle hash hit hoist honour honor identify ignore implement import improve include increase index indent initialise initialize inject inline insert inspect install instrument integrate intercept introduce invalidate invert investigate invoke isolate iterate join jump keep key kill label leave lift limit link lint list load locate lock log look loop lower maintain manage map mark mask match measure memoise memoize mention merge migrate mirror miss mock modify monitor mount move name need normalise normalize note notice notify observe obtain occur offer omit open optimise optimize order organise organize override pack parse park pass patch pause persist pick pin place plan point poll populate port post postpone prefer prefix prepare preserve prevent print probe process produce promote propagate propose protect prove provide provision prune publish pull purge push query queue quote raise reach reason rebase rebuild receive recommend recompute reconnect record recover recreate redact reduce refactor refer reference refresh refuse register regenerate reindex reinstate reject relax release reload relocate rely remain remember remove rename render reopen reorder reorganise reorganize repair repeat replace replay report reproduce request require rerun reserve reset resolve respect respond restart restore restrict restructure resume retain retire retry return reuse revert review revise revisit revoke roll rotate round route sanitise sanitize save scale scan schedule scope search secure seed select separate serialise serialize serve share shift ship shorten show sign silence simplify skip solve sort spawn specify split stabilise stabilize stage start state stay step stop store stream strip structure stub submit subscribe suggest supply support suppress surface swap switch sync synchronise synchronize tag target test throttle tidy tighten time toggle trace track trade transform translate transliterate treat trigger trim try tune turn type unblock undo unify uninstall unlock update upgrade upload use validate vendor verify version wait walk warn watch widen wipe wire work wrap yield';

/** Base, past, participle. */
const IRREGULAR = `be was been|become became become|begin began begun|break broke broken|bring brought brought|build built built|buy bought bought
catch caught caught|choose chose chosen|come came come|cut cut cut|do did done|draw drew drawn|drive drove driven|fall fell fallen|feed fed fed
find found found|forget forgot forgotten|get got got|give gave given|go went gone|have had had|hide hid hidden|hold held held|keep kept kept
know knew known|leave left left|let let let|lose lost lost|make made made|mean meant meant|override overrode overridden|pay paid paid|put put put
read read read|rebuild rebuilt rebuilt|rerun reran rerun|reset reset reset|rewrite rewrote rewritten|run ran run|say said said|see saw seen
send sent sent|set set set|show showed shown|spend spent spent|split split split|stand stood stood|take took taken|tell told told|think thought thought
throw threw thrown|undo undid undone|understand understood understood|write wrote written`;

/** Short verbs whose last consonant doubles before -ed and -ing. */
const DOUBLED =
  /^(?:cap|clip|commit|cut|defer|drop|drag|flag|get|hit|let|log|map|begin|occur|pin|plan|prefer|put|refer|reset|rerun|rid|run|scan|set|ship|skip|split|step|stop|strip|stub|submit|swap|tag|trim|unpin|wrap|zip)$/;

interface Forms {
  base: string;
  past: string;
  participle: string;
  gerund: string;
  third: string;
}

const BY_WORD = new Map<string, { forms: Forms; kind: 'base' | 'past' | 'participle' | 'gerund' | 'third' }>();
for (const line of IRREGULAR.split(/[|\n]/u)) {
  const [base = '', past = '', participle = ''] = line.trim().split(' ');
  enter({ base, past, participle, gerund: gerundOf(base), third: thirdOf(base) });
}
for (const base of REGULAR.split(' ')) {
  const past = pastOf(base);
  enter({ base, past, participle: past, gerund: gerundOf(base), third: thirdOf(base) });
}

function enter(forms: Forms): void {
  for (const kind of ['base', 'past', 'participle', 'gerund', 'third'] as const) {
    if (!BY_WORD.has(forms[kind])) BY_WORD.set(forms[kind], { forms, kind });
  }
}

/** The -ing form of a base form. */
export function gerundOf(base: string): string {
  if (base === 'be') return 'being';
  if (/ie$/u.test(base)) return `${base.slice(0, -2)}ying`;
  if (/[^eoy]e$/u.test(base)) return `${base.slice(0, -1)}ing`;
  return DOUBLED.test(base) ? `${base}${base.at(-1)}ing` : `${base}ing`;
}

/** The form that goes with he, she and it. */
export function thirdOf(base: string): string {
  if (base === 'be') return 'is';
  if (base === 'have') return 'has';
  if (/(?:s|x|z|ch|sh|[^aeiou]o)$/u.test(base) || base === 'go' || base === 'do') return `${base}es`;
  return /[^aeiou]y$/u.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`;
}

function pastOf(base: string): string {
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/u.test(base)) return `${base.slice(0, -1)}ied`;
  return DOUBLED.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}

/** The base form of any form of a known verb; undefined for other words. */
export function baseOf(word: string): string | undefined {
  return BY_WORD.get(word.toLowerCase())?.forms.base;
}

/** The simple past of a known verb's past or participle (`written` gives `wrote`); undefined for other words. */
export function simplePastOf(word: string): string | undefined {
  const found = BY_WORD.get(word.toLowerCase());
  return found &&
    (found.kind === 'past' || found.kind === 'participle' || found.forms.participle === word.toLowerCase())
    ? found.forms.past
    : undefined;
}

/** The past participle of a base form; regular where the verb is unknown. */
export function participleOf(base: string): string {
  return BY_WORD.get(base.toLowerCase())?.forms.participle ?? pastOf(base.toLowerCase());
}

/** True for the base form of a known verb. */
export function isBaseVerb(word: string): boolean {
  const lower = word.toLowerCase();
  return BY_WORD.get(lower)?.forms.base === lower;
}

/** True for a past or participle form; known verbs only. */
export function isPastVerb(word: string): boolean {
  const lower = word.toLowerCase();
  const found = BY_WORD.get(lower);
  return found !== undefined && (found.forms.past === lower || found.forms.participle === lower);
}
