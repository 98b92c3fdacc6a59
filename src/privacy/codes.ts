import { saysOtherNumber } from './code-hits.ts';
import { BOARD, CHECK_STEMS, INDIAN_POST_CODE, POSTAL } from './code-words.ts';
import { type Finding, matchesOf } from './findings.ts';
import { byLanguage, fitting } from './hints.ts';
import { isEnglish } from './languages.ts';
import { withLatinDigits } from './latin-digits.ts';
import { isStandIn } from './secret-values.ts';
import { anyOf, KEY_STEMS, PASSWORD_STEMS } from './secret-words.ts';

/** Words for a code that opens something by themselves. */
const PINS =
  /(?<![\p{L}\p{N}_.$-])(?:[Oo]ne-time (?:password|code|pin)|C?(?:PIN|PUK|NIP|TAN)\d?|(?<=(?:card|sim|phone|bank|door|safe|alarm|voicemail)[ ](?:[^\n]{0,60}[ ])?)pin|[Pp]in(?=[ ]?[:=]|[ ](?:for (?:the|my|our|this)|is|ist|est|es|è|é|är|er|to|jest|adalah|bij)[ ])|[Pp][Ii][Nn][ -]?(?:[CcKk]o[od]|[CcKk]ód|number|nummer|[Nn]umber)\p{L}{0,4}|(?:[Cc]ode|[Kk]od|[Cc]ódigo|[Cc]odice)[ -](?:PIN|pin)|puk|[Gg]eheimzahl|[Cc]ode secret|[Cc]lave secreta|[Cc]odice segreto|[Пп][иі]н[ -]?(?:код\p{L}{0,3})?|[Pp]asscode)(?![\p{L}\p{N}_])|(?<=[\p{L}]-)(?:PIN|Pin|pin(?=[ ]?[:=]))(?![\p{L}\p{N}_])|비밀번호|密码|密碼|รหัส/gu;
/** What Steam sends, of letters and digits. */
const STEAM = /\bSteam Guard\b[^\n:=]{0,80}[:=]\s{1,3}([A-Z0-9]{5})(?!\w)/g;
/** The check digits of a payment card. */
const CARD = /\b(?:C(?:V[VC]|SC|ID)|cv[vc])2?\b[^\n\w]{0,6}(\d{3,4})(?!\w)/g;
/** Words for a code of any kind, and what it has to open for the code to be a secret. */
const CODES = byLanguage(
  (words) =>
    new RegExp(
      `${words}|(?:(?<![\\p{N}_.$/])(?:codes?|otp|combos?|keypad(?= (?:at|takes|on|by|code|is)\\b)|key safe|lockbox|keybox|digicode|domofon|домофон|interfon|kood[ie]\\p{L}{0,3}|szyfr|шифр|पिन|पिनकोड|kod\\p{L}{0,5}|kód\\p{L}{0,4}|cód\\p{L}{0,5}|codice|cod\\p{L}{0,3}|код\\p{L}{0,3}|комбинац\\p{L}{1,3}|[ck]ombina\\p{L}{2,6}|κωδικ\\p{L}{1,3}|mã|kode|kata sandi)(?![\\p{L}\\p{N}_(])|קוד|رمز|كود|کد|कोड|รหัส|番号|コード|密码|코드)`,
      'giu',
    ),
);
/** Codes of other kinds, up to the word. */
const OTHER_CODE =
  /\b(?:error|status|exit|return|zip|postal|post|country|area|http|response|qr|bar|source|fehler|erreur|dial|uni|trans|hash|op|byte|geo)[ _-]?(?:codes?|otp|combos?|kod\p{L}*|cod\p{L}*)$/iu;
