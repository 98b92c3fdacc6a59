import { ALNUM, BASE64, DIGITS, type Dice, HEX, LOWER, pem, UPPER, URLSAFE, uuid } from './secret-corpus.ts';

const WORDS =
  'amber,basil,cactus,dune,ember,fjord,glacier,hazel,island,jasper,kettle,lagoon,meadow,nectar,orchid,pebble,quartz,raven,saddle,thistle,umbra,velvet,willow,yonder,zephyr,marble,copper,walnut,lantern,harbor,pepper,falcon,winter,summer,dragon,puzzle,rocket,tiger,banana,coffee,river,stone,silver,castle,forest,garden,window,bridge'.split(
    ',',
  );
const BIP =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien all alley allow almost alone alpha already also alter always amateur amazing among amount amused analyst anchor ancient anger angle angry animal ankle announce annual another answer antenna antique anxiety any apart apology appear apple approve april arch arctic area arena argue arm armed armor army around arrange arrest arrive arrow art artefact artist artwork'.split(
    ' ',
  );
const cap = (w: string) => w.charAt(0).toUpperCase() + w.slice(1);
const word = (d: Dice) => WORDS[d.below(WORDS.length)] ?? '';
const STYLES: ((d: Dice) => string)[] = [
  (d) => `${cap(word(d))}-${cap(word(d))}-${d.chars(DIGITS, 2)}`,
  (d) => `${word(d)}-${word(d)}-${d.chars('123456789', 2)}`,
  (d) => `${cap(word(d))}20${d.chars(DIGITS, 2)}${d.pick(['!', '#', '$', '?'])}`,
  (d) => d.chars(ALNUM, 12 + d.below(7)),
  (d) => d.chars(`${ALNUM}!#$%&*+-=?@^_`, 14 + d.below(6)),
  (d) =>
    `${cap(word(d)).replace('a', '4').replace('e', '3').replace('i', '1').replace('o', '0')}${d.pick(['!', '_', '#', '.'])}${d.chars(DIGITS, 3)}`,
  (d) => `${word(d)}${d.chars('123456789', 3)}`,
  (d) => `${cap(word(d))}${cap(word(d))}${d.chars('123456789', 2)}`,
  (d) => `${word(d)}.${word(d)}.${word(d)}${d.chars(DIGITS, 1)}`,
  (d) => `${d.chars(LOWER, 3)}${d.chars(DIGITS, 2)}${d.chars(UPPER, 3)}${d.pick(['!', '*', '+'])}${d.chars(ALNUM, 3)}`,
];
/** A password as a person or a program makes it up, in the `n`th of ten styles. */
function pw(d: Dice, n: number): string {
  return STYLES[n % STYLES.length]?.(d) ?? '';
}
const b64 = (s: string) => Buffer.from(s).toString('base64');
type Made = { shown: string; needle?: string };
function make(name: string, d: Dice, n: number): Made {
  const secret = (s: string): Made => ({ shown: s, needle: s });
  const P = () => pw(d, n);
  const m = /^(b64[nu]?|[A-Za-z]+)-?(\d+)$/.exec(name);
  switch (name) {
    case 'pw':
      return secret(P());
    case 'urlpw':
      return secret(encodeURIComponent(P()));
    case 'pwnosemi':
      return secret(P().replace(/[;"'{}=]/g, 'x'));
    case 'pwxml':
      return secret(P().replace(/&/g, '&amp;').replace(/</g, '&lt;'));
    case 'pwjson':
      return secret(P().replace(/["\\]/g, 'x'));
    case 'pwjs':
      return secret(P().replace(/['\\$]/g, 'x'));
    case 'pwtab':
      return secret(P().replace(/\|/g, 'x'));
    case 'pwcsv':
      return secret(P().replace(/[,"&]/g, 'x'));
    case 'pwor':
      return secret(P().replace(/[@/#$%&?!^:]/g, 'x'));
    case 'upw':
      return secret(`${word(d).toUpperCase().slice(0, 5)}${d.chars(DIGITS, 2)}${d.chars(UPPER, 1)}`);
    case 'magic':
      return secret(n % 2 ? cap(word(d)) + word(d) : `${word(d)}${d.chars('123456789', 2)}`);
    case 'BPW':
      return secret(b64(P()));
    case 'b64user':
      return { shown: b64('joe') };
    case 'BPLAIN':
      return secret(b64(`\0joe\0${P()}`));
    case 'basic':
      return secret(b64(`ci:${P()}`));
    case 'tok':
      return secret(
        [d.chars(ALNUM, 32), d.chars(URLSAFE, 40), d.chars(HEX, 40), d.chars(LOWER + DIGITS, 36)][n % 4] ?? '',
      );
    case 'sig':
      return secret(encodeURIComponent(`${d.chars(BASE64, 43)}=`));
    case 'akid':
      return secret(`AKIA${d.chars(`${UPPER}234567`, 16)}`);
    case 'ghp':
      return secret(`ghp_${d.chars(ALNUM, 36)}`);
    case 'xoxb':
      return secret(`xoxb-${d.chars(DIGITS, 12)}-${d.chars(DIGITS, 13)}-${d.chars(ALNUM, 24)}`);
    case 'stripe':
      return secret(`sk_live_${d.chars(ALNUM, 24)}`);
    case 'aiza':
      return secret(`AIza${d.chars(URLSAFE, 35)}`);
    case 'sg':
      return secret(`SG.${d.chars(URLSAFE, 22)}.${d.chars(URLSAFE, 43)}`);
    case 'tg':
      return secret(`${d.chars('123456789', 10)}:AA${d.chars(URLSAFE, 33)}`);
    case 'npm':
      return secret(`npm_${d.chars(ALNUM, 36)}`);
    case 'slackpath':
      return secret(`T${d.chars(UPPER, 8)}/B${d.chars(UPPER, 10)}/${d.chars(ALNUM, 24)}`);
    case 'agekey':
      return secret(`AGE-SECRET-KEY-1${d.chars('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`);
    case 'jwt':
      return secret(
        `${b64('{"alg":"HS256"}').replace(/=/g, '')}.${b64(`{"sub":"${d.chars(LOWER, 9)}"}`).replace(/=/g, '')}.${d.chars(URLSAFE, 43)}`,
      );
    case 'pem': {
      const p = pem(d);
      return { shown: p, needle: p.split('\n')[3] ?? '' };
    }
    case 'pemesc': {
      const p = pem(d);
      return { shown: p.replaceAll('\n', '\\n'), needle: p.split('\n')[3] ?? '' };
    }
    case 'pwps':
      return secret(P().replace(/["$`]/g, 'x'));
    case 'pwjs2':
      return secret(P().replace(/['"\\$%]/g, 'x'));
    case 'pwyaml':
      return secret(P().replace(/[#&*!%@`"'{}:?|>]/g, 'x'));
    case 'pw16':
      return secret(P().slice(0, 16));
    case 'phraseq':
      return secret(`"${Array.from({ length: 5 }, () => word(d)).join(' ')}"`);
    case 'uuidS':
      return secret(uuid(d));
    case 'n10':
      return secret(d.chars('123456789', 10));
    case 'hf':
      return secret(`hf_${d.chars(ALNUM, 34)}`);
    case 'openai':
      return secret(`sk-proj-${d.chars(ALNUM, 48)}`);
    case 'anthropic':
      return secret(`sk-ant-api03-${d.chars(URLSAFE, 93)}AA`);
    case 'glpat':
      return secret(`glpat-${d.chars(URLSAFE, 20)}`);
    case 'dop':
      return secret(`dop_v1_${d.chars(HEX, 64)}`);
    case 'azsec':
      return secret(`${d.chars(ALNUM, 3)}8Q~${d.chars(`${ALNUM}_~.-`, 33)}`);
    case 'wif':
      return secret(
        `5${d.pick(['H', 'J', 'K'])}${d.chars('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 49)}`,
      );
    case 'xprv':
      return secret(`xprv9s21ZrQH143K${d.chars('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 95)}`);
    case 'pw8':
      return secret(`${d.chars(ALNUM, 7)}7`);
    case 'mix16':
      return secret(d.chars(ALNUM, 16));
    case 'discord':
      return secret(`M${d.chars(ALNUM, 23)}.${d.chars(ALNUM, 6)}.${d.chars(URLSAFE, 38)}`);
    case 'puk':
      return secret(d.chars(DIGITS, 8));
    case 'd2':
      return { shown: d.chars(DIGITS, 2) };
    case 'uuid':
      return { shown: uuid(d) };
    case 'mix6':
      return secret(`${d.chars(LOWER, 1)}${d.chars(ALNUM, 4)}${d.chars('23456789', 1)}`);
    case 'mix20':
      return secret(d.chars(ALNUM, 20));
    case 'applepw':
      return secret(Array.from({ length: 4 }, () => d.chars(LOWER, 4)).join('-'));
    case 'phrase':
      return secret(Array.from({ length: 4 + (n % 3) }, () => word(d)).join(n % 3 === 2 ? '-' : ' '));
    case 'words12':
      return secret(Array.from({ length: 12 }, () => BIP[d.below(BIP.length)] ?? '').join(' '));
    case 'w':
      return { shown: BIP[d.below(BIP.length)] ?? '' };
    case 'rc':
      return secret(
        [
          `${d.chars(LOWER + DIGITS, 5)}-${d.chars(LOWER + DIGITS, 5)}`,
          d.chars(DIGITS, 8),
          `${d.chars(HEX, 4)}-${d.chars(HEX, 4)}-${d.chars(HEX, 4)}`,
          `${d.chars(UPPER + DIGITS, 8)}`,
        ][n % 4] ?? '',
      );
    case 'reckey':
      return secret(Array.from({ length: 7 }, () => d.chars(`${UPPER}23456789`, 4)).join('-'));
    case 'filevault':
      return secret(Array.from({ length: 6 }, () => d.chars(`${UPPER}23456789`, 4)).join('-'));
    case 'bitlocker':
      return secret(Array.from({ length: 8 }, () => d.chars(DIGITS, 6)).join('-'));
    case 'b32':
      return secret(d.chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', n % 2 ? 16 : 32));
    case 'lic':
      return secret(Array.from({ length: 5 }, () => d.chars(UPPER + DIGITS, 5)).join('-'));
    case 'lic5':
      return secret(Array.from({ length: 5 }, () => d.chars(UPPER + DIGITS, 5)).join('-'));
  }
  if (m) {
    const [, kind, len] = m;
    const l = Number(len);
    switch (kind) {
      case 'pin':
        return secret(`${d.chars('123456789', 1)}${d.chars(DIGITS, l - 1)}`);
      case 'hex':
        return secret(d.chars(HEX, l));
      case 'HEX':
        return { shown: d.chars(HEX.toUpperCase(), l) };
      case 'b64':
        return secret(
          l % 4 === 0 && l > 40
            ? `${d.chars(BASE64, l === 88 ? 86 : l - 1)}${l === 88 ? '==' : '='}`
            : d.chars(BASE64, l),
        );
      case 'b64n':
        return { shown: d.chars(BASE64, l) };
      case 'b64u':
        return { shown: d.chars(URLSAFE, l) };
      case 'an':
        return { shown: d.chars(ALNUM, l) };
      case 'low':
        return { shown: d.chars(LOWER + DIGITS, l) };
      case 'bech':
        return { shown: d.chars('qpzry9x8gf2tvdw0s3jn54khce6mua7l', l) };
      case 'n':
        return { shown: d.chars('123456789', l) };
      case 'UP':
        return l === 26 ? secret(d.chars(UPPER + DIGITS, l)) : { shown: d.chars(UPPER + DIGITS, l) };
    }
  }
  throw new Error(`no maker ${name}`);
}
const KNOWN = /(?<!\$)(?<!\{)\{([A-Za-z]+(?:64n?u?-?)?\d*(?:-\d+)?)\}/g;
/** The text of a template with values made at random, and those of them that must not be left in it. */
export function written(template: string, d: Dice, n: number): { text: string; needles: string[] } {
  const needles: string[] = [];
  let text = template.replace(/\\n/g, '\n').replace(/\\t/g, '\t');
  text = text.replace(KNOWN, (whole, name: string) => {
    let made: Made;
    try {
      made = make(name.replace(/^(b64[nu]?)-?(\d+)$/, '$1-$2').replace(/^b64-/, 'b64-'), d, n);
    } catch {
      return whole;
    }
    if (made.needle) needles.push(made.needle);
    return made.shown;
  });
  return { text, needles };
}
