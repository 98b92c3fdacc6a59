import { type Finding, matchesOf } from './findings.ts';
import { looksRandom } from './secret-values.ts';

/** What announces a list of codes, each of which replaces a password once. */
const RECOVERY =
  /recover|backup|varmuus|taaste|atkūr|atgav|atjauno|rikthim|bərpa|tiklash|қалпына|калыбына|барқарор|აღდგენ|վերականգն|पुनर्प्राप्ति|रिकवरी|बैकअप|পুনরুদ্ধার|রিকভারি|પુનઃપ્રાપ્તિ|மீட்பு|రికవరీ|ಮರುಪಡೆ|വീണ്ടെടുക്ക|ස්ථාපන|ការសង្គ្រោះ|ກູ້ຄືນ|ပြန်လည်|kuokoa|urejesh|adfer|athshl|berreskura|sauvegarde|sigurnosn|back-up|rescue|scratch|emergency|one-time|two-factor|2fa|mfa|restor|wiederherst|notfall|ersatz|secours|récup|recup|respaldo|respald|rezerv|ripristin|recuper|herstel|återst|gendann|gjenopp|palaut|odzysk|zapasow|obnov|záloh|záložn|helyreáll|tartalék|восстанов|резерв|відновл|запас|ανάκτησης|ανάκτηση|kurtarma|yedek|שחזור|גיבוי|استرداد|بازیابی|khôi phục|dự phòng|กู้คืน|สำรอง|pemulihan|cadangan|恢复|恢復|备用|備用|復旧|回復|リカバリ|バックアップ|복구|백업/iu;
const CODE_WORD =
  /cod|kood|kod|cód|schlüssel|\bkeys?\b|(?<!\p{L})clés?(?!\p{L})|clave|chiav|sleutel|nyckel|nøgle|avain|klucz|klíč|ключ|код|κωδικ|anahtar|קוד|קודי|رمز|رموز|mã|รหัส|码|碼|コード|キー|코드|kodas|kods|కోడ్|ಕೋಡ್|കോഡ്|কোড|कोड|કોડ|ਕੋਡ|குறியீ|කේත|կոդ|კოდ|ኮድ|កូដ|ລະຫັດ|ကုဒ်/iu;
const CODE_IN_LIST = /^(?:[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){1,8}|[A-Za-z0-9]{6,20})$/;
const GROUPED =
  /(?<![\w-])(?=[A-Z-]{0,40}\d)(?:(?:[A-Z0-9]{4,6}-){3,9}[A-Z0-9]{4,6}|(?=[\d-]{0,20}[A-Z])[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}|(?<=code[ ])(?=\d{0,16}[A-Z])[A-Z0-9]{8,16})(?![\w-])/g;
/** A code of two groups or more, one of which mixes letters and digits, in a sentence about it. */
const IN_SENTENCE =
  /(?<![A-Za-z0-9_./-])(?:[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){1,5}|[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,5})(?![A-Za-z0-9_/-]|\.\w)/g;
const MIXED = /(?:^|-)(?=[0-9]{0,5}[A-Za-z])(?=[A-Za-z]{0,5}[0-9])(?![a-z]{3,5}\d{1,2}(?:-|$))[A-Za-z0-9]{4,6}(?:-|$)/;
const BITLOCKER = /(?<![\w-])(?:\d{6}-){7}\d{6}(?![\w-])/g;
/** A sentence: `Keep these somewhere safe.` */
const ADVICE = /^[^\n]{0,12}\p{L}{2,}(?:[ ]\S{1,20}){2,30}[.:!)]\s*$/u;
/** Most lines of a list: services hand out eight to sixteen codes, a line each or with blank lines between. */
const LONGEST_LIST = 24;

