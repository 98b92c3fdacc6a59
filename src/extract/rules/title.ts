import { LIMITS, oneLine } from '../../memory/record.ts';
import { clauseBreaks, partsOf } from './sentences.ts';
import { termsIn } from './terms.ts';
import { baseOf, isPastVerb, thirdOf } from './verbs.ts';
import { isFirstPerson } from './voice.ts';

const LEAD =
  /^(?:(?:please )?note(?: that|:)?|remember(?: that)?|keep in mind(?: that)?|be aware(?: that)?|important(?:ly)?:|warning:|caveat:|attention ?:|while (?:at it|there|doing so),?|in passing,?|before,|previously,|until now,|so far,|vorher,|bisher,|along the way,?|be careful[:,]?|careful:|(?:the )?key (?:point|thing|line|takeaway|message)[^:]{0,30}:|downside(?: of [^:]{1,40})?:|rejected:|hint:|hinweis:|achtung:|(?:the |one )?(?:important |other )?(?:thing|point|line)s? to (?:watch|know|remember|check|note|keep in mind)[^:]{0,60}:|the important (?:line|part|point|thing)[^:]{0,60}:|(?:the )?(?:root )?cause (?:is|was)(?: that)?:?|(?:the )?(?:problem|bug|issue|culprit|reason) (?:is|was)(?: that)?:?|root cause:|cause:|fix:|die ursache (?:ist|war)(?:,? dass)?:?|ursache:|grund:|presumably|recommended:|proposal:|vorschlag:|decision:|entscheidung:|still to do:|first,?|second,?|third,?|now,?|also,?|finally,?|so,?|then,?|to summari[sz]e,?|in short,?|one [^:;.]{3,40}:|(?:the |your )?[\p{L} -]{2,30} (?:is|are) (?:now )?(?:in|in place|there|ready|live|implemented|done|up)\s?:|(?:the )?(?:\p{Ll}+ ){0,2}(?:review(?:er)?|agent|sub-?agent|audit) (?:also )?(?:found|noted|reported|noticed|pointed out|says|said|confirmed)(?: that|:)?|before [^,]{3,90}, (?:remember|note|keep in mind|be aware|make sure|check)(?: that)?|when [^,]{3,60}, (?:remember|note|keep in mind|be aware)(?: that)?|it (?:is|'s) (?:still |also )?(?:important|worth (?:knowing|noting|remembering)|worth mentioning)(?: that)?)\s+/iu;

const AUXILIARY =
  /^(?:is|are|was|were|has|have|had|can|must|will|would|cannot|does|do|ist|sind|war|wird|werden|wurde|wurden|hat|muss|kann|darf|est|sont|es|son)$/iu;

/** What follows "The cause is" is what a colleague would write above the matter, even without a verb. */
const NAMED_CAUSE = /^(?:the |die |der |das )?(?:root )?(?:cause|problem|bug|issue|culprit|reason|ursache|grund)\b/iu;

/** A whole phrase of at most `limit` characters that says what the sentence says; empty where the sentence has none. */
export function headline(sentence: string, limit: number = LIMITS.title): string {
  const candidates = new Map<string, number>();
  const enter = (candidate: string, cost: number) => {
    const bare = withoutLead(candidate);
    const lead = bare === candidate ? '' : candidate.slice(0, 60);
    const gain = /worth \p{Ll}+ing\b/u.test(lead) ? 2.5 : 0;
    if (!candidates.has(bare)) candidates.set(bare, cost - gain);
  };
  for (const [index, part] of partsOf(sentence).entries()) {
    const late = index * 0.8;
    const bare = withoutLead(part);
    // A short name of the cause is said with what it did.
    const named = index === 0 && NAMED_CAUSE.test(part) ? 3 : 0;
    const short = named > 0 && bareColon(bare) < 24;
    for (const form of [bare, withoutAsides(bare), withoutPlaces(withoutAsides(bare))]) {
      enter(form, late - named);
      const breaks = clauseBreaks(form);
      for (const { at, word } of breaks) {
        const head = form.slice(0, at);
        // A bare comma may belong to a list, and what follows the last ", and" must be a clause of its own.
        if (word === ',' && breaks.length > 1 && head.split(' ').length < 7) continue;
        if (word !== ':' && !endsInClause(head)) continue;
        const gain = at === breaks[0]?.at ? named - (short ? 1.5 : 0) : short ? named : 0;
        enter(head, late + (word === ',' ? 0.5 : 0) - gain);
      }
      for (const { at, word } of breaks)
        if (/^[:;]$|so$|that$|^,$/u.test(word))
          enter(
            form.slice(at).replace(/^[\s,;:]*(?:so )?/u, ''),
            late + (word === ',' && !/^,\s+so\s/u.test(form.slice(at)) ? 1.8 : 0.7),
          );
      for (const at of softBreaks(form)) enter(form.slice(0, at), late + 1.2);
    }
  }
  const [first = ''] = [...candidates]
    .map(([candidate, cost]) => ({ candidate: dressed(candidate), cost }))
    .filter(({ candidate }) => isWhole(candidate, limit))
    .map(({ candidate, cost }) => ({ candidate, score: merit(candidate, sentence, limit) - cost }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
  return first;
}

/** A commit's subject as a title: without type, scope and issue suffix; empty where it says nothing. */
export function subjectTitle(subject: string): string {
  const bare = oneLine(subject)
    .replace(/^(?:[a-z]{2,12})(?:\([^)]{1,40}\))?!?:\s+/u, '')
    .replace(/^\[[^\]]{1,20}\]\s+/u, '');
  const title = dressed(bare);
  if (title.length <= LIMITS.title && termsIn(title).size >= 2) return title;
  return headline(bare);
}

/** "Renamed A to B" as a commit would say it: "Rename A to B". */
export function asImperative(title: string): string {
  const [first = ''] = title.split(' ');
  const base = isPastVerb(first) || thirdOf(baseOf(first) ?? '') === first.toLowerCase() ? baseOf(first) : undefined;
  return base === undefined ? title : `${base.charAt(0).toUpperCase()}${base.slice(1)}${title.slice(first.length)}`;
}

/** The title as it stands in a listing: one line, capital first, no code marks, no full stop. */
export function dressed(text: string): string {
  const line = oneLine(text.replace(/`/gu, ''))
    .replace(/^[\s,;:–—.-]+(?=[\p{L}\p{N}])|(?<![\s,;:–—.。])[\s,;:–—.。]+$/gu, '')
    .replace(/^(?:and|but|so|then|und|aber) /iu, '');
  return /^\p{Ll}+(?=[\s,]|$)/u.test(line) && !/^\p{Ll}+[._/(]/u.test(line) && !isName(text)
    ? line.charAt(0).toUpperCase() + line.slice(1)
    : line;
}

/** A sentence that begins with code keeps its spelling. */
function isName(text: string): boolean {
  return /^\s*`/u.test(text);
}

function withoutLead(text: string): string {
  let bare = text.trim();
  for (let round = 0; round < 3; round++) {
    const next = bare.replace(LEAD, '');
    if (next === bare) break;
    bare = next;
  }
  const worth = /^(?:it (?:is|'s) (?:still |also )?)?worth (\p{Ll}+ing)\b(.*)$/isu.exec(bare);
  const base = worth?.[1] === undefined ? undefined : baseOf(worth[1]);
  if (base !== undefined) return `${base}${worth?.[2] ?? ''}`;
  const chose = /^(?:also )?(?:chose|decided|opted) (?:to|for) (.*)$/isu.exec(bare);
  return chose?.[1] ?? bare;
}

function withoutAsides(text: string): string {
  return text.replace(/(?:(?<!\s)\s+)?\([^()]{1,200}\)/gu, '').replace(/\s{2,}/gu, ' ');
}

/** Places where a long clause can end early and stay a phrase: before `and why`, `and VERB`, or a phrase of place at its end. */
function softBreaks(text: string): number[] {
  const found: number[] = [];
  for (const match of text.matchAll(
    /\s(?:and (?=(\S+))|(?=(?:in|on|at|for|with|from|inside|through|during|when|while|after|before|by) ))/gu,
  )) {
    const next = match[1];
    const head = text.slice(0, match.index);
    if (next !== undefined && !/^(?:why|how|what|whether|is|are|now)$/u.test(next) && baseOf(next) === undefined)
      continue;
    if (head.split(' ').length >= 5 && endsInClause(head) && hasVerb(head)) found.push(match.index);
  }
  return found.slice(-12);
}

function bareColon(text: string): number {
  const at = text.indexOf(': ');
  return at < 0 ? text.length : at;
}

function endsInClause(head: string): boolean {
  const at = head.lastIndexOf(', and ');
  return at < 0 || hasVerb(head.slice(at + 6));
}

function hasVerb(text: string): boolean {
  return text.split(/\s+/u).some((word) => baseOf(word.replace(/[,;:]$/u, '')) !== undefined || AUXILIARY.test(word));
}

function withoutPlaces(text: string): string {
  return text.replace(/,? (?:in|from|inside|at) `[^`\s]*[/.][^`\s]*`(?=[\s,.;:]|$)/gu, '');
}

function isWhole(text: string, limit: number): boolean {
  if (text.length < 12 || text.length > limit || isFirstPerson(text)) return false;
  if (termsIn(text).size < 2) return false;
  if (
    /^(?:it|its|they|them|this|that|these|those|there|which|who|otherwise|he|she|instead|es|sie|das|dies|weil|because|since|if)\b(?![-_./])/iu.test(
      text,
    )
  )
    return false;
  if (
    /(?:^|\s)(?:the|a|an|of|in|on|at|to|for|with|from|by|and|or|but|so|as|that|which|is|are|was|were|than|not|because|since|if|when|der|die|das|und|oder|mit|von|zu|in|für|ein|eine|weil|dass|too|also|right|just|only|even|immediately|shortly|directly|its|their|more|less|no|any|all|each|every|one|two|new|same|own)$/iu.test(
      text,
    )
  )
    return false;
  return balanced(text) && !/[?？]$/u.test(text) && !/\b(?:please|let me know|tell me)\b/iu.test(text);
}

function balanced(text: string): boolean {
  const count = (chars: string) => [...text].filter((char) => chars.includes(char)).length;
  return count('(') === count(')') && count('[') === count(']') && count('"') % 2 === 0 && count('{') === count('}');
}

/** Prefers phrases with a verb and much content, from the front of the sentence, that leave some air. */
function merit(candidate: string, sentence: string, limit: number): number {
  const content = candidate.split(' ').filter((word) => termsIn(word).size > 0).length;
  const verb = hasVerb(candidate);
  const front = sentence.replace(/`/gu, '').toLowerCase().startsWith(candidate.slice(0, 12).toLowerCase()) ? 1.2 : 0;
  const long = candidate.length > limit * 0.9 ? -0.3 : 0;
  const short = candidate.length < 24 ? -1.5 : 0;
  // "Clock skew between the nodes: node A ..." is whole before its colon.
  const colon = candidate.indexOf(': ');
  const list = colon < 0 ? 0 : colon >= 20 ? -2 : -0.4;
  const pointing = /^(?:\S+ ){0,4}(?:it|them|this|that|these|there)\b/iu.test(candidate) ? -0.9 : 0;
  return Math.min(content, 8) * 0.6 + (verb ? 1.5 : 0) + front + long + short + list + pointing;
}
