import { FIRST_PERSON, imperative, possessiveGone, secondPersonGone, subjectGone, weGone } from './person.ts';
import { clauseBreaks } from './sentences.ts';
import { isIntent, isOffer } from './talk.ts';
import { neutralGerman } from './voice-german.ts';

/**
 * Says a sentence without the person who spoke it: "I moved the checks into X, so we now retry" gives
 * "Moved the checks into X" and "The code now retries". Empty where nothing can be said cleanly.
 */
export function neutralise(sentence: string): string[] {
  const code = maskCode(straightQuotes(sentence));
  const { masked, unmask } = maskAsides(asidesNeutral(code.masked));
  return apart(masked)
    .map((clause) => neutralClause(clause))
    .map((clause) => (clause === undefined ? '' : finished(clause)))
    .filter((clause) => /\p{L}{2,}|\ue000/u.test(clause))
    .map((clause) => code.unmask(unmask(clause)));
}

/** "While at it I made X ..." keeps its place and loses its person. */
const ADVERBIAL =
  /^((?:While|In|On|At|For|To|With|After|During|Along|By|From|As|Instead|Because of|Besides|Since|Apart|Upon)\b[^,;:]{1,60}?),? ((?:I|we)(?:'ve|'d)? .*)$/su;

/** True where outside code someone speaks of himself. */
export function isFirstPerson(text: string): boolean {
  return FIRST_PERSON.test(maskCode(straightQuotes(text)).masked);
}

interface Mask {
  masked: string;
  unmask: (masked: string) => string;
}

