import { type Finding, isMarkedKind, matchesOf } from './findings.ts';
import { hintsIn } from './hints.ts';
import { CUES, type Cue, type Judge } from './nearby-cues.ts';
import { isInPair, isUnmistakable, isWordPair, NAMING } from './password-values.ts';
import { BE, NOW } from './secret-words.ts';

/** How far from its word a value is searched for, in UTF-16 units; the end of a sentence or line stops it earlier. */
const REACH = 80;
const LONGEST = 200;
const MOST_LINES = 3;
const IN_QUOTES = /(?:^|\s)["'`«„“「『]$/u;
/** What stands before a value at the end of a sentence about it, in many languages. */
const TELLS = new RegExp(
  `(?:^|\\s)(?:${BE}|${NOW}|it[’']s|with|mit|avec|con|com|med|met|using|use|type|enter|try|til|till|sha|md5|cipher|plaintext)\\W{1,3}$`,
  'iu',
);
/** The same in the sentence after the one about it. */
const FOLLOWS = new RegExp(
  `(?:^|[\\s¡¿])(?:${BE}|${NOW}|it[’']s|use|try|type|enter|take|reads|please|bitte|gilt|yenisi|by|durch|par|nimm|nehmt|nutze|utilise|usa|prova|prueba|gebruik|brug|använd|użyj|используй|он|она)\\W{1,3}$`,
  'iu',
);
/** What stands before a name in quotes. */
const FOR = /(?:\b(?:user|account|login|name|for|by|of|from|in|on|at|für|von|de|di|dla|för)|для|от)\W{1,3}$/iu;
/** A place, or what a password was changed to; only a name of a host is the place. */
const ON = /(?:^|\s)(?:auf|på|en|na|op|pe|su|sur|на)\W{1,3}$/iu;
/** `falcon-03`, `db-prod-eu-03`; three words without a short one are rather a passphrase. */
const HOST = /^(?:[a-z]+(?:-[a-z]+)?|(?=(?:[a-z]+-)*[a-z]{1,4}-)[a-z]+(?:-[a-z]+)+)-\d{1,3}$/;
const VALUE = /(?<![!#-&(-_a-~\u00c0-\u04ff\u1e00-\u1eff])[!#-&(-_a-~\u00c0-\u04ff\u1e00-\u1eff]{6,200}/g;

/**
 * Finds values that can be nothing but a secret in the same sentence as a word for one: `Type VALUE when it asks for the
 * password`. The grammar between them, which differs in every language, is ignored; the value itself must look like a
 * secret.
 */
export function findNearby(text: string): Finding[] {
  // Sealed secrets may be committed, and look like tokens.
  if (!/[0-9]|\p{Ll}{2}(?:[!#$%*+~^&]\p{L}|[-_.=]\p{Lu})\p{Ll}{2}/u.test(text) || text.includes('encryptedData'))
    return [];
  const holds = hintsIn(text);
  const cues = CUES.filter(({ hints }) => hints === undefined || hints.some(holds));
  return cues.flatMap((cue) => around(text, cue).map((range) => ({ ...range, kind: cue.kind })));
}

function around(text: string, { follows, words, accepts, below, alone }: Cue): { start: number; end: number }[] {
  return matchesOf(text, words).flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    if (isMarkedKind(text, index, end)) return [];
    const found = [
      ...valuesIn(text, sentenceStart(text, index), index, accepts),
      ...valuesIn(text, end, sentenceEnd(text, end), accepts),
    ];
    if (found.length > 0) return found;
    const later = inNextLines(text, end, below, alone);
    return later.length > 0 || follows !== true ? later : inNextSentence(text, end);
  });
}

/** What the next sentence says that it is now: `The password was changed. It is ...`. */
function inNextSentence(text: string, at: number): { start: number; end: number }[] {
  const from = sentenceEnd(text, at);
  // No sentence ended within reach.
  if (!/[\n.。]/u.test(text.charAt(from))) return [];
  const to = sentenceEnd(text, from + 1);
  return matchesOf(text.slice(from, to + LONGEST), VALUE).flatMap(({ 0: match, index }) => {
    const value = match.replace(/[)\]},.;:!?]{1,4}$/u, '');
    const start = from + index;
    const link = text.slice(Math.max(from, start - 12), start);
    const isTold = FOLLOWS.test(link) && !((FOR.test(link) || ON.test(link)) && HOST.test(value));
    const isLast = /^[^\w\n]{0,3}(?:[ ]\p{L}{1,12})?[\s.!。！)]*$/u.test(text.slice(start + value.length, to));
    const isSecret = isTold ? isInPair(value) : isUnmistakable(value) || (isLast && isWordPair(value));
    return start < to && isSecret && !NAMING.test(value) ? [{ start, end: start + value.length }] : [];
  });
}

