import { type Finding, matchesOf } from './findings.ts';

/** The digits as they are said, in ten languages. */
const DIGIT =
  '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|' +
  'zéro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre|quattro|' +
  'cinque|sei|sette|otto|nove|um|dois|três|quatro|sete|oito|nul|een|één|twee|drie|vijf|zes|zeven|negen|noll|ett|två|' +
  'fyra|fem|sex|sju|åtta|nio|jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|ноль|один|два|три|четыре|пять|' +
  'шесть|семь|восемь|девять)';
// In lower case, as people write what they say: this is tried at every word of every text.
const SPELT = new RegExp(
  `(?<![\\w-])(?:(?:double|triple|doppel) )?${DIGIT}(?:[ ,.-]{1,3}(?:double |triple |and |und |et |y |e )?${DIGIT}){3,11}(?![\\w-])`,
  'g',
);
/** A character that is named: `capital K`, `dash`; four of them or more, among digits. */
const CASED =
  '(?:(?:capital|upper ?case|lower ?case|small|big|majuscule|minuscule|mayúscula|minúscula|maiuscol[ao]|minuscol[ao]|gro(?:ß|ss)(?:es)?|klein(?:es)?) [A-Za-z]|alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|x-?ray|yankee|zulu)';
const MARK =
  '(?:dash|hyphen|minus|underscore|exclamation (?:mark|point)|question mark|at(?: sign)?|hash|pound|dollar(?: sign)?|percent|star|asterisk|dot|period|slash|colon|plus|equals|ampersand|bindestrich|unterstrich|ausrufezeichen|fragezeichen|punkt|raute|tiret|guion|trattino)';
const NAMED = new RegExp(
  `(?<![\\w-])(?:(?:${CASED}|${MARK}|${DIGIT})[ ,]{1,3}(?:and |und |et |y )?){3,30}(?:${CASED}|${MARK}|${DIGIT})(?![\\w-])`,
  'gi',
);
/** Without both, the named characters are words of a sentence. */
const TWO_CASED = new RegExp(`${CASED}.*${CASED}`, 'iu');
const ANY_DIGIT = new RegExp(DIGIT, 'iu');
/** How far a word that announces the code may be, in UTF-16 units: about a sentence. */
const LINE = 160;
/** What a code opens, or a word for one. */
const OPENS =
  /\b(?:codes?|pins?|puk|passcode|combination|combo|password|pw|keypad|alarm|safe|lock|door|gate|kod[ea]?|código|codice|tresor|türe?|schloss|code|coffre|porte|caja|puerta|cassaforte|porta|cofre|kluis|slot|deur|dörr|lås|larm|sejf|drzwi|zamek|passwort|kennwort|mot de passe|contraseña|senha)\b|код|пароль|сейф|двер|замок|сигнализац/iu;
/** The order in which one counts. */
const COUNTING =
  /one\W+two\W+three|three\W+two\W+one|eins\W+zwei\W+drei|un\W+deux\W+trois|un[oe]\W+d\p{L}+\W+tr|один\W+два\W+три/iu;

/** Finds codes that somebody spells out: `the alarm code is four nine two seven`. */
export function findSpeltCodes(text: string): Finding[] {
  const named =
    /\bspel|buchstab|capital|upper ?case|foxtrot|tango|zulu|kilo|bravo|romeo|sierra|victor|oscar|yankee/iu.test(text)
      ? matchesOf(text, NAMED)
      : [];
  const cased = named.filter(([one]) => TWO_CASED.test(one) && ANY_DIGIT.test(one));
  return [...matchesOf(text, SPELT), ...cased].flatMap(({ 0: digits, index }) => {
    const before = text.slice(Math.max(0, index - LINE), index);
    const behind = text.slice(index, index + digits.length + LINE);
    const line = before.slice(before.lastIndexOf('\n') + 1) + (/^[^\n]*/u.exec(behind)?.[0] ?? '');
    return OPENS.test(line) && !COUNTING.test(digits)
      ? [{ start: index, end: index + digits.length, kind: 'pin' }]
      : [];
  });
}
