import { LIMITS } from '../../memory/record.ts';
import type { Draft, Earlier } from '../extractor.ts';
import { conceptsOf } from './concepts.ts';
import { sentencesOf } from './sentences.ts';
import type { Statement } from './statements.ts';
import { identifiersIn, shared, termsIn } from './terms.ts';

/** Says by itself that something no longer holds. */
const STRONG =
  /\b(?:again|no longer|not any ?more|any ?more|(?:is|are|was|were) gone|dropp?ed|removed|reverted|rolled back|undone|undid|replaced|replaces|switched|instead of|rather than|back to|superseded|obsolete|corrected|was wrong|were wrong|turned out (?:to be )?(?:wrong|false|not)|not true|deleted|disabled|restored|lowered|raised|reduced|increased|changed from|changed \S+ (?:from|to)|(?:now|jetzt) only|only (?!\p{Ll}+ing)\p{Ll}+s|nicht mehr|wieder|entfernt|ersetzt|statt|zurückgenommen|rückgängig|nur noch|ne .{1,30} plus|ya no|de nouveau|remplac\p{Ll}+|supprim\p{Ll}+|elimin\p{Ll}+|reemplaz\p{Ll}+)(?!\p{L})/iu;
/** Says what holds now; it takes something back only where the user asked for a correction. */
const WEAK =
  /\b(?:(?:is|are|was|were) now|now (?:uses?|is|are|\d|has|returns?|reads?|takes?|accepts?|stores?|writes?|throws?|raises?|off|on|opt-in|opt-out|strict|required|optional|always|never)|(?:defaults?|limit) (?:is|are|to)|set to|renamed|moved to|jetzt|nun|maintenant|ahora)\b/iu;