/** The values in the line below, which are judged less strictly where nothing else is in it, or alone further down. */
function inNextLines(text: string, at: number, accepts: Judge, alone: Judge): { start: number; end: number }[] {
  for (let from = at, row = 0; row < MOST_LINES; row++) {
    const feed = /\n(?:[ \t\r]*\n|[=*_~#-]{3,80}\r?\n)?/u.exec(text.slice(from, from + 2 * REACH));
    if (!feed) return [];
    const start = from + feed.index + feed[0].length;
    const line = /^[^\r\n]{0,160}/u.exec(text.slice(start, start + 160))?.[0] ?? '';
    // Several fields are the row of a table.
    const isAlone =
      /^[\s#*/>;•-]*[!-~]{8,200}[\s*/]*$/u.test(line) && !/([;,|])[^;,|]*\1/u.test(line.replace(/^[\s#*/>;•-]*/u, ''));
    const found =
      row === 0 || (isAlone && !/[<>]|:\/\//u.test(line))
        ? valuesIn(text, start, start + line.length, isAlone ? alone : accepts)
        : [];
    // Further down only where sentences are in between.
    if (found.length > 0 || !/^\p{Lu}[^\n]{10,}[.:!]$/u.test(line)) return found;
    from = start;
  }
  return [];
}

/** The values that begin within the stretch; of a pair of a user and a password, the password. */
function valuesIn(text: string, from: number, to: number, accepts: Judge) {
  const stretch = text.slice(Math.max(0, from - 1), to + LONGEST);
  return matchesOf(stretch, VALUE).flatMap((match) => {
    const start = Math.max(0, from - 1) + match.index;
    if (start < from || start >= to) return [];
    // Markup behind a value is none of it.
    const marked = match[0].replace(/(?:<\/|&lt;|&quot;|<br).*/u, '');
    const whole = marked.replace(/^[([{<]+|(?:[)\]}>,.;:?]|\\[rn]){1,4}$/gu, '');
    if (/^['’]s\b/u.test(text.slice(start + match[0].length))) return []; // `root@web2's`
    if (/^[a-z_][a-z0-9_.-]*@(?:\d{1,3}(?:\.\d{1,3}){3}|[a-z][a-z0-9-]*):?$/u.test(whole)) return []; // A user at a host.
    // A digest of a file, and an address.
    if (/^\W{0,3}(?:sha\d{3}-|[a-z]{2,8}:\/\/)/iu.test(whole) || /^\W{0,3}\w{2,20}=["']?sha\d{3}-/u.test(whole))
      return [];
    // Stars on both sides are Markdown's.
    const bare = whole.replace(/^\*{1,2}(.*?)\*{1,2}$/u, '$1');
    const [, mark, second = ''] = /^(?:[a-z][\w.@+-]{1,40}([:/])|\w{1,40}=)(?=(.{8,}))/u.exec(bare) ?? [];
    const link = text.slice(Math.max(0, start - 12), start) + match[0].slice(0, match[0].indexOf(bare));
    const isNamed = FOR.test(link) || (ON.test(link) && HOST.test(bare));
    const isTold =
      /^[^\p{Ll}\p{Lu}\p{N}]{0,6}$/u.test(text.slice(from, start)) ||
      TELLS.test(link) ||
      (from > 0 && IN_QUOTES.test(link) && !isNamed);
    const isLast =
      isTold ||
      /^[^\s\w]{0,3}(?:[ ]?[^\s\x00-\x7f]{1,6}|[ ]\p{L}{1,12})?[\s.!。！)]*$/u.test(
        text.slice(start + match[0].length, to),
      );
    const value = accepts(bare, isTold, isNamed, isLast)
      ? bare
      : isWordPair(second) || (mark !== undefined && accepts(second, isTold, isNamed, isLast))
        ? second
        : undefined;
    if (value === undefined) return [];
    const at = start + match[0].lastIndexOf(value);
    return [{ start: at, end: at + value.length }];
  });
}

function sentenceStart(text: string, at: number): number {
  const floor = Math.max(0, at - REACH);
  const before = text.slice(floor, at);
  return floor + Math.max(before.lastIndexOf('\n') + 1, before.lastIndexOf('. ') + 1, before.lastIndexOf('。') + 1);
}

function sentenceEnd(text: string, at: number): number {
  const length = text.slice(at, at + REACH).search(/\n|\. |。/u);
  return length < 0 ? Math.min(text.length, at + REACH) : at + length;
}