/** What announces the words of a wallet, and what no list of such words contains. */
const PHRASE =
  /(?:seed|recovery|backup|secret|mnemonic|wallet)[ _-]?(?:phrase|words)|mnemonic|\bseed\b|wiederherstellungs(?:phrase|wörter)|herstel(?:zin|woorden)|frase (?:semilla|de recuper|di recuper|seme)|phrase (?:de récup|secr|de secours)|återställningsfras|сид|фраз|мнемон|(?:1[258]|2[145]|twelve|twenty-?four|zwölf|douze|doce|dodici|doze|twaalf|tolv|dwanaście|двенадцать|дванадцять)(?:[ -]\p{L}{1,10})?[ -](?:words?|wört|mots|palabras|palavras|parole|woorden|ord\b|sł[óo]w|слов|sanaa|kelime|szó)|words? in (?:this )?order|in der reihenfolge|ledger (?:nano|live|backup|wallet)|trezor|metamask|wallet|bip-?39|electrum|monero|bitcoin|\bbtc\b|portefeuille|monedero|carteira|portafoglio|portfel|кошел|гаман|cüzdan|钱包|錢包|ウォレット|지갑|助记|助記|ニーモニック|シード|リカバリー|니모닉|시드|복구/giu;
const WORDS =
  /(?<![\p{L}\p{N}_-])(?:(?:\d{1,2}[.):]?\s{1,3})?[a-z]{3,8}[\s,]{1,8}){11,23}(?:\d{1,2}[.):]?\s{1,3})?[a-z]{3,8}(?![\p{L}\p{N}_-])/u;
const PROSE =
  /\b(?:the|and|for|are|not|was|has|from|into|should|which|its|our|were|und|der|die|das|que|los|las|les|des|une|een|het)\b/;

/** Finds what gives back an account or a wallet: lists of recovery codes, and the words of a wallet. */
export function findRecoveryCodes(text: string): Finding[] {
  return [
    ...matchesOf(text, BITLOCKER).map(({ 0: key, index }) => ({
      start: index,
      end: index + key.length,
      kind: 'recovery-code',
    })),
    ...inLists(text),
    ...inPhrases(text),
  ];
}

/** Lines of nothing but codes, below a line that announces them. */
function inLists(text: string): Finding[] {
  const found: Finding[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    const end = endOfLine(text, start);
    const line = text.slice(start, Math.min(end, start + 400));
    at = end + 1;
    const announced = RECOVERY.exec(line);
    if (!announced) continue;
    const around = line.slice(Math.max(0, announced.index - 40), announced.index + 60);
    // `saved these when I turned on 2fa:`
    if (
      !CODE_WORD.test(around) &&
      !(/\b(?:these|diese|estos|ces)\b.*[:：]\s*$/u.test(line) && /2fa|mfa|factor/iu.test(around))
    )
      continue;
    const lead = /[:：]|[ ](?:is|ist|est|es|è|é)(?=[ ])/u.exec(line);
    const from = lead ? lead.index + lead[0].length : -1;
    if (lead) found.push(...codesOf(line.slice(from), start + from));
    const near = [...line.matchAll(IN_SENTENCE)].filter(
      ({ 0: key, index }) => /\d/u.test(key) && Math.abs(index - announced.index) < 120,
    );
    const mixed = near.filter(([key]) => MIXED.test(key)).map(([key]) => shapeOf(key));
    for (const { 0: key, index } of near)
      if (mixed.includes(shapeOf(key)))
        found.push({ start: start + index, end: start + index + key.length, kind: 'recovery-code' });
    for (const { 0: key, index } of line.matchAll(GROUPED))
      found.push({ start: start + index, end: start + index + key.length, kind: 'recovery-code' });
    const codes: Finding[] = [];
    for (let row = 0, others = 0; row < LONGEST_LIST && at < text.length; row++) {
      const next = endOfLine(text, at);
      const below = text.slice(at, Math.min(next, at + 300));
      const isAmong = codes.length > 0;
      const last = codes.at(-1) ?? codesOf(text.slice(next + 1, endOfLine(text, next + 1)).slice(0, 300), next + 1)[0];
      const like = last && shapeOf(text.slice(last.start, last.end));
      const inLine = codesOf(below, at, like);
      // A blank line, and before the codes what to do with them.
      if (inLine.length === 0 && (others++ > 1 || (below.trim() !== '' && (isAmong || !ADVICE.test(below))))) break;
      codes.push(...inLine);
      at = next + 1;
    }
    found.push(...codes);
  }
  return found;
}

