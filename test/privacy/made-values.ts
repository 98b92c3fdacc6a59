import {
  ALNUM,
  BASE64,
  createDice,
  DIGITS,
  type Dice,
  HEX,
  LOWER,
  pem,
  UPPER,
  URLSAFE,
  uuid,
} from './secret-corpus.ts';

const WORDS =
  'amber,basil,cactus,dune,ember,fjord,glacier,hazel,island,jasper,kettle,lagoon,meadow,nectar,orchid,pebble,quartz,raven,saddle,thistle,umbra,velvet,willow,yonder,zephyr,marble,copper,walnut,lantern,harbor,pepper,falcon,winter,summer,dragon,puzzle,rocket,tiger,banana,coffee,river,stone,silver,castle,forest,garden,window,bridge'.split(
    ',',
  );
const BIP =
  'abandon ability about absent absorb abstract abuse access account acoustic action actor actress adapt address adjust admit advance advice afford agent agree airport album alcohol alert alien alley allow almost amateur amazing amount anchor ancient anger animal ankle announce answer antenna antique anxiety apart apology apple approve april arch arctic area arena argue armor army arrange arrest arrive arrow artist artwork'.split(
    ' ',
  );
const NONZERO = '123456789';
const BASE32 = `${UPPER}234567`;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

const cap = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const word = (d: Dice) => WORDS[d.below(WORDS.length)] ?? '';
const bip = (d: Dice) => BIP[d.below(BIP.length)] ?? '';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const groups = (d: Dice, count: number, alphabet: string, length: number) =>
  Array.from({ length: count }, () => d.chars(alphabet, length)).join('-');

const STYLES: ((d: Dice) => string)[] = [
  (d) => `${cap(word(d))}-${cap(word(d))}-${d.chars(DIGITS, 2)}`,
  (d) => `${word(d)}-${word(d)}-${d.chars(NONZERO, 2)}`,
  (d) => `${cap(word(d))}20${d.chars(DIGITS, 2)}${d.pick(['!', '#', '$', '?'])}`,
  (d) => d.chars(ALNUM, 12 + d.below(7)),
  (d) => d.chars(`${ALNUM}!#$%&*+-=?@^_`, 14 + d.below(6)),
  (d) =>
    `${cap(word(d)).replace('a', '4').replace('e', '3').replace('i', '1').replace('o', '0')}${d.pick(['!', '_', '#', '.'])}${d.chars(DIGITS, 3)}`,
  (d) => `${word(d)}${d.chars(NONZERO, 3)}`,
  (d) => `${cap(word(d))}${cap(word(d))}${d.chars(NONZERO, 2)}`,
  (d) => `${word(d)}.${word(d)}.${word(d)}${d.chars(DIGITS, 1)}`,
  (d) => `${d.chars(LOWER, 3)}${d.chars(DIGITS, 2)}${d.chars(UPPER, 3)}${d.pick(['!', '*', '+'])}${d.chars(ALNUM, 3)}`,
];
/** A password as a person or a program makes it up, in the `n`th of ten styles. */
const pw = (d: Dice, n: number) => STYLES[n % STYLES.length]?.(d) ?? '';
const pwWithout = (marks: RegExp) => (d: Dice, n: number) => pw(d, n).replace(marks, 'x');