const LOCKS =
  /alarm|code d[’']acc[eè]s|zugangscode|c[oó]digo de ac[ce]eso|codice d[’']accesso|toegangscode|код доступа|(?:access|entry) code|\block|pairing|combo|keypad|domofon|interfon|grind|brank|\bkap[iu]|\bukse\b|nøgleboks|entschärf|(?:un|pad)lock|\bdoor|\bgate\b|\bbuilding\b|gebäude|immeuble|edificio|prédio|budyn|здани|\bportal\b|elevator|\blift\b|parking|storage|hauseing|квартир|сигнал[иі]з|vchod|wejści|\bвход|lépcső|\bentrada\b|\bingresso\b|\bsafe\b|garage|entrance|\bcage\b|\bcolo\b|server ?room|turnstile|\bschloss|schließ|türe?|haust|\btor\b|tresor|puerta|caja fuerte|port[óã]o|portail|\bportes?\b|coffre|digicode|porta\b|cofre|cassaforte|allarm|cancello|deur|\bslot\b|kluis|poort|dörr|portkod|ytterdörr|inngang|indgang|\blås|larm|kassas|\bdør|\bov[ei]|hälyt|kassakaap|drzwi|bram|sejf|zamk|zamek|dveř|trezor|ajtó|riaszt|széf|\buș[ăi]|seif|vrat|врат|двер|сейф|сигнализ|домофон|замк|шлагбаум|πόρτα|συναγερμ|χρηματοκιβ|kapı|kasa|דלת|אזעק|כספת|الباب|باب|خزنة|الخزنة|إنذار|گاوصندوق|दरवाज|तिजोरी|cửa|két|ประตู|ตู้เซฟ|pintu|brankas|antifurt|antirrob|antivol|einbruch|inbraak|inbrott|inbrudd|indbrud|murtoh|włamani|poplach|hırsız|disinser|dis?attiva|désactiv|desactiv|desarm|disarm|deaktivier|entsperr|déverr|desbloq|sblocc|ontgrendel|lås(?:a|e)? upp|odblok|odemk|разблок|розблок|відімк|(?<!\p{L})ворот|хвіртк|калитк|подъезд|під[’']?їзд|шкафч|locker|key ?box|schlüssel(?:box|kasten|safe)|\bspind\b|casier|taquilla|caja de (?:seguridad|llaves)|armadietto|skříň|szafk|szekrény|\bskap\b|skåp|lokero|seinäkaap|värav|vartų|durų|durv|spyn[ao]|slēdz|signalizac|\bzár|ključavnic|kilit|mlango|kifunga|კარ[ის]|სეიფ|դուռ|դռան|voicemail|anrufbeantw|répondeur|contestador|segreteria|gembok|kunci|porton|serranda|schranke|barrera|ساختمان|آپارتمان|پارکینگ|المبنى|العمارة|المدخل|البوابة|בניין|כניסה|שער|गेट|लॉक|बिल्डिंग|अलार्म|দরজা|গেট|তালা|লকার|কোয়ার্টার|கதவு|பூட்டு|తలుపు|గేటు|తాళం|دروازے|تالے|لاک|ตึก|ลิฟต์|ล็อค|cổng|tòa nhà|gerbang|gedung|apartman|otopark|πολυκατοικί|θυροτηλ|სადარბაზო|门|門|保险|保險|警报|警報|ドア|金庫|アラーム|문|금고/iu;
/** What a code that is sent is for. */
const CHECKS = new RegExp(
  `${anyOf(CHECK_STEMS)}|sign(?:ing)?[ -]?in|log(?:ging)?[ -]?in|anmeld|connexion|(?:do not|don['’]t|never)(?: \\p{L}+){0,2} (?:share|tell)|никому|не (?:сообщ|говор|переда)|勿|teilen|compart|partag|paylaş|udostęp`,
  'iu',
);
/** Whose code a message brings. */
const YOURS = /\b(?:your|my|ihr|dein|mein|votre|ton|tu|su|seu|tuo|uw|je|din|ditt|ваш)\b[^\n.:]{0,40}$/iu;
const CHECKED = new RegExp(`(?:${anyOf(CHECK_STEMS)})\\P{N}{0,24}$`, 'iu');
const DATES = /\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{1,2}:\d\d(?!\d)/g;
/** Digits that nothing calls a code. */
const BARE_DIGITS = /[ ](?=\d{4,8}(?!\d)|\d\d[ -]\d\d[ -]\d\d|\d-\d-\d-\d)/g;
/** What opens with them: `the locker opens with 27-65-83`. */
const OPENS =
  /(?<!\p{L})(?:opens?|unlocks?|disarms?|deactivates?|entsperrt?|öffnet|öffnen|s[’']ouvre|se coupe|ouvrir|se abre|si apre|abre|otwiera się|открывается)\b[^.]{0,40}?(?:with|using|by|mit|avec|con|com|kodem|кодом)[ ]$|\b(?:enter(?:ing)?|type|typing|punch(?:ing)?(?: in)?|dial(?:ing)?|press|set (?:the |its )?(?:wheels?|dials?|rings?|digits) to|(?:disarm|duress|cleaners?|guest|alarm off) (?:code )?is|tapez|composez|marca|marque|pulsa|digita|tippe|wpisz)[ ]$|(?:набери|введи|наберите|введите)[ ]$|\bunlock\b[^.\n]{0,40}[=:][ ]$/iu;
const OPENED_WITH = /^[#*]{0,2}(?:\s*$|[.,;:!)]|[ ](?:instead|\+|on|and|then|to|und|dann|auf|am|puis|et|y|e)\b)/u;
const OPENED = /\bmit[ ]\d{4,8}[ ](?:öffne|unscharf|entschärf|entsperr|auf)/iu;
const DEVICE = /phone|handy|tablet|laptop|screen|ipad|téléphone|telefon|móvil|cellulare|телефон/iu;
/** A lock by name, and a colon. */
const LOCKED =
  /\b(?:(?:bike|cycle|pad|door|gate|cable|number|luggage|suitcase|locker|combination)[ -]?lock|locker|lockbox|key ?box|keypad|\p{L}*(?:schloss|tresor|safe)|cadenas|coffre|antivol|candado|caja fuerte|lucchetto|cassaforte|cadeado|cofre|hangslot|kluis|kłódka|sejf|hänglås|hengelås|zámek|lakat|lacăt|замок|сейф)(?:(?:[ ][^:=\d]{0,40})?[:=]|['’]s|(?<=padlock))[ ]$/iu;
const NO_CODE =
  /(?:length|long|digits?|min|max|path|cover|review|change|freeze|style|base|gener|modul|stell|zeichen|attempts?|versuch|colou?r|pantone|\bral\b|line|zeile|ligne|l[ií]nea|regel|строк\p{L}|port|page|seit|since|model|modell|pad)\P{L}*$|post|error|status|błęd|chyb|ошиб|hiba|fe[ij]l|fehl|virhe|\berro|poczt|fiscal/iu;
const DIGITS =
  /(?<![\p{N}.,/#+_$-]|\p{N}:|[A-Za-z][-]?)(?:\d{4,8}[A-D]?|\d\d[AB]\d\d|[A-D]\d{4,6}|\d{3}[ -]\d{3}|\d{2}(?:[ -]\d{2}){2,3}|(?!1[ -]2[ -]3)\d(?:[ -]\d){3,5})[#*]?(?![\p{N}A-Za-z_/%-]|[.:]\d|,\d{3}(?!\d)|[ ]\d{3,4}[ ]\d|[ ](?:wierszy|regels|righe|linhas|rader|строк|satır|baris|lines?|files?|m?s|sec\w*|min\w*|hours?|times|bytes|rows|of|users?|commits?|tests?|chars|zeilen|lignes|l[ií]neas)\b)/u;
/** Digits alone where a word for a password or the key of a network has a colon behind it. */
const LONG_DIGITS = byLanguage(
  (words) =>
    new RegExp(
      `(?:\\bpass(?:word|phrase|code)|\\bpwd(?!m(?:in|ax)|last|age|exp|hist|lock|fail|grace)|(?:wlan|wi-?fi|wpa\\d?|network|netz\\p{L}{0,4})[- ](?:key|code|${anyOf(KEY_STEMS)})|${words})\\p{L}{0,8}(?:[ ][\\p{L}\\p{M}()'’., -]{0,50})?[:=：][ ]{0,3}["'«„“]?(\\d{6,40})(?![\\w.-]|[ ](?:rows|bytes|entries|lines|items|users))`,
      'giu',
    ),
);
/** What `LONG_DIGITS` ends with, which few texts contain. */
const ASSIGNED_DIGITS = /[:=：][ ]{0,3}["'«„“]?\d{6}/;
/** Codes before what they are, as messages send them. */
const SENT =
  /(?<![\w.+#]|\d-)(\d{4,8})(?=(?<=(?<!\d)\d{6})[ ]to (?:verify|confirm|log ?in|sign ?in|complete|finish)\b|[ ](?:is|ist|est|es|è|é|är|on|to)[ ](?:your|the|my|dein|ihr|votre|ton|tu|su|il|seu|o|din)\b[\p{L} -]{1,40}(?:codes?|pin|otp|passcode|password|passwort|código|codice|kode?)\b)/giu;
const SENT_ABROAD = new RegExp(
  `(?<![\\w.]|\\d-|\\b(?:commit|build|issue|ticket|revision|version|row|line|order|invoice)[ ])(\\d{4,8})(?=[ ][\\p{L}\\p{M} '’-]{0,40}(?:${anyOf(CHECK_STEMS)})[\\p{L}\\p{M} '’-]{0,30}(?:kod|code|cód|код|κωδικ|رمز|קוד|${anyOf(PASSWORD_STEMS)}))`,
  'giu',
);
/** The secret of an authenticator in groups of four, as phones show it. */
const SETUP =
  /(?:2fa|totp|otp|set-?up key|authenticator|enter this (?:key|code)|manual(?:ly)?)\b[^\n]{0,60}?(?:[ :]|:\r?\n[ \t]{0,8})((?:[a-z2-7]{4}[ ]){3,7}[a-z2-7]{4})(?![\w ])/gi;

const FAULT =
  /\breports?\b|\bmeans\b|\bfault|(?:low|weak|dead|flat) battery|battery (?:low|fault|fail\w*|is|level)|firmware|sensor|\bplz\b|postleit/iu;
/** Digits and the verb, in languages that put it last. */
const CLOSED =
  /^\d{4,8}[ ]?(?:است|ہے|है|हैं|ਹੈ|છે|আছে|dir|dır|dur|dür|です|だよ?|입니다|이야|이에요|예요|է|არის|ნი|ni|da|вӗ|бол)(?![\p{L}\p{N}])/u;
const IS_PASSWORD = new RegExp(`(?:${anyOf(PASSWORD_STEMS)})\\p{L}{0,8}$`, 'iu');

/** Judges the line of a word for a code, what is between the word and the digits, and the line up to the word. */
type Judge = (line: string, link: string, before: string) => boolean;

/** Ends in a colon or a verb. */
const STATED =
  /[:=：→は是为]\s{0,3}["'«„“「]?$|(?:is|now|ist|lautet|jetzt|est(?: le)?|maintenant|es|ser|é|è|är|er|on|jest|to|right|left|rechts|links|je|este|теперь|είναι|هو|هي|היא|הוא|là|adalah)[ ]$/u;
/** A few words, or as many as it takes to that. */
const isLeading = (link: string) => /^(?:\S{0,20}[ ]){0,4}\S{0,2}$/u.test(link) || STATED.test(link);

/** Finds codes that are no passwords: PINs and codes of locks, lists of recovery codes, the words of a wallet. */
export function findCodes(original: string): Finding[] {
  const text = withLatinDigits(original);
  const after = (words: RegExp, accepts: Judge) =>
    matchesOf(text, words).flatMap((match) => digitsAfter(text, match.index + match[0].length, accepts));
  return [
    ...after(PINS, isPin),
    ...after(BARE_DIGITS, (line, _, before) =>
      OPENED.test(line)
        ? LOCKS.test(line)
        : OPENED_WITH.test(line.slice(before.length).replace(/^[\d -]{0,20}\d[A-D]?/u, '')) &&
          (LOCKED.test(before) || (OPENS.test(before) && (LOCKS.test(line) || DEVICE.test(line)))),
    ),
    ...after(
      fitting(CODES, text),
      (line, link, before) =>
        !OTHER_CODE.test(before) &&
        (LOCKS.test(line) ||
          (IS_PASSWORD.test(before) &&
            (STATED.test(link) ||
              (link === ' ' && /^\d{6}/u.test(line.slice(before.length + 1))) ||
              CLOSED.test(line.slice(before.length + link.length)))) ||
          (CHECKS.test(line) && !/^["']\s?:/u.test(link) && (STATED.test(link) || CHECKED.test(before))) ||
          (STATED.test(link) && YOURS.test(before))) &&
        !FAULT.test(line) &&
        !INDIAN_POST_CODE.test(line) &&
        !(!isEnglish(line) && saysOtherNumber(before.slice(-40) + link)) &&
        isLeading(link),
    ),
    ...Array.from(ASSIGNED_DIGITS.test(text) ? text.matchAll(fitting(LONG_DIGITS, text)) : []).flatMap((match) => {
      const end = match.index + match[0].length;
      return isStandIn(match[1] ?? '') ? [] : [{ start: end - (match[1] ?? '').length, end, kind: 'password' }];
    }),
    ...[SENT, SENT_ABROAD, CARD, STEAM, SETUP]
      .flatMap((sent) => matchesOf(text, sent))
      .map(({ 0: match, 1: code = '', index }) => {
        const start = index + match.lastIndexOf(code);
        return { start, end: start + code.length, kind: 'pin' };
      }),
  ];
}

const isPin: Judge = (line, link) =>
  !BOARD.test(line) &&
  !POSTAL.test(line) &&
  !INDIAN_POST_CODE.test(line) &&
  !(!isEnglish(line) && saysOtherNumber(link.slice(-20)));

/** The digits behind a word for a code: in its line, or alone in the next one. */
function digitsAfter(text: string, end: number, accepts: Judge): Finding[] {
  const before = text.slice(Math.max(0, end - 120), end);
  const behind = /^[^\n]{0,120}/u.exec(text.slice(end, end + 120))?.[0] ?? '';
  // What is in parentheses before a verb or a colon says which one it is.
  const rest = behind
    .slice(0, 80)
    .replace(DATES, (date) => '~'.repeat(date.length))
    .replace(/\([^()\n]{1,40}\)(?=[ ](?:is|ist|est|es|è|é|är|er)[ ]|[:：])/u, (aside) => '~'.repeat(aside.length));
  const digits = DIGITS.exec(rest);
  const link = digits ? rest.slice(0, digits.index) : rest;
  if (link.length > 60 || /\p{N}{4}|=["']?\p{L}|^\(|[;,](?! (?:it|that)['’]s )|\. /u.test(link) || NO_CODE.test(link))
    return [];
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
