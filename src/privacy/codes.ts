import { type Finding, matchesOf } from './findings.ts';
import { isStandIn, looksRandom } from './secret-values.ts';
import { anyOf, CHECK_STEMS, KEY_STEMS, PASSWORD_STEMS } from './secret-words.ts';

/** Words for a code that opens something by themselves. */
const PINS =
  /(?<![\p{L}\p{N}_.$-])(?:[Oo]ne-time (?:password|code|pin)|C?(?:PIN|PUK|NIP|TAN)\d?|(?<=(?:card|sim|phone|bank|door|safe|alarm|voicemail)[ ](?:[^\n]{0,60}[ ])?)pin|[Pp]in(?=[ ]?[:=]|[ ](?:for (?:the|my|our|this)|is|ist|est|es|è|é|är|er|to|jest|adalah|bij)[ ])|[Pp][Ii][Nn][ -]?(?:[CcKk]o[od]|[CcKk]ód|number|nummer|[Nn]umber)\p{L}{0,4}|(?:[Cc]ode|[Kk]od|[Cc]ódigo|[Cc]odice)[ -](?:PIN|pin)|puk|[Gg]eheimzahl|[Cc]ode secret|[Cc]lave secreta|[Cc]odice segreto|[Пп][иі]н[ -]?(?:код\p{L}{0,3})?|[Pp]asscode)(?![\p{L}\p{N}_])|(?<=[\p{L}]-)(?:PIN|Pin|pin(?=[ ]?[:=]))(?![\p{L}\p{N}_])|暗証番号|비밀번호|密码|密碼|验证码|驗證碼|認証コード|認証番号|인증번호|인증 코드|รหัส/gu;
/** The check digits of a payment card. */
const CARD = /\bC(?:V[VC]|SC|ID)2?\b[^\n\w]{0,6}(\d{3,4})(?!\w)/g;
/** Words for a code of any kind, and what it has to open for the code to be a secret. */
const CODES = new RegExp(
  `(?:(?<![\\p{N}_.$/])(?:codes?|otp|combos?|keypad(?= (?:at|takes|on|by|code|is)\\b)|key safe|lockbox|keybox|digicode|domofon|домофон|interfon|kood[ie]\\p{L}{0,3}|szyfr|шифр|पिन|पिनकोड|kod\\p{L}{0,5}|kód\\p{L}{0,4}|cód\\p{L}{0,5}|codice|cod\\p{L}{0,3}|код\\p{L}{0,3}|комбинац\\p{L}{1,3}|[ck]ombina\\p{L}{2,6}|κωδικ\\p{L}{1,3}|mã|kode|kata sandi)(?![\\p{L}\\p{N}_(])|קוד|رمز|كود|کد|कोड|รหัส|番号|コード|密码|코드)|${anyOf(PASSWORD_STEMS)}`,
  'giu',
);
/** Codes of other kinds, up to the word. */
const OTHER_CODE =
  /\b(?:error|status|exit|return|zip|postal|post|country|area|http|response|qr|bar|source|fehler|erreur|dial|uni|trans|hash|op|byte|geo)[ _-]?(?:codes?|otp|combos?|kod\p{L}*|cod\p{L}*)$/iu;