/** What makes a secret, by its name in a template. */
const SECRETS: Record<string, (d: Dice, n: number) => string> = {
  pw,
  urlpw: (d, n) => encodeURIComponent(pw(d, n)),
  pwnosemi: pwWithout(/[;"'{}=]/g),
  pwxml: (d, n) => pw(d, n).replace(/&/g, '&amp;').replace(/</g, '&lt;'),
  pwjson: pwWithout(/["\\]/g),
  pwjs: pwWithout(/['\\$]/g),
  pwjs2: pwWithout(/['"\\$%]/g),
  pwps: pwWithout(/["$`]/g),
  pwtab: pwWithout(/\|/g),
  pwcsv: pwWithout(/[,"&]/g),
  pwor: pwWithout(/[@/#$%&?!^:]/g),
  pwyaml: pwWithout(/[#&*!%@`"'{}:?|>]/g),
  pw16: (d, n) => pw(d, n).slice(0, 16),
  pw8: (d) => `${d.chars(ALNUM, 7)}7`,
  upw: (d) => `${word(d).toUpperCase().slice(0, 5)}${d.chars(DIGITS, 2)}${d.chars(UPPER, 1)}`,
  magic: (d, n) => (n % 2 ? cap(word(d)) + word(d) : `${word(d)}${d.chars(NONZERO, 2)}`),
  BPW: (d, n) => base64(pw(d, n)),
  BPLAIN: (d, n) => base64(`\0joe\0${pw(d, n)}`),
  basic: (d, n) => base64(`ci:${pw(d, n)}`),
  tok: (d, n) => [d.chars(ALNUM, 32), d.chars(URLSAFE, 40), d.chars(HEX, 40), d.chars(LOWER + DIGITS, 36)][n % 4] ?? '',
  sig: (d) => encodeURIComponent(`${d.chars(BASE64, 43)}=`),
  akid: (d) => `AKIA${d.chars(BASE32, 16)}`,
  ghp: (d) => `ghp_${d.chars(ALNUM, 36)}`,
  xoxb: (d) => `xoxb-${d.chars(DIGITS, 12)}-${d.chars(DIGITS, 13)}-${d.chars(ALNUM, 24)}`,
  stripe: (d) => `sk_live_${d.chars(ALNUM, 24)}`,
  aiza: (d) => `AIza${d.chars(URLSAFE, 35)}`,
  sg: (d) => `SG.${d.chars(URLSAFE, 22)}.${d.chars(URLSAFE, 43)}`,
  tg: (d) => `${d.chars(NONZERO, 10)}:AA${d.chars(URLSAFE, 33)}`,
  npm: (d) => `npm_${d.chars(ALNUM, 36)}`,
  slackpath: (d) => `T${d.chars(UPPER, 8)}/B${d.chars(UPPER, 10)}/${d.chars(ALNUM, 24)}`,
  agekey: (d) => `AGE-SECRET-KEY-1${d.chars(BECH.toUpperCase(), 58)}`,
  jwt: (d) =>
    `${base64('{"alg":"HS256"}').replace(/=/g, '')}.${base64(`{"sub":"${d.chars(LOWER, 9)}"}`).replace(/=/g, '')}.${d.chars(URLSAFE, 43)}`,
  phraseq: (d) => `"${Array.from({ length: 5 }, () => word(d)).join(' ')}"`,
  uuidS: uuid,
  hf: (d) => `hf_${d.chars(ALNUM, 34)}`,
  openai: (d) => `sk-proj-${d.chars(ALNUM, 48)}`,
  anthropic: (d) => `sk-ant-api03-${d.chars(URLSAFE, 93)}AA`,
  glpat: (d) => `glpat-${d.chars(URLSAFE, 20)}`,
  dop: (d) => `dop_v1_${d.chars(HEX, 64)}`,
  azsec: (d) => `${d.chars(ALNUM, 3)}8Q~${d.chars(`${ALNUM}_~.-`, 33)}`,
  wif: (d) => `5${d.pick(['H', 'J', 'K'])}${d.chars(BASE58, 49)}`,
  xprv: (d) => `xprv9s21ZrQH143K${d.chars(BASE58, 95)}`,
  discord: (d) => `M${d.chars(ALNUM, 23)}.${d.chars(ALNUM, 6)}.${d.chars(URLSAFE, 38)}`,
  puk: (d) => d.chars(DIGITS, 8),
  mix6: (d) => `${d.chars(LOWER, 1)}${d.chars(ALNUM, 4)}${d.chars('23456789', 1)}`,
  mix16: (d) => d.chars(ALNUM, 16),
  mix20: (d) => d.chars(ALNUM, 20),
  applepw: (d) => groups(d, 4, LOWER, 4),
  phrase: (d, n) => Array.from({ length: 4 + (n % 3) }, () => word(d)).join(n % 3 === 2 ? '-' : ' '),
  words12: (d) => Array.from({ length: 12 }, () => bip(d)).join(' '),
  rc: (d, n) =>
    [groups(d, 2, LOWER + DIGITS, 5), d.chars(DIGITS, 8), groups(d, 3, HEX, 4), d.chars(UPPER + DIGITS, 8)][n % 4] ??
    '',
  reckey: (d) => groups(d, 7, `${UPPER}23456789`, 4),
  filevault: (d) => groups(d, 6, `${UPPER}23456789`, 4),
  bitlocker: (d) => groups(d, 8, DIGITS, 6),
  b32: (d, n) => d.chars(BASE32, n % 2 ? 16 : 32),
  lic: (d) => groups(d, 5, UPPER + DIGITS, 5),
  pem: (d) => pem(d),
  pemesc: (d) => pem(d).replaceAll('\n', '\\n'),
  n10: (d) => d.chars(NONZERO, 10),
  UP26: (d) => d.chars(UPPER + DIGITS, 26),
  lic5: (d) => groups(d, 5, UPPER + DIGITS, 5),
};
/** The same, with a length behind the name. */
const SIZED_SECRETS: Record<string, (d: Dice, length: number) => string> = {
  pin: (d, length) => `${d.chars(NONZERO, 1)}${d.chars(DIGITS, length - 1)}`,
  hex: (d, length) => d.chars(HEX, length),
  'b64-': (d, length) => {
    const padding = length % 4 !== 0 || length <= 40 ? '' : length === 88 ? '==' : '=';
    return d.chars(BASE64, length - padding.length) + padding;
  },
};
/** What is no secret. */
const SHOWN: Record<string, (d: Dice) => string> = {
  d2: (d) => d.chars(DIGITS, 2),
  uuid,
  w: bip,
};
/** The alphabets of what is no secret, with a length behind the name. */
const SIZED: Record<string, string> = {
  HEX: HEX.toUpperCase(),
  b64n: BASE64,
  b64u: URLSAFE,
  an: ALNUM,
  low: LOWER + DIGITS,
  bech: BECH,
  n: NONZERO,
  UP: UPPER + DIGITS,
};

/** A text made of a template, and what must not be left of it. */
export interface Written {
  text: string;
  needles: string[];
}

/** The text of a template with values made at random; `{pw}`, `{tok}`, `{hex40}` and the like are replaced. */
export function written(template: string, seed: number, n: number): Written {
  const dice = createDice(seed);
  const needles: string[] = [];
  const text = unescaped(template).replace(/(?<![${])\{([A-Za-z]+(?:64[nu]?-?)?)(\d*)\}/g, (whole, name, digits) => {
    const secret = SECRETS[`${name}${digits}`]?.(dice, n) ?? (digits && SIZED_SECRETS[name]?.(dice, Number(digits)));
    if (secret) {
      // Of a key file, a line of its body.
      needles.push(name.startsWith('pem') ? (secret.split(/\n|\\n/)[3] ?? '') : secret);
      return secret;
    }
    return SHOWN[`${name}${digits}`]?.(dice) ?? sized(SIZED[name], digits, dice) ?? whole;
  });
  return { text, needles };
}

function sized(alphabet: string | undefined, digits: string, dice: Dice): string | undefined {
  return alphabet === undefined || digits === '' ? undefined : dice.chars(alphabet, Number(digits));
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', e: '\u001b', '\\': '\\' };

/** A line of a fixture as the text that it stands for. */
export function unescaped(line: string): string {
  return line.replace(/\\(?:([ntre\\])|x([0-9a-f]{2}))/g, (_, letter: string | undefined, code: string) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[letter] ?? ''),
  );
}
