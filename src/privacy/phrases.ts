import { type Finding, matchesOf } from './findings.ts';
import { isGivenPhrase } from './given-values.ts';
import { type ByLanguage, byLanguage, fitting, hintsIn } from './hints.ts';
import { BE, hintsOf, PASSWORD_STEMS } from './secret-words.ts';

const password = (words: string) =>
  `(?:pass[ _-]?(?:phrase|word|code)|(?:encryption|disk|unlock|vault|secret|security)[ ]phrase|diceware|phrase secr[eè]te|frase secreta|frase segreta|${words})\\p{L}{0,8}`;
/** The password that opens all others. */
const master = (words: string) =>
  `(?:master|haupt|general|maestr[ao]|mestra|maître|główne|мастер|vault|keepass|keychain|luks|disk)[ -]?(?:key|pass(?:word|wort)|${words})`;
const WORD = '[a-z\\u00e0-\\u017f]{2,12}';
const WORDS = `${WORD}(?:[ ]${WORD}){3,10}`;
const FEW_WORDS = `${WORD}(?:[ ]${WORD}){2,10}`;
/** Passphrases: in quotes in a sentence, as the value of a name, and as the input of a command. */
const PLACES: readonly (RegExp | ByLanguage)[] = [
  byLanguage(
    (words) =>
      new RegExp(
        `${password(words)}[^\\n"“«„\`'「]{0,60}(?:[a-z]'[a-z][^\\n"“«„\`'「]{0,12})?["“«„\`'「][ \\u00a0\\u202f]?(${WORDS})[ \\u00a0\\u202f]?["”»“\`'」]`,
        'giu',
      ),
  ),
  new RegExp(`\\b(?:psk|\\w{0,20}passphrase)["']?[ ]{0,4}[:=][ ]{0,4}(["'])(?<phrase>${FEW_WORDS})\\1`, 'giu'),
  byLanguage(
    (words) =>
      new RegExp(
        `(?:pass-?_?phrase|${master(words)}|secret[ _-]?recovery[ _-]?phrase)\\p{L}{0,6}["'\`*]{0,3}[^\\n:="'\`]{0,40}?(?:[ ]{0,4}(?:[:=]|->|→|⇒)|[ ](?:${BE}|heißt|lautet))[*]{0,2}[ ]{0,4}(?:[>|]?[-+]?[ ]{0,4}\\r?\\n(?:\\r?\\n)?[ \\t]{0,40})?["'\`]?(${WORDS})["'\`]?[.]?[ \\t]{0,4}$`,
        'gimu',
      ),
  ),
  byLanguage(
    (words) =>
      new RegExp(
        `${password(words)}[^\\n]{0,120}?\\b(?:lower ?case|spaces|words)\\b[^\\n:]{0,30}:[ ](${WORDS})(?=[.]|$)`,
        'gimu',
      ),
  ),
  new RegExp(`<<<[ ]{0,2}["'](${WORDS})["']`, 'gu'),
  // Three words or more that marks join, after a verb or a colon.
  byLanguage(
    (words) =>
      new RegExp(
        `(?:pass-?_?phrase|${master(words)})\\b[^\\n]{0,80}?(?:[:=]|(?=[ ]["'\`])|[ ](?:now|lautet|heißt|${BE}))[ ]{0,4}(?:\\r?\\n)?["'\`]?([a-z]{3,10}(?:([-._])[a-z]{3,10})(?:\\2[a-z]{3,10}){1,9})["'\`]?(?=[\\s,;.]|$)`,
        'giu',
      ),
  ),
];
const HINTS = ['pass', 'psk', 'phrase', 'frase', 'master', 'diceware', '<<<', ...hintsOf(PASSWORD_STEMS)];
/** Words that a sentence or a label could not do without. */
const PROSE =
  /\b(?:the|your|you|for|and|not|with|must|please|enter|from|only|has|are|was|this|that|new|old|password|passphrase|required|again|empty|file|stdin|env|never|always|still|being|been|will|can|cannot|could|should|would|does|did|have|had|stored|kept|asked|set|reset|changed|used|needed|wrong|too|very|also|more|than|then|when|where|which|while|every|each|same|other|both|all|any|some|but|its|our|per|via|out|into|here|there|before|after|nicht|wird|und|oder|noch|mehr)\b/u;