/**
 * The codes of a line; none if it has anything else but a bullet or a number before them. Among codes
 * with groups of the same lengths as `like`, letters without a digit are one as well.
 */
function codesOf(line: string, start: number, like?: string): Finding[] {
  // Numbered in two columns.
  const column = /^[ \t]*\d{1,2}[.):][ ]\S[^\n]{2,40}?[ \t]{2,12}(?=\d{1,2}[.):][ ])/u.exec(line)?.[0];
  if (column !== undefined)
    return [
      ...codesOf(column.trimEnd(), start, like),
      ...codesOf(line.slice(column.length), start + column.length, like),
    ];
  const lead = /^[\s>#*+•/-]*(?:\d{1,2}[.):][ ])?\s*/u.exec(line)?.[0].length ?? 0;
  const parts = Array.from(line.slice(lead).matchAll(/[^\s,;|]+/gu)).filter(
    ([part]) => !/^(?:and|und|et|y|e|i|og|och)$/iu.test(part),
  );
  const isCode = (part: string) =>
    CODE_IN_LIST.test(part) &&
    !/^[A-Z]?[a-z]{2,}\d{1,4}$|^[A-Z]{3,5}\d{1,4}$/.test(part) &&
    (shapeOf(part) === like ||
      /\d/u.test(part) ||
      /^[A-Z]{4,8}(?:-[A-Z]{4,8}){2,8}$/u.test(part) ||
      (part.length >= 8 && looksRandom(part))) &&
    !/^(?:RSA|AES|SHA|DSA|EC|ED|CVE)-?\d/iu.test(part) &&
    !/^\d{4}-\d\d-\d\d$/u.test(part);
  const grouped = line.slice(lead).trimEnd();
  if (/^(?:\d{3,6}[ ]){1,3}\d{3,6}(?:(?:[ \t]{2,12}|[,;][ ])(?:\d{3,6}[ ]){1,3}\d{3,6}){0,9}$/u.test(grouped))
    return matchesOf(grouped, /(?<!\d)\d{3,6}(?: \d{3,6}){1,3}/g).map(({ 0: code, index }) => ({
      start: start + lead + index,
      end: start + lead + index + code.length,
      kind: 'recovery-code',
    }));
  if (!parts.every(([part]) => isCode(part.replace(/^\d{1,2}[.)]$/u, 'a00000')))) return [];
  return parts
    .filter(([part]) => part.length >= 6)
    .map(({ 0: part, index }) => ({
      start: start + lead + index,
      end: start + lead + index + part.length,
      kind: 'recovery-code',
    }));
}

/** The lengths of a code's groups: `xxxxx-xxxxx`. */
function shapeOf(code: string): string {
  return code.replace(/[A-Za-z0-9]/gu, 'x');
}

function inPhrases(text: string): Finding[] {
  return matchesOf(text, PHRASE).flatMap((match) => {
    const from = match.index + match[0].length;
    const rest = text.slice(from, from + 500);
    const words = WORDS.exec(
      rest.replace(/^[^\n]*(?=\n)/u, (line) => (WORDS.test(line) ? line : ' '.repeat(line.length))),
    );
    if (!words || PROSE.test(words[0])) return [];
    const start = from + words.index;
    const end = start + words[0].length;
    const isAlone =
      /[:\n"'`=(][\s"'`]{0,8}$/u.test(text.slice(Math.max(0, start - 9), start)) &&
      /["'`\s.)]/u.test(text.charAt(end) || ' ');
    const count = words[0].match(/[a-z]+/gu)?.length ?? 0;
    if (
      /wallet|ledger|trezor|metamask|bitcoin|btc|monero|electrum/iu.test(match[0]) &&
      !(isAlone && [12, 15, 18, 21, 24, 25].includes(count))
    )
      return [];
    return [{ start, end, kind: 'seed-phrase' }];
  });
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