const LOCKS =
  /alarm|\block|pairing|combo|keypad|domofon|interfon|grind|brank|\bkap[iu]|\bukse\b|nøgleboks|entschärf|(?:un|pad)lock|\bdoor|\bgate\b|\bbuilding\b|gebäude|immeuble|edificio|prédio|budyn|здани|\bportal\b|elevator|\blift\b|parking|storage|hauseing|квартир|сигнал[иі]з|vchod|wejści|\bвход|lépcső|\bentrada\b|\bingresso\b|\bsafe\b|garage|entrance|\bcage\b|\bcolo\b|server ?room|turnstile|\bschloss|schließ|türe?|haust|\btor\b|tresor|puerta|caja fuerte|port[óã]o|portail|\bportes?\b|coffre|digicode|porta\b|cofre|cassaforte|allarm|cancello|deur|\bslot\b|kluis|poort|dörr|portkod|ytterdörr|inngang|indgang|\blås|larm|kassas|\bdør|\bov[ei]|hälyt|kassakaap|drzwi|bram|sejf|zamk|zamek|dveř|trezor|ajtó|riaszt|széf|\buș[ăi]|seif|vrat|врат|двер|сейф|сигнализ|домофон|замк|шлагбаум|πόρτα|συναγερμ|χρηματοκιβ|kapı|kasa|דלת|אזעק|כספת|الباب|باب|خزنة|الخزنة|إنذار|گاوصندوق|दरवाज|तिजोरी|cửa|két|ประตู|ตู้เซฟ|pintu|brankas|antifurt|antirrob|antivol|einbruch|inbraak|inbrott|inbrudd|indbrud|murtoh|włamani|poplach|hırsız|disinser|dis?attiva|désactiv|desactiv|desarm|disarm|deaktivier|entsperr|déverr|desbloq|sblocc|ontgrendel|lås(?:a|e)? upp|odblok|odemk|разблок|розблок|відімк|(?<!\p{L})ворот|хвіртк|калитк|подъезд|під[’']?їзд|шкафч|locker|key ?box|schlüssel(?:box|kasten|safe)|\bspind\b|casier|taquilla|caja de (?:seguridad|llaves)|armadietto|skříň|szafk|szekrény|\bskap\b|skåp|lokero|seinäkaap|värav|vartų|durų|durv|spyn[ao]|slēdz|signalizac|\bzár|ključavnic|kilit|mlango|kifunga|კარ[ის]|სეიფ|դուռ|դռան|voicemail|anrufbeantw|répondeur|contestador|segreteria|gembok|kunci|porton|serranda|schranke|barrera|门|門|保险|保險|警报|警報|ドア|金庫|アラーム|문|금고/iu;
/** What a code that is sent is for. */
const CHECKS = new RegExp(`${anyOf(CHECK_STEMS)}|sign(?:ing)?[ -]?in|log(?:ging)?[ -]?in|anmeld|connexion`, 'iu');
/** Whose code a message brings. */
const YOURS = /\b(?:your|my|ihr|dein|mein|votre|ton|tu|su|seu|tuo|uw|je|din|ditt|ваш)\b[^\n.:]{0,40}$/iu;
const CHECKED = new RegExp(`(?:${anyOf(CHECK_STEMS)})\\P{N}{0,24}$`, 'iu');
/** Digits that nothing calls a code. */
const BARE_DIGITS = /[ ](?=\d{4,8}(?!\d)|\d\d[ -]\d\d[ -]\d\d)/g;
/** What opens with them: `the locker opens with 27-65-83`. */
const OPENS =
  /(?<!\p{L})(?:opens?|unlocks?|disarms?|deactivates?|entsperrt?|öffnet|öffnen|s[’']ouvre|ouvrir|se abre|si apre|abre|otwiera się|открывается)\b[^.]{0,40}?(?:with|using|by|mit|avec|con|com|kodem|кодом)[ ]$|\b(?:enter(?:ing)?|type|typing|punch(?:ing)?(?: in)?|dial(?:ing)?|press|tapez|composez|marca|marque|pulsa|digita|tippe|wpisz)[ ]$|(?:набери|введи|наберите|введите)[ ]$/iu;
const OPENED_WITH = /^[#*]{0,2}(?:\s*$|[.,;:!)]|[ ](?:on|and|then|to|und|dann|auf|am|puis|et|y|e)\b)/u;
const OPENED = /\bmit[ ]\d{4,8}[ ](?:öffne|unscharf|entschärf|entsperr|auf)/iu;
const DEVICE = /phone|handy|tablet|laptop|screen|ipad|téléphone|telefon|móvil|cellulare|телефон/iu;
/** A lock by name, and a colon. */
const LOCKED =
  /\b(?:(?:bike|cycle|pad|door|gate|cable|number|luggage|suitcase|locker|combination)[ -]?lock|locker|lockbox|key ?box|keypad|\p{L}*(?:schloss|tresor|safe)|cadenas|coffre|antivol|candado|caja fuerte|lucchetto|cassaforte|cadeado|cofre|hangslot|kluis|kłódka|sejf|hänglås|hengelås|zámek|lakat|lacăt|замок|сейф)(?:[ ][^:=\d]{0,40})?[:=][ ]$/iu;
const NO_CODE =
  /(?:length|long|digits?|min|max|path|cover|review|change|freeze|style|base|gener|modul|stell|zeichen|attempts?|versuch|line|zeile|ligne|l[ií]nea|regel|строк\p{L}|port|page|seit|since|model|modell|pad)\P{L}*$|post|error|status|błęd|chyb|ошиб|hiba|fe[ij]l|fehl|virhe|\berro|poczt|fiscal/iu;
const DIGITS =
  /(?<![\p{N}.,/#+_$-]|\p{N}:|[A-Za-z][-]?)(?:\d{4,8}[A-D]?|\d\d[AB]\d\d|\d{3}[ -]\d{3}|\d{2}(?:[ -]\d{2}){2,3})[#*]?(?![\p{N}A-Za-z_/%-]|[.,:]\d|[ ](?:lines?|files?|m?s|sec\w*|min\w*|hours?|times|bytes|rows|of|users?|commits?|tests?|chars|zeilen|lignes|l[ií]neas)\b)/u;
/** Digits alone where a word for a password or the key of a network has a colon behind it. */
const LONG_DIGITS = new RegExp(
  `(?:\\bpass(?:word|phrase|code)|\\bpwd|(?:wlan|wi-?fi|wpa\\d?|network|netz\\p{L}{0,4})[- ](?:key|code|${anyOf(KEY_STEMS)})|${anyOf(PASSWORD_STEMS)})\\p{L}{0,8}(?:[ ][\\p{L}\\p{M}()'’., -]{0,50})?[:=：][ ]{0,3}["'«„“]?(\\d{6,40})(?![\\w.-])`,
  'giu',
);
/** What `LONG_DIGITS` ends with, which few texts contain. */
const ASSIGNED_DIGITS = /[:=：][ ]{0,3}["'«„“]?\d{6}/;
/** Codes before what they are, as messages send them. */
const SENT =
  /(?<![\w.]|\d-)(\d{4,8})(?=(?<=(?<!\d)\d{6})[ ]to (?:verify|confirm|log ?in|sign ?in|complete|finish)\b|[ ](?:is|ist|est|es|è|é|är|on|to)[ ](?:your|the|my|dein|ihr|votre|ton|tu|su|il|seu|o|din)\b[\p{L} -]{1,40}(?:codes?|pin|otp|passcode|password|passwort|código|codice|kode?)\b)/giu;
const SENT_ABROAD = new RegExp(
  `(?<![\\w.]|\\d-|\\b(?:commit|build|issue|ticket|revision|version|row|line|order|invoice)[ ])(\\d{4,8})(?=[ ][\\p{L}\\p{M} '’-]{0,40}(?:${anyOf(CHECK_STEMS)})[\\p{L}\\p{M} '’-]{0,30}(?:kod|code|cód|код|κωδικ|رمز|קוד|${anyOf(PASSWORD_STEMS)}))`,
  'giu',
);
/** The secret of an authenticator in groups of four, as phones show it. */
const SETUP =
  /(?:2fa|totp|otp|set-?up key|authenticator)\b[^\n]{0,60}?(?:[ :]|:\r?\n[ \t]{0,8})((?:[a-z2-7]{4}[ ]){3,7}[a-z2-7]{4})(?![\w ])/gi;
const BITLOCKER = /(?<![\w-])(?:\d{6}-){7}\d{6}(?![\w-])/g;

/** What announces a list of codes, each of which replaces a password once. */
const RECOVERY =
  /recover|backup|back-up|rescue|scratch|emergency|one-time|two-factor|2fa|mfa|restor|wiederherst|notfall|ersatz|secours|récup|recup|respaldo|respald|rezerv|ripristin|recuper|herstel|återst|gendann|gjenopp|palaut|odzysk|zapasow|obnov|záloh|záložn|helyreáll|tartalék|восстанов|резерв|відновл|запас|ανάκτησης|ανάκτηση|kurtarma|yedek|שחזור|גיבוי|استرداد|بازیابی|khôi phục|dự phòng|กู้คืน|สำรอง|pemulihan|cadangan|恢复|恢復|备用|備用|復旧|回復|リカバリ|バックアップ|복구|백업/iu;
const CODE_WORD =
  /cod|kood|kod|cód|schlüssel|\bkeys?\b|(?<!\p{L})clés?(?!\p{L})|clave|chiav|sleutel|nyckel|nøgle|avain|klucz|klíč|ключ|код|κωδικ|anahtar|קוד|קודי|رمز|رموز|mã|รหัส|码|碼|コード|キー|코드/iu;
const CODE_IN_LIST = /^(?:[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){1,8}|[A-Za-z0-9]{6,20})$/;
const GROUPED =
  /(?<![\w-])(?=[A-Z-]{0,40}\d)(?:(?:[A-Z0-9]{4,6}-){3,9}[A-Z0-9]{4,6}|(?<=code[ ])(?=\d{0,16}[A-Z])[A-Z0-9]{8,16})(?![\w-])/g;
/** Most lines of a list: services hand out eight to sixteen codes, a line each or with blank lines between. */
const LONGEST_LIST = 24;

/** What announces the words of a wallet, and what no list of such words contains. */
const PHRASE =
  /(?:seed|recovery|backup|secret|mnemonic|wallet)[ _-]?(?:phrase|words)|mnemonic|\bseed\b|wiederherstellungs(?:phrase|wörter)|herstel(?:zin|woorden)|frase (?:semilla|de recuper|di recuper|seme)|phrase (?:de récup|secr|de secours)|återställningsfras|сид|фраз|мнемон|(?:1[258]|2[145]|twelve|twenty-?four|zwölf|douze|doce|dodici|doze|twaalf|tolv|dwanaście|двенадцать|дванадцять)(?:[ -]\p{L}{1,10})?[ -](?:words?|wört|mots|palabras|palavras|parole|woorden|ord\b|sł[óo]w|слов|sanaa|kelime|szó)|words? in (?:this )?order|in der reihenfolge|ledger (?:nano|live|backup|wallet)|trezor|metamask|wallet|bip-?39|electrum|monero|bitcoin|\bbtc\b|portefeuille|monedero|carteira|portafoglio|portfel|кошел|гаман|cüzdan|钱包|錢包|ウォレット|지갑|助记|助記|ニーモニック|シード|リカバリー|니모닉|시드|복구/giu;
const WORDS =
  /(?<![\p{L}\p{N}_-])(?:(?:\d{1,2}[.):]?\s)?[a-z]{3,8}[\s,]{1,4}){11,23}(?:\d{1,2}[.):]?\s)?[a-z]{3,8}(?![\p{L}\p{N}_-])/u;
const PROSE =
  /\b(?:the|and|for|are|not|was|has|from|into|should|which|its|our|were|und|der|die|das|que|los|las|les|des|une|een|het)\b/;

const FAULT = /\breports?\b|\bmeans\b|\bfault|battery|firmware|sensor|\bplz\b|postleit/iu;
/** Contacts of boards, and post codes: India calls them PINs. */
const BOARD = /gpio|arduino|esp32|raspberry|solder|wiring|jumper|breadboard|pinout|header pin|\badc\b|\bpwm\b/iu;
const POSTAL =
  /[Dd]eliver|[Dd]ispatch|[Aa]ddress|[Pp]ostal|[Ss]hip(?:ped|ping)? to|[Cc]ourier|\b[Rr]oad\b|[Ss]treet|nagar\b|\bIndia\b|[Dd]istrict|\p{Lu}\p{L}{2,20},? \p{Lu}\p{L}{2,20}, (?:\p{Lu}\p{L}{2,20})?[ ]?[-–]?[ ]?(?:PIN|Pin)/u;

/** Judges the line of a word for a code, what is between the word and the digits, and the line up to the word. */
type Judge = (line: string, link: string, before: string) => boolean;

/** Ends in a colon or a verb. */
const STATED =
  /[:=：→は是为]\s{0,3}["'«„“「]?$|(?:is|now|ist|lautet|jetzt|est(?: le)?|maintenant|es|ser|é|è|är|er|on|jest|to|je|este|теперь|είναι|هو|هي|היא|הוא|là|adalah)[ ]$/u;
/** A few words, or as many as it takes to that. */
const isLeading = (link: string) => /^(?:\S{0,20}[ ]){0,4}\S{0,2}$/u.test(link) || STATED.test(link);

/** Finds codes that are no passwords: PINs and codes of locks, lists of recovery codes, the words of a wallet. */
export function findCodes(original: string): Finding[] {
  const text = withLatinDigits(original);
  const after = (words: RegExp, accepts: Judge) =>
    matchesOf(text, words).flatMap((match) => digitsAfter(text, match.index + match[0].length, accepts));
  return [
    ...after(PINS, (line) => !BOARD.test(line) && !POSTAL.test(line)),
    ...after(BARE_DIGITS, (line, _, before) =>
      OPENED.test(line)
        ? LOCKS.test(line)
        : OPENED_WITH.test(line.slice(before.length).replace(/^[\d -]{0,20}\d[A-D]?/u, '')) &&
          (LOCKED.test(before) || (OPENS.test(before) && (LOCKS.test(line) || DEVICE.test(line)))),
    ),
    ...after(
      CODES,
      (line, link, before) =>
        !OTHER_CODE.test(before) &&
        (LOCKS.test(line) ||
          (CHECKS.test(line) && (STATED.test(link) || CHECKED.test(before))) ||
          (STATED.test(link) && YOURS.test(before))) &&
        !FAULT.test(line) &&
        isLeading(link),
    ),
    ...Array.from(ASSIGNED_DIGITS.test(text) ? text.matchAll(LONG_DIGITS) : []).flatMap((match) => {
      const end = match.index + match[0].length;
      return isStandIn(match[1] ?? '') ? [] : [{ start: end - (match[1] ?? '').length, end, kind: 'password' }];
    }),
    ...matchesOf(text, BITLOCKER).map(({ 0: key, index }) => ({
      start: index,
      end: index + key.length,
      kind: 'recovery-code',
    })),
    ...[SENT, SENT_ABROAD, CARD, SETUP]
      .flatMap((sent) => matchesOf(text, sent))
      .map(({ 0: match, 1: code = '', index }) => {
        const start = index + match.lastIndexOf(code);
        return { start, end: start + code.length, kind: 'pin' };
      }),
    ...inLists(text),
    ...inPhrases(text),
  ];
}

/** The text with the digits of Arabic, Persian and full-width type replaced, each by one character. */
function withLatinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/gu, (digit) => `${digit.charCodeAt(0) & 15}`);
}

/** The digits behind a word for a code: in its line, or alone in the next one. */
function digitsAfter(text: string, end: number, accepts: Judge): Finding[] {
  const before = text.slice(Math.max(0, end - 120), end);
  const behind = /^[^\n]{0,120}/u.exec(text.slice(end, end + 120))?.[0] ?? '';
  // What is in parentheses before a verb or a colon says which one it is.
  const rest = behind
    .slice(0, 80)
    .replace(/\([^()\n]{1,40}\)(?=[ ](?:is|ist|est|es|è|é|är|er)[ ]|[:：])/u, (aside) => '~'.repeat(aside.length));
  const digits = DIGITS.exec(rest);
  const link = digits ? rest.slice(0, digits.index) : rest;
  if (link.length > 60 || /\p{N}{4}|=["']?\p{L}|^\(|[;,]|\. /u.test(link) || NO_CODE.test(link)) return [];
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  if (!accepts(lead + behind, link, lead)) return [];
  const isYear = /^(?:19[5-9]|20[0-4])\d$/u.test(digits?.[0] ?? '');
  if (digits) {
    const from = end + digits.index;
    const isLast = /^[\s.!)]*(?:\n|$)|^[ ]?[^\x00-\x7f]/u.test(rest.slice(digits.index + digits[0].length));
    return isYear && !(STATED.test(link) && isLast) && !(link === ' ' && text.endsWith('PIN', end))
      ? []
      : [{ start: from, end: from + digits[0].length, kind: 'pin' }];
  }
  const lineEnd = end + behind.length;
  const below = /^\n[ \t#*/>;•-]{0,12}(\d{4,8})[ \t]*(?:\r?\n|$)/u.exec(text.slice(lineEnd, lineEnd + 40));
  const from = lineEnd + (below?.[0].indexOf(below[1] ?? '') ?? 0);
  return below ? [{ start: from, end: from + (below[1] ?? '').length, kind: 'pin' }] : [];
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
    if (!announced || !CODE_WORD.test(line.slice(Math.max(0, announced.index - 40), announced.index + 60))) continue;
    const lead = /[:：]|[ ](?:is|ist|est|es|è|é)(?=[ ])/u.exec(line);
    const from = lead ? lead.index + lead[0].length : -1;
    if (lead) found.push(...codesOf(line.slice(from), start + from));
    for (const { 0: key, index } of line.matchAll(GROUPED))
      found.push({ start: start + index, end: start + index + key.length, kind: 'recovery-code' });
    for (let row = 0, blank = 0; row < LONGEST_LIST && at < text.length; row++) {
      const next = endOfLine(text, at);
      const codes = codesOf(text.slice(at, Math.min(next, at + 300)), at);
      if (codes.length === 0 && (blank++ > 0 || text.slice(at, next).trim() !== '')) break;
      found.push(...codes);
      at = next + 1;
    }
  }
  return found;
}

/** The codes of a line; none if it has anything else but a bullet or a number before them. */
function codesOf(line: string, start: number): Finding[] {
  // Numbered in two columns.
  const column = /^[ \t]*\d{1,2}[.):][ ]\S[^\n]{2,40}?[ \t]{2,12}(?=\d{1,2}[.):][ ])/u.exec(line)?.[0];
  if (column !== undefined)
    return [...codesOf(column.trimEnd(), start), ...codesOf(line.slice(column.length), start + column.length)];
  const lead = /^[\s>#*+•/-]*(?:\d{1,2}[.):][ ])?\s*/u.exec(line)?.[0].length ?? 0;
  const parts = Array.from(line.slice(lead).matchAll(/[^\s,;|]+/gu)).filter(
    ([part]) => !/^(?:and|und|et|y|e|i|og|och)$/iu.test(part),
  );
  const isCode = (part: string) =>
    CODE_IN_LIST.test(part) &&
    !/^[A-Z]?[a-z]{2,}\d{1,4}$|^[A-Z]{3,5}\d{1,4}$/.test(part) &&
    (/\d/u.test(part) || /^[A-Z]{4,8}(?:-[A-Z]{4,8}){2,8}$/u.test(part) || (part.length >= 8 && looksRandom(part))) &&
    !/^(?:RSA|AES|SHA|DSA|EC|ED|CVE)-?\d/iu.test(part) &&
    !/^\d{4}-\d\d-\d\d$/u.test(part);
  const grouped = /^(?:\d{3,6}[ ]){1,3}\d{3,6}$/u.exec(line.slice(lead).trimEnd())?.[0];
  if (grouped !== undefined)
    return [{ start: start + lead, end: start + lead + grouped.length, kind: 'recovery-code' }];
  if (!parts.every(([part]) => isCode(part.replace(/^\d{1,2}[.)]$/u, 'a00000')))) return [];
  return parts
    .filter(([part]) => part.length >= 6)
    .map(({ 0: part, index }) => ({
      start: start + lead + index,
      end: start + lead + index + part.length,
      kind: 'recovery-code',
    }));
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