/** Replaces each code span and quotation by one mark, so that no rule reaches into it. */
function maskCode(text: string): Mask {
  return mask(text, /`[^`]{1,400}`|"[^"]{1,400}"|“[^”]{1,400}”|„[^“”]{1,400}[“”]/gu, '\ue000', '\ue001');
}

function maskAsides(text: string): Mask {
  return mask(text, /\([^()]{1,400}\)/gu, '\ue002', '\ue003');
}

function mask(text: string, pattern: RegExp, open: string, close: string): Mask {
  const spans: string[] = [];
  const masked = text.replace(new RegExp(`[${open}${close}]`, 'gu'), '').replace(pattern, (span) => {
    spans.push(span);
    return `${open}${spans.length - 1}${close}`;
  });
  const marks = new RegExp(`${open}(\\d+)${close}`, 'gu');
  return { masked, unmask: (other) => other.replace(marks, (_, index) => spans[Number(index)] ?? '') };
}

/** Parentheses keep what they say of the matter and lose what the speaker says of himself. */
function asidesNeutral(text: string): string {
  return text.replace(/\s?\(([^()]{1,300})\)/gu, (whole, inner: string) => {
    if (!FIRST_PERSON.test(inner)) return whole;
    const parts = inner
      .split(/;\s+/u)
      .map((part) => (FIRST_PERSON.test(part) ? (withoutPersonalClause(part) ?? '') : part));
    const kept = parts.filter((part) => part.trim() !== '' && !FIRST_PERSON.test(part)).join('; ');
    return kept === '' ? '' : ` (${kept})`;
  });
}

function straightQuotes(text: string): string {
  return text.replace(/[’‘]/gu, "'");
}

/** Cuts where a new clause of the first person begins: each can then lose its subject on its own. */
function apart(text: string): string[] {
  return text
    .split(
      /(?:;|,|\s[–—-])\s+(?:(?:so|and|but|then|therefore|hence|thus|also|next|finally),?\s+){0,2}(?=(?:I(?:'m|'ve|'ll|'d)?|[Ww]e(?:'ve|'ll|'re|'d)?|[Ll]et me|[Ll]et's)\s)|\s(?:and|but)\s(?=I(?:'m|'ve|'ll|'d)?\s)/u,
    )
    .flatMap((part) =>
      part.split(
        /(?:,\s+(?:and\s+|but\s+|so\s+)?|;\s+|\s[–—-]\s+|\sand\s)(?=(?:tell me|let me know|please|you may want|you might want|you could also|feel free|sag Bescheid|sagen Sie|bitte)\b)/iu,
      ),
    )
    .map((part) => part.trim())
    .filter(Boolean);
}

function neutralClause(clause: string): string | undefined {
  const label = /^([^:]{1,80}): (?=(?:I|[Ww]e|[Ll]et)\b)(.*)$/su.exec(clause);
  if (label) {
    const rest = neutralClause(label[2] ?? '');
    if (rest === undefined || FIRST_PERSON.test(label[1] ?? '')) return rest;
    return `${label[1]}: ${/^\p{Lu}\p{Ll}/u.test(rest) ? rest.charAt(0).toLowerCase() + rest.slice(1) : rest}`;
  }
  let text = clause.replace(/^(?:so|and|but|then|also|however|therefore|thus|hence),?\s+(?=(?:I|[Ww]e)\b)/iu, '');
  text = text.replace(/^(?:please|bitte)\s+/iu, '');
  text = text.replace(
    /^(?:next|then|later|afterwards|after that|as a next step),? (?:I|we)(?: would|'d) (?:also )?/iu,
    'Recommended next: ',
  );
  text = text.replace(
    /^(?:J'ai|Nous avons|On a|He|Hemos) (?:aussi |donc |ensuite |également |también )?(?=\p{Ll}+(?:é|i|u|s|t|er|ado|ido|to|cho)e?s?\s)/u,
    '',
  );
  text = asideGone(text);
  if (isIntent(text) || isOffer(text)) return undefined;
  const placed = ADVERBIAL.exec(text);
  if (placed && !FIRST_PERSON.test(placed[1] ?? '')) {
    const rest = neutralClause(placed[2] ?? '');
    if (rest === undefined || FIRST_PERSON.test(rest)) return undefined;
    return `${placed[1]}, ${/^\p{Lu}\p{Ll}/u.test(rest) ? rest.charAt(0).toLowerCase() + rest.slice(1) : rest}`;
  }
  const spoken = /^(?:I|[Ww]e)(?=\s|')/u.test(text) ? (subjectGone(text) ?? withoutPersonalClause(text)) : text;
  if (spoken === undefined) return undefined;
  text = neutralGerman(spoken);
  if (/^(?:you|You)\s/u.test(text)) text = imperative(text);
  text = secondPersonGone(text);
  text = possessiveGone(text);
  text = weGone(text);
  return FIRST_PERSON.test(text) ? withoutPersonalClause(text) : text;
}

/** Leaves out the clauses in which someone still speaks of himself, when the first clause stands without them. */
function withoutPersonalClause(text: string): string | undefined {
  const cuts = clauseBreaks(text).map(({ at }) => at);
  const pieces = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));
  if (pieces.length < 2) return undefined;
  // "Order I would take: first do X" keeps what follows the colon.
  if (FIRST_PERSON.test(pieces[0] ?? '')) {
    const colon = text.indexOf(': ');
    const rest = colon > 0 ? text.slice(colon + 2) : '';
    return rest !== '' && !FIRST_PERSON.test(rest) ? rest : undefined;
  }
  return pieces.filter((piece) => !FIRST_PERSON.test(piece)).join('');
}

/** Parentheses and leading asides that only the speaker needs. */
function asideGone(text: string): string {
  return text
    .replace(/(?:(?<!\s)\s+)?\((?:let me know|tell me|I|we|my|our)\b[^()]{0,200}\)/gu, '')
    .replace(
      /^(?:as far as I (?:can see|can tell|know)|in my (?:opinion|view)|to be honest|I'm afraid|unfortunately|leider|luckily|fortunately|interestingly|basically|essentially),?\s+/iu,
      '',
    )
    .replace(/,? (?:as far as I (?:can see|can tell|know)|I (?:think|believe|guess|suppose|'d say))(?=[,;.]|$)/gu, '');
}

function finished(text: string): string {
  const trimmed = text
    .replace(/(?<!\s)\s+([,;.])/gu, '$1')
    .replace(/^[\s,;:–—-]+|(?<![\s,;:–—-])[\s,;:–—-]+$/gu, '')
    .replace(/^(?:and|but|und|aber|mais|pero) (?=\S+ )/iu, '')
    .replace(/\s{2,}/gu, ' ');
  if (trimmed === '') return '';
  const capital =
    /^\p{Ll}/u.test(trimmed) && !/^\p{Ll}[\w-]*[A-Z_./(]/u.test(trimmed)
      ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
      : trimmed;
  return /[.?…。！？]$/u.test(capital) ? capital : `${capital.replace(/(?<!!)!+$/u, '')}.`;
}
