/** The only tokenizer: index, vectors and queries see text through it, so that a match in one is a match in all. */

/** Longest token kept, in UTF-16 units: longer ones are hashes (64) or blobs, and their beginning identifies them. */
const MAX_TOKEN = 48;

const ASCII = /^[\x00-\x7f]*$/;
const JOINTS = /[-._$]+/u;
/** Most words: no separators, and no capitals that begin a part. */
const PLAIN = /^[a-z0-9]+$/;
/** Letters, digits and marks, with the characters that programmers join words with; `/` and white space separate. */
const ASCII_SHAPES = {
  compound: /[A-Za-z0-9_$]+(?:[-.'][A-Za-z0-9_$]+)*/g,
  camel: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/,
};

/** The same for every script; created on demand, because V8 takes longer to compile these than to read a prompt. */
function makeShapes() {
  const unspaced =
    '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
  return {
    compound: /[\p{L}\p{N}\p{M}_$]+(?:[-.'’][\p{L}\p{N}\p{M}_$]+)*/gu,
    camel: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
    // Scripts without spaces, and Hangul, whose endings are attached to the word.
    unspaced: new RegExp(`${unspaced}ー]+`, 'gu'),
    hasUnspaced: new RegExp(`${unspaced}]`, 'u'),
    han: /\p{Script=Han}/u,
  };
}

let made: ReturnType<typeof makeShapes> | undefined;

function shapes(): ReturnType<typeof makeShapes> {
  made ??= makeShapes();
  return made;
}

// biome-ignore format: a word list reads best as running text.
const STOP_WORDS = new Set(('a about after all also am an and any are as at be because been before being both but by can could did do ' +
  'does doing dont during each few for from further had has have having he her here hers him his how i if in into is it its ' +
  'itself just me might more most must my no nor not now of off on once only or other our out over own same shall she should so ' +
  'some such than that the their them then there these they this those through to too under until up us very was we were ' +
  'what when where which while who whom why will with would you your').split(' '));

/**
 * The tokens of a text in their order: words without stop-words, lower-cased, without diacritics, lightly stemmed;
 * identifiers in parts and then joined (`readFile` gives read, file, readfile); pairs of characters where a script
 * writes no spaces, and each Chinese character by itself. Takes linear time.
 */
export function tokenize(text: string): string[] {
  return tokenizeWords(text).flat();
}

/** The same tokens by written word: `readFile` gives read, file, readfile; in scripts without spaces each is its own word. */
export function tokenizeWords(text: string): string[][] {
  const words: string[][] = [];
  const folded = fold(text);
  const every = ASCII.test(folded) ? undefined : shapes();
  const { compound: compounds, camel } = every ?? ASCII_SHAPES;
  for (const compound of folded.match(compounds) ?? []) {
    const tokens: string[] = [];
    if (every?.hasUnspaced.test(compound)) {
      unspacedTokens(compound, tokens);
      for (const token of tokens) words.push([token]);
      continue;
    }
    compoundTokens(compound, camel, tokens);
    if (tokens.length > 0) words.push(tokens);
  }
  return words;
}

/** A lower-case word without its commonest English endings; other languages are unharmed or evenly harmed. */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  let root = withoutFinalE(withoutSuffix(withoutPlural(word)));
  // What is left of -ate and -ation after a word: `installation` is from `install`.
  if (root.endsWith('at') && root.length > 6) root = root.slice(0, -2);
  // `deployment` is from `deploy`, but `document` and `argument` have no such root, and `statement` is not a state.
  if (root.endsWith('ment') && root.length > 9) root = withoutFinalE(root.slice(0, -4));
  // British spelling doubles the l of `cancelled`, which looks just like that of `called`: both lose it.
  return root.endsWith('ll') && root.length > 3 ? root.slice(0, -1) : root;
}

function fold(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/[ßẞ]/g, 'ss')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

function compoundTokens(compound: string, camel: RegExp, tokens: string[]): void {
  if (PLAIN.test(compound)) {
    push(compound.slice(0, MAX_TOKEN), tokens);
    return;
  }
  const plain = compound.replace(/['’](?:s$)?/g, '');
  const pieces = plain.split(JOINTS).filter((piece) => piece !== '');
  for (const piece of pieces) {
    // Long runs are data, not identifiers; splitting them at each capital would only add noise.
    const parts = piece.length > MAX_TOKEN ? [piece.slice(0, MAX_TOKEN)] : piece.split(camel);
    for (const part of parts) push(part.toLowerCase(), tokens);
    if (parts.length > 1) push(piece.toLowerCase(), tokens);
  }
  if (pieces.length < 2) return;
  const joined = pieces.join('');
  if (joined.length <= MAX_TOKEN) push(joined.toLowerCase(), tokens);
}

function unspacedTokens(compound: string, tokens: string[]): void {
  const { unspaced, han, camel } = shapes();
  let at = 0;
  for (const match of compound.matchAll(unspaced)) {
    if (match.index > at) compoundTokens(compound.slice(at, match.index), camel, tokens);
    const chars = [...match[0]];
    chars.forEach((char, i) => {
      // A single Chinese character is often a word; one of an alphabet or a syllabary is not.
      if (chars.length === 1 || han.test(char)) tokens.push(char);
      if (i + 1 < chars.length) tokens.push(`${char}${chars[i + 1]}`);
    });
    at = match.index + match[0].length;
  }
  if (at < compound.length) compoundTokens(compound.slice(at), camel, tokens);
}

function push(word: string, tokens: string[]): void {
  if (word !== '' && !STOP_WORDS.has(word)) tokens.push(stem(word));
}

function withoutPlural(word: string): string {
  // `cookies` and `cookie`, `retries`, `retried` and `retry` all end in y after this.
  if (/(?:ies|ied|ie)$/.test(word) && word.length > 4) return word.replace(/ie[sd]?$/, 'y');
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutSuffix(word: string): string {
  for (const suffix of ['ing', 'ed', 'ion', 'er', 'or', 'ly']) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < 3 || !/[aeiouy]/.test(rest) || (suffix === 'ion' && !/[st]$/.test(rest))) return word;
    return /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  }
  return word;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