/** Tells whether a text is a list of words rather than a sentence about a passphrase. */
export function isWordList(value: string): boolean {
  return new RegExp(`^${WORDS}$`, 'u').test(value) && !PROSE.test(value);
}

/** Tells whether a text has words that only a sentence or a label needs. */
export function isProse(value: string): boolean {
  return PROSE.test(value);
}

/** Words that are asked for at a door or on the telephone, and the word itself. */
const SPOKEN =
  /(?:\b(?:magic|memorable|secret|code|safe|duress|challenge|verbal)[ -]?(?:pass)?word|\b(?:Losung(?:swort)?|Codewort|Zauberwort|Geheimwort|Sicherheitswort)\b|\bmot (?:magique|secret|de code)|\bpalabra (?:mágica|secreta)|\bpalavra (?:mágica|secreta)|\bparola (?:magica|segreta|d['’]ordine)|волшебное слово|кодовое слово|секретное слово|контрольное слово|合言葉|暗号は)(?![-\w])(?![^\n.]{0,50}\b(?:called|means|in (?:German|English|French))\b)[^\n.:="'“„«(]{0,50}?(?:[:：=]|->|→|[ ][—–](?=[ ])|[ ](?:is|ist|lautet|heißt|est|es|é|è|это)(?=[ ])|は|(?=[ ]["'“„«])|(?<=\b(?:say|use|give|tell|nenn|sag|dis|di|diga|скажи)\b[^\n]{0,40}))[ ]{0,2}["'“„«*`]{0,2}(\p{L}[\p{L}\p{N}_.!#$%&*+/=@^~-]{3,28}[\p{L}\p{N}])(?=["'”“»*`」』]{1,2}|[.!,;]?[ \t]{0,4}$|[.!,;][ ]|[ ][—–][ ]|[ ](?:when|if|at|to|and)\b)/gimu;
const SPOKEN_HINTS = (
  'magic,memorable,secret word,secret-word,secretword,code word,codeword,code-word,safe word,safeword,safe-word,duress,challenge,' +
  'verbal,losung,codewort,zauberwort,geheimwort,sicherheitswort,mot secret,mot de code,palabra,palavra,parola,слово,合言葉,暗号'
).split(',');
/** What such a sentence says about the word instead. */
const ABOUT =
  /^(?:\p{Ll}+(?:ed|ing|ly|ten|iert|able|ible)|please|bitte|missing|wrong|secret|empty|required|different|incorrect|invalid|needed|given|known|never|always|still|where|which|their|there|falsch|nicht|nötig|unknown|public|private|async|await|static|const|correct|manque|falta|manca|about|because|something)$/iu;

/** Finds passphrases of plain words, and words to be said, which only their place tells from a sentence. */
export function findPhrases(text: string): Finding[] {
  const holds = hintsIn(text);
  const places = [...(HINTS.some(holds) ? PLACES : []), ...(SPOKEN_HINTS.some(holds) ? [SPOKEN] : [])];
  return places.flatMap((place) =>
    matchesOf(text, place instanceof RegExp ? place : fitting(place, text)).flatMap((match) => {
      const value = match.groups?.phrase ?? match[1] ?? '';
      // `vault_password_files` is a name of code.
      if (
        place === SPOKEN
          ? ABOUT.test(value)
          : !isGivenPhrase(value.replaceAll(/[-._]/gu, ' ')) || PROSE.test(value) || /pass|vault|_/u.test(value)
      )
        return [];
      const start = match.index + match[0].lastIndexOf(value);
      return [{ start, end: start + value.length, kind: 'password' }];
    }),
  );
}
