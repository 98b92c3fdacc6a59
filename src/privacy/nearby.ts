import { type Finding, isMarkedKind, matchesOf } from './findings.ts';
import { hintsIn } from './hints.ts';
import { isAbroad } from './languages.ts';
import { CUES, type Cue, HOST, type Judge } from './nearby-cues.ts';
import { isInPair, isUnmistakable, isWordPair, NAMING } from './password-values.ts';
import { isStandIn } from './secret-values.ts';
import { BE, NOW } from './secret-words.ts';

/** How far from its word a value is searched for, in UTF-16 units; the end of a sentence or line stops it earlier. */
const REACH = 80;
const LONGEST = 200;
const MOST_LINES = 3;
const IN_QUOTES = /(?:^|\s)["'`«„“「『]$/u;
/** What stands before a value at the end of a sentence about it, in many languages. */
const TELLS = new RegExp(
  `(?:^|\\s)(?:${BE}|${NOW}|it[’']s|so|with|mit|avec|con|com|med|met|using|use|type|enter|try|til|till|sha|md5|cipher|plaintext)\\W{1,3}$`,
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
/** What pages and headers show to everybody. */
const PUBLIC_FIELD =
  /(?:(?<=[a-z])Id|(?<![A-Za-z])(?:site_?key|id|class|href|src|kid|hash|integrity|nonce|digest|iv))["']?\s{0,2}[:=]\s{0,2}["']$/u;
/** A line that gives something else its value. */
const ASSIGNMENT = /^[^\w\n]{0,8}(?:[\w.-]{1,60}[ ]{0,40}=[ ]|[a-z_][\w.-]{0,60}:[ ])|^[\p{L}_.-]{3,60}=/u;
/** The next one of a list of settings. */
const SETTING = /^[\p{Lu}\d_]{2,40}=\S/u;
/** What ends a clause behind a value, with a verb or another small word or two before it. */
const CLAUSE_END =
  /^["'»”’」*]{0,2}(?:[ ][(]|(?:[ ]\p{L}[\p{L}\p{M}'’-]{0,11}){0,2}(?:[ ]?[,;!?)(،؛፣、，。！？။၊।]|[ ]?[.:](?:\s|$)|[ ]?[—–-]|\s*$|\s*\n))/u;
/** The name of a network, before its key. */
const NETWORK_NAME =
  /(?:ssid|netz\p{L}{0,6}|network|réseau|red|rete|rede|netwerk|naam|nome|nombre|heißt|heter|hedder|heet|chiama|llama|appelle|сеть|сети|nazwa|sieć)[: «"'“„]{1,4}$/iu;
const VALUE = /(?<![!#-&(-_a-~\u00c0-\u04ff\u1e00-\u1eff])[!#-&(-_a-~\u00c0-\u04ff\u1e00-\u1eff]{6,200}/g;

/**
 * Finds values that can be nothing but a secret in the same sentence as a word for one: `Type VALUE when it asks for the
 * password`. The grammar between them, which differs in every language, is ignored; the value itself must look like a
 * secret.
 */
export function findNearby(text: string): Finding[] {
  // Sealed secrets may be committed, and look like tokens.
  if (!/[0-9]|\p{Ll}{2}(?:[!#$%*+~^&]\p{L}|[-_.=]\p{L})\p{Ll}{2}/u.test(text) || /encrypted_?data/iu.test(text))
    return [];
  const holds = hintsIn(text);
  const cues = CUES.filter(({ hints }) => hints === undefined || hints.some(holds));
  return cues.flatMap((cue) => around(text, cue).map((range) => ({ ...range, kind: cue.kind })));
}

function around(text: string, cue: Cue): { start: number; end: number }[] {
  const { follows, words, accepts, below, alone } = cue;
  return matchesOf(text, words).flatMap(({ index, 0: word }) => {
    const end = index + word.length;
    if (isMarkedKind(text, index, end)) return [];
    const line = cue.abroad === true ? lineAround(text, index, end) : '';
    if (cue.isIn && !cue.isIn(line)) return [];
    const isInClauses = cue.abroad === true && isAbroad(line);
    const found = [
      ...valuesIn(text, sentenceStart(text, index), index, accepts, isInClauses),
      ...valuesIn(text, end, sentenceEnd(text, end), accepts, isInClauses),
    ];
    if (found.length > 0) return found;
    if (cue.isIn) return [];
    const later = inNextLines(text, end, below, alone);
    return later.length > 0 || follows !== true ? later : inNextSentence(text, end);
  });
}

/** What the next sentence says that it is now: `The password was changed. It is ...`. */
function inNextSentence(text: string, at: number): { start: number; end: number }[] {
  const from = sentenceEnd(text, at);
  // No sentence ended within reach.
  if (!/[\n.。]/u.test(text.charAt(from)) || SETTING.test(text.slice(from + 1, from + 60))) return [];
  const to = sentenceEnd(text, from + 1);
  if (ASSIGNMENT.test(text.slice(from + 1, to).trimStart())) return [];
  return matchesOf(text.slice(from, to + LONGEST), VALUE).flatMap(({ 0: match, index }) => {
    const opened = match.startsWith('(') ? 1 : 0;
    const value = match.slice(opened).replace(/[)\]},.;:!?]{1,4}$/u, '');
    const start = from + index + opened;
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
    const isOther = ASSIGNMENT.test(line.trimStart());
    if (SETTING.test(line)) return [];
    const found =
      !isOther && (row === 0 || (isAlone && !/[<>]|:\/\//u.test(line)))
        ? valuesIn(text, start, start + line.length, isAlone ? alone : accepts)
        : [];
    // Further down only where sentences are in between.
    if (found.length > 0 || !/^\p{Lu}[^\n]{10,}[.:!]$/u.test(line)) return found;
    from = start;
  }
  return [];
}

/** The values that begin within the stretch; of a pair of a user and a password, the password. */
function valuesIn(text: string, from: number, to: number, accepts: Judge, isInClauses = false) {
  const stretch = text.slice(Math.max(0, from - 1), to + LONGEST);
  return matchesOf(stretch, VALUE).flatMap((match) => {
    const start = Math.max(0, from - 1) + match.index;
    if (start < from || start >= to) return [];
    // Markup behind a value is none of it.
    const marked = match[0].replace(/(?:<\/|&lt;|&quot;|<br).*/u, '');
    // `ל-Golani`, in Hebrew.
    const glued =
      /^-(?=[\p{L}\d])/u.test(marked) && /\p{Script=Hebrew}$/u.test(text.slice(0, start)) ? /^-/u : /^[([{<]+/u;
    const whole = marked.replace(/^[([{<]+|(?:[()\]}>,.;:?]|\\[rn]){1,4}$/gu, '').replace(glued, '');
    if (PUBLIC_FIELD.test(text.slice(Math.max(0, start - 24), start))) return [];
    // A line of a public key or a signature; an id.
    if ((/^[\w+/=]{60,}$/u.test(whole) && /[A-Z]/u.test(whole)) || isStandIn(whole)) return [];
    if (/^['’]s\b/u.test(text.slice(start + match[0].length))) return []; // `root@web2's`
    if (
      /^(?:[\w.-]+\/)?(?:[A-Za-z_][a-z0-9_.-]*@\d{1,3}(?:\.\d{1,3}){3}|[a-z_][a-z0-9_.-]*@[a-z][a-z0-9-]*)(?::\d{0,5})?$/u.test(
        whole,
      )
    )
      return []; // A user at a host.
    // A host where one is named: `401 on cache-04`.
    if (HOST.test(whole) && /\b(?:on|to|at)\W{1,3}$/u.test(text.slice(Math.max(0, start - 6), start))) return [];
    // An id, and a name that ends in one.
    if (/^(?:\w{1,20}-)?id=|.-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(whole)) return [];
    // A digest of a file, and an address.
    if (/^\W{0,3}(?:sha\d{1,3}[-:]|[a-z]{2,8}:\/\/)/iu.test(whole) || /^\W{0,3}\w{2,20}=["']?sha\d{3}-/u.test(whole))
      return [];
    if (/^(?:ticket|case|issue|task|req|inc|bug|fall|vorgang)\p{L}{0,4}#\d+$/iu.test(whole)) return [];
    // Stars on both sides are Markdown's.
    const bare = whole.replace(/^\*{1,2}(.*?)\*{1,2}$/u, '$1');
    const [, mark, second = ''] = /^(?:[a-z][\w.@+-]{1,40}([:/])|\w{1,40}=)(?=(.{8,}))/u.exec(bare) ?? [];
    const link = text.slice(Math.max(0, start - 12), start) + match[0].slice(0, match[0].indexOf(bare));
    const isNamed = FOR.test(link) || (ON.test(link) && HOST.test(bare)) || (isInClauses && NETWORK_NAME.test(link));
    const isTold =
      /^[^\p{Ll}\p{Lu}\p{N}]{0,6}$/u.test(text.slice(from, start)) ||
      TELLS.test(link) ||
      (from > 0 && IN_QUOTES.test(link) && !isNamed);
    const isLast =
      isTold ||
      /^[^\s\w]{0,3}(?:[ ]?[^\s\x00-\x7f]{1,6}|[ ]\p{L}{1,12})?[\s.!。！)]*$/u.test(
        text.slice(start + match[0].length, to),
      ) ||
      (isInClauses &&
        !HOST.test(bare.toLowerCase()) &&
        CLAUSE_END.test(text.slice(start + whole.length, start + whole.length + 40)));
    // `INC4183421`, `CAR-7011`: a ticket, an article.
    if (!isTold && /^[A-Z]{2,5}-?\d{3,10}$/u.test(bare)) return [];
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

/** The line around a range, as far as it matters. */
function lineAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 160), start);
  const behind = text.slice(end, end + 160);
  return `${before.slice(before.lastIndexOf('\n') + 1)}${text.slice(start, end)}${/^[^\n]*/u.exec(behind)?.[0] ?? ''}`;
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