const CORRECTION =
  /\b(?:no|not|instead|rather|actually|wrong|revert|undo|back|too (?:high|low|long|short|big|small|strict|loose)|should(?:n't)? (?:be|stay|not)|must (?:be|stay|not)|don't|doesn't|drop|remove|change|switch|prefer|make it|take|enough|too (?:many|much|few)|dangerous|wrong|keep|has to|have to|never|without|better|hm+|lieber|doch|statt|nicht|zurück|kein\p{Ll}*|besser|plutôt|mejor|pas)\b/iu;
/** Without edits only an explicit correction takes something back; advice never does. */
const EXPLICIT =
  /\b(?:was wrong|were wrong|turned out|not true|correction|corrected|no longer|earlier (?:statement|answer|claim)|contrary to|stimmt nicht|falsch)\b/iu;

/** Words that carry a taking-back themselves and therefore name no subject. */
const CARRIER = termsIn(
  'again longer gone drop dropped removed reverted replaced switched instead rather only back strict wrong value default behaviour behavior test tests turn always never second seconds error function method call calls request response time number name',
);

/** A statement as far as taking back goes. */
type Claim = Pick<Statement, 'text' | 'role'>;

interface Subject {
  terms: Set<string>;
  identifiers: Set<string>;
  /** What stood before, where the claim names it: "instead of ..." */
  old: Set<string>;
}

/** What the user and the turn bring to the question whether something is taken back. */
interface Correction {
  asked: string;
  edits: boolean;
}

/**
 * The earlier records that a claim makes wrong as a whole: it takes something back, and what it speaks of is what their
 * titles speak of. A record whose title still stands is not superseded for a detail.
 */
function revokedBy(claim: Claim, earlier: Earlier[], correction: Correction): string[] {
  const subject = subjectOf(claim, correction);
  if (subject === undefined) return [];
  const own = termsIn(claim.text);
  const asked = termsIn(correction.asked);
  const scored = earlier
    .filter((record) => isSingle(record) || contradicts(claim, record.title, correction))
    .map((record) => ({ id: record.id, score: closeness(record, subject, own, asked) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best < 1 ? [] : scored.filter(({ score }) => score >= Math.max(1, best * 0.8)).map(({ id }) => id);
}

/** What a claim takes back: the words before the taking-back, and behind `instead of`, `replaced` and their like too. */
function subjectOf({ text, role }: Claim, { asked, edits }: Correction): Subject | undefined {
  if (role === 'advice' || (!edits && !EXPLICIT.test(text))) return undefined;
  const match = STRONG.exec(text) ?? (CORRECTION.test(asked) ? WEAK.exec(text) : null);
  if (!match) return undefined;
  const at = match.index;
  const start = Math.max(text.lastIndexOf('; ', at), text.lastIndexOf(': ', at), text.lastIndexOf('. ', at), 0);
  const before = text.slice(start, at);
  const behind = text.slice(at + match[0].length).split(/[,;:.](?:\s|$)/u)[0] ?? '';
  const object =
    /instead|rather|replac|drop|remov|revert|delet|disabl|statt|ersetz|back|switch|roll|undo|undid|lower|rais|reduc|increas|chang|entfern|renam|moved/iu.test(
      match[0],
    );
  const named = object || before.trim() === '' ? `${before} ${behind}` : before;
  const matters = (part: string) => new Set([...termsIn(part)].filter((term) => !CARRIER.has(term)));
  const near = matters(named);
  const terms = near.size > 0 ? near : matters(text);
  const old = /instead|rather|replac|statt|ersetz/iu.test(match[0]) ? termsIn(behind) : new Set<string>();
  return terms.size === 0 ? undefined : { terms, identifiers: identifiersIn(named), old };
}

/** One statement, besides what the calls prove: it stands or falls as a whole. */
function isSingle({ narrative, facts }: Earlier): boolean {
  return sentencesOf(narrative).length + facts.filter((fact) => !isProof(fact)).length <= 1;
}

function closeness(record: Earlier, subject: Subject, own: Set<string>, asked: Set<string>): number {
  const title = termsIn(record.title);
  const inTitle = shared(subject.terms, title);
  const names = [...subject.identifiers].some((identifier) => record.title.includes(identifier));
  if (inTitle === 0 || (inTitle === 1 && !names && inTitle / subject.terms.size < 0.5)) return 0;
  const body = termsIn([record.narrative, ...record.facts].join(' '));
  const share = inTitle / Math.max(1, Math.min(subject.terms.size, title.size));
  const named = names ? 0.6 : 0;
  const context =
    Math.min(0.6, shared(own, body) * 0.1) + Math.min(0.4, shared(asked, new Set([...title, ...body])) * 0.1);
  // A short record is about little, so a match in it weighs more.
  const single = isSingle(record);
  const size = single ? 0.6 : record.facts.length <= 2 ? 0.3 : 0;
  return (
    share * 0.8 + named + context + size - (inTitle === 1 && title.size >= 6 && names === false && !single ? 0.5 : 0)
  );
}

/** Names in each draft the earlier observations that it makes wrong, and restates those of which only a sentence fell. */
export function withRevocations(
  drafts: { draft: Draft; statements: Statement[] }[],
  earlier: Earlier[],
  correction: Correction,
  most: number,
): Draft[] {
  const taken = new Set<string>();
  const claims = drafts.flatMap(({ statements }) => statements);
  const written = drafts.map(({ draft, statements }) => {
    const ids = statements
      .flatMap((statement) => revokedBy(statement, earlier, correction))
      .filter((id) => !taken.has(id));
    for (const id of ids) taken.add(id);
    const fallen = earlier.filter(({ id }) => ids.includes(id));
    const still = fallen
      .flatMap((record) => standingOf(record, claims, correction))
      .filter((text) => !draft.facts.includes(text));
    return { ...draft, facts: [...draft.facts, ...still].slice(0, LIMITS.facts), supersedes: [...new Set(ids)] };
  });
  for (const record of earlier) {
    if (written.length >= most) break;
    if (taken.has(record.id)) continue;
    const restated = restate(record, claims, correction);
    if (restated) written.push(restated);
  }
  return written;
}

/** What a superseded record said besides its title's matter: it goes on in the record that replaces it. */
function standingOf(record: Earlier, claims: Claim[], correction: Correction): string[] {
  const title = termsIn(record.title);
  const sentences = [...sentencesOf(record.narrative), ...record.facts].filter(
    (text) => text.length >= 40 && !isProof(text),
  );
  return sentences.filter((sentence) => {
    const terms = termsIn(sentence);
    const isTitle = shared(title, terms) >= 0.5 * title.size;
    return !isTitle && !claims.some((claim) => touches(claim, sentence, correction));
  });
}

/** A looser look than `contradicts`: one name in common is doubt enough not to repeat a sentence. */
function touches(claim: Claim, sentence: string, correction: Correction): boolean {
  const subject = subjectOf(claim, correction);
  if (subject === undefined) return false;
  const named = [...subject.identifiers].some((identifier) => sentence.includes(identifier));
  return named || shared(subject.terms, termsIn(sentence)) >= 2 || contradicts(claim, sentence, correction);
}

function isProof(text: string): boolean {
  return /^(?:Committed|Reported symptom|`[^`]+` (?:failed|passed))/u.test(text);
}

/** The earlier record without the sentences that a claim made wrong; undefined where all of it or none of it stands. */
function restate(record: Earlier, claims: Claim[], correction: Correction): Draft | undefined {
  const sentences = sentencesOf(record.narrative);
  const told = sentences.flatMap((sentence) => remainder(sentence, claims, correction) ?? []);
  const facts = record.facts.flatMap((fact) => remainder(fact, claims, correction) ?? []);
  const lost = [...sentences, ...record.facts].filter((text) => !told.includes(text) && !facts.includes(text)).length;
  const title = termsIn(record.title);
  // Without the sentence that its title is made of, a record is not worth restating.
  if (!told.some((sentence) => shared(title, termsIn(sentence)) >= 0.5 * title.size) && told.length < sentences.length)
    return undefined;
  const [first, ...rest] = told.length > 0 ? [told.join(' '), ...facts] : facts;
  if (lost === 0 || first === undefined || first.length < 40) return undefined;
  return {
    type: record.type,
    title: record.title,
    subtitle: 'Restated without what no longer holds',
    narrative: first,
    facts: rest.slice(0, LIMITS.facts),
    concepts: conceptsOf(record.type, [record.title, first, ...rest].join(' '), identifiersIn(first), false),
    files_read: [],
    files_modified: record.files_modified,
    supersedes: [record.id],
  };
}

/** A sentence as it stands after the claims: itself, itself without an aside that holds an old number, or nothing. */
function remainder(sentence: string, claims: Claim[], correction: Correction): string | undefined {
  const against = claims.filter((claim) => contradicts(claim, sentence, correction));
  if (against.length === 0) return sentence;
  const old = against
    .map((claim) => oldNumber(claim.text, sentence, correction.asked))
    .find((number) => number !== undefined);
  if (old === undefined) return undefined;
  const holdsOld = (part: string) => part.match(/\d+/gu)?.includes(old) === true;
  const pruned = sentence
    .replace(/ \([^()]{1,200}\)/gu, (aside) => (holdsOld(aside) ? '' : aside))
    .replace(/, [^,;:.()]{3,40}(?=[,;])/gu, (aside) => (holdsOld(aside) ? '' : aside));
  return pruned !== sentence && !holdsOld(pruned) ? pruned : undefined;
}

/** True where a claim takes back one sentence of a summary; the long ones say more than what fell. */
export function takesBack(claim: Claim, sentence: string, correction: Correction): boolean {
  if (contradicts(claim, sentence, correction)) return true;
  const record = {
    id: 'sentence',
    type: 'change',
    title: sentence,
    narrative: sentence,
    facts: [],
    files_modified: [],
  };
  return sentence.length < 110 && revokedBy(claim, [record], correction).length > 0;
}

/** A sentence falls when a claim takes back exactly what it names: the same identifier and what goes with it. */
function contradicts(claim: Claim, sentence: string, correction: Correction): boolean {
  const subject = subjectOf(claim, correction);
  if (subject === undefined || claim.text === sentence || isProof(sentence)) return false;
  const terms = termsIn(sentence);
  const named = [...subject.identifiers].filter((identifier) => sentence.includes(identifier)).length;
  const both = shared(subject.terms, terms);
  const whole = both / Math.max(1, subject.terms.size);
  if (subject.old.size >= 2 && shared(subject.old, terms) === subject.old.size) return true;
  if (oldNumber(claim.text, sentence, correction.asked) !== undefined) return true;
  return (named > 0 && both >= 2 && whole >= 0.6) || (both >= 3 && whole >= 0.7) || (both >= 2 && whole === 1);
}

/** "12 attempts is too much" and "The limit is now 6 attempts" take back a sentence that says 12 attempts. */
function oldNumber(claim: string, sentence: string, asked: string): string | undefined {
  const numbers = (text: string) => new Set(text.match(/(?<![\p{L}\p{N}_.-])\d+(?![\p{L}\p{N}_-])/gu));
  const [now, before, named] = [numbers(claim), numbers(sentence), numbers(asked)];
  const old = [...before].filter((number) => named.has(number) && !now.has(number));
  if (old.length === 0 || now.size === 0) return undefined;
  const nouns = [...termsIn(claim)].filter((term) => !/\d/u.test(term) && !CARRIER.has(term));
  // The number must count the same thing: the noun follows it closely.
  return old.find((number) => {
    const behind = termsIn(sentence.slice(sentence.indexOf(number)).split(/\s+/u).slice(1, 3).join(' '));
    return nouns.some((noun) => behind.has(noun));
  });
}
