import { isChained, isGiven, isSpoken } from './given-values.ts';
import { isAbroad, isEnglish } from './languages.ts';
import { isHexKey } from './named-values.ts';
import {
  isAnnouncedPassword,
  isComposed,
  isHyphenated,
  isInPair,
  isInterspersed,
  isJoined,
  isOfUser,
  isPositional,
  isStrongPassword,
  isTailed,
  isUnmistakable,
  isWordPair,
  NAMING,
  PREFIXED,
} from './password-values.ts';
import { isStandIn, looksRandom } from './secret-values.ts';
import { anyOf, hintsOf, KEY_STEMS, LOGIN_STEMS, PASSWORD_STEMS, SECRET_STEMS } from './secret-words.ts';
import { isPhraseChain } from './spaced-values.ts';

// The words near which a secret is looked for, and what a value near them has to look like.

/**
 * Judges a value; `isTold`: it follows its word at once, or in quotes, named after a word for a user or place, and
 * last if no more than a verb follows in its sentence.
 */
export type Judge = (value: string, isTold: boolean, isNamed: boolean, isLast: boolean) => boolean;

/** Words, and what they say about the values near them, in the line below, and alone in it. */
export interface Cue {
  kind: string;
  words: RegExp;
  /** Strings of which every match contains one; missing if looking for the words costs no more. */
  hints?: readonly string[];
  accepts: Judge;
  below: Judge;
  alone: Judge;
  /** The next sentence may say what the value is now. */
  follows?: boolean;
  /** Tells whether the words are a cue in this line. */
  isIn?(line: string): boolean;
  /** In a line in another language, the end of a clause counts as that of the sentence. */
  abroad?: boolean;
}

/** Words for passwords on their own, as in a sentence; names in code that contain one are judged as assignments. */
const PASSWORD_WORDS =
  /(?<![\w.$/+]|(?<![Ii]l)-)(?:password(?:s|e|nya|mu|ku|u|ul|un|en|et|i|ot|om|a)?|passwd|passphrase|passcode|pwd|pw|psk|mk(?=[ ]\S{0,20}\d)|pre-?shared[ -](?:key|secret)|isakmp key|key-string|(?:authentication|message-digest)-key|auth (?:sha|md5)|priv aes|^[ \t]{0,8}(?:option[ ])?key(?=[ ]))(?![\w.]?[\w(/=]|-\w|\+)/gim;
/** English words that other languages have taken over. */
const ABROAD_WORDS =
  /(?<![\w.$/-])(?:pass(?:w(?:or)?[dt])?|pass?word\p{L}{0,4}|pw|pwd|ww(?=[: ])|wi-?fi\p{L}{0,3}|wlan\p{L}{0,2})(?![\p{L}\w.]?[\w(/=]|-\w)/giu;
/** Words for logging in. */
const LOGIN_WORDS =
  /(?<![\w.$/-])(?:log(?:ged|ging)?[ -]in|log[ -]?[io]n(?:to)?|sign(?:ing)?[ -]in|radtest|auth-pass|credentials?|creds|rotated|identified|prompted|when (?:it|he|she|asked|you get)(?: asks?)?|asks for it|at the \w{1,10} prompt|gets? (?:you )?in(?:to)?|(?:open|unlock|decrypt)s?(?: it| them| this)? with)(?![\w.]?[\w(/=]|-\w)/gi;
/** Words for who logs in, beside which ids stand that look generated. */
const ACCOUNT_WORDS = /(?<![\w.$/-])(?:users?|username|accounts?)(?![\w.]?[\w(/=]|-\w)/gi;
/** The same in other languages; letters of other scripts need no space before the value. */
const FOREIGN_PASSWORD_WORDS = inSentence(PASSWORD_STEMS);
const FOREIGN_LOGIN_WORDS = inSentence(LOGIN_STEMS);
/** Words for machine-made secrets. */
const TOKEN_WORDS =
  /(?<![\w.$/-])(?:(?:api|access|secret|auth|bearer|deploy|session|private)[ -](?:keys?|tokens?)|tokens?|secrets?)(?![\w.]?[\w(/=]|-\w|[ ]id\b)/gi;
/** Words for the secret of an authenticator, and for a licence. */
const SETUP_WORDS =
  /(?<![\w.$/-])(?:set-?up key|authenticator|oathtool|totp|otp secret|2fa|two-factor)(?![\w(=]|-\w)/gi;
const LICENCE_WORDS =
  /(?<![\w.$/-])(?:(?:licen[cs]e|product|activation|registration)[ -](?:key|code)s?|slmgr[^\n]{0,20}[ ]\/ipk|lizenz\p{L}{0,12}|licencia|licen[cz]a|licencj\p{L}|лиценз\p{L}{0,6}|许可证|ライセンス)(?![\w(=])/giu;
const FOREIGN_TOKEN_WORDS = inSentence([...SECRET_STEMS, ...KEY_STEMS]);

/** Stems as words of a sentence: no part of a name in code, unless they are written without spaces. */
function inSentence(words: readonly string[]): RegExp {
  return new RegExp(
    `(?:(?<![\\p{L}\\p{N}_.$/-])(?:${anyOf(words)})|(?<![\\p{N}_.$/]|--)(?:${anyOf(words.filter((word) => word.length >= 6))}))\\p{L}{0,8}(?![\\w.]?[\\w(/=]|-\\w)|(?:${anyOf(words.filter((word) => /\p{Lo}/u.test(word)))})`,
    'giu',
  );
}

/** A machine-made value of three classes of characters that is not a digest. */
function isGenerated(value: string): boolean {
  return (
    value.length >= 20 &&
    /[a-z]/u.test(value) &&
    /[A-Z]/u.test(value) &&
    /[0-9]/u.test(value) &&
    !/[\\()|[\]{}<>,;$]|:\/\/|^[^\w-]{0,3}[\w-]{1,60}[=:]|^[-@#]/u.test(value) &&
    !PREFIXED.test(value) &&
    isStrongPassword(value) &&
    looksRandom(value)
  );
}

const isKeyAlone = (value: string) =>
  isGenerated(value) ||
  isHexKey(value) ||
  (/^(?=[a-f0-9]{0,200}[g-z])[0-9a-z]{28,}$/u.test(value) && looksRandom(value));
const PLAIN = /^(?!\w{1,40}=)[\w\u00c0-\u04ff\u1e00-\u1eff!@#$%^&*+=?.~-]+$/u;
const isPasswordHere: Judge = (value, isTold, isNamed) =>
  isTold && PLAIN.test(value)
    ? isInPair(value) && !isHyphenated(value)
    : isUnmistakable(value) || (isWordPair(value) && (!isNamed || /\w[-_.!@#+*]\p{Lu}/u.test(value)));
/** Names of products and devices, with a number behind them. */
const PRODUCT =
  /^(?:office|windows|outlook|exchange|nextcloud|gitlab|github|jira|confluence|mattermost|keycloak|grafana|postgres|mysql|mariadb|redis|mongo|docker|jenkins|proxmox|vmware|esxi|fritz|iphone|ipad|ios|android|nokia|oppo|vivo|infinix|tecno|moto|oneplus|realme|honor|xperia|asus|poco|galaxy|pixel|redmi|xiaomi|huawei|samsung|lenovo|thinkpad|netgear|speedport|livebox|freebox|bbox|archer|deco|epson|canon|brother|kyocera|vault|moodle|odoo|zammad|rocket|php|java|node|python|telegram|whatsapp|instagram|facebook|gmail|room|raum|zimmer|salle|aula|sala|rum|level|lvl|top|web|srv|db|app|vm|gw|host|node|pc|nas|vpn|ssh|mail|dev|prod|test|staging)/iu;
const PRODUCT_NUMBER = new RegExp(`${PRODUCT.source}(?:box|lab)?[-_]?[A-Za-z]{0,6}\\d{1,4}$`, 'iu');
/** `falcon-03`, `db-prod-eu-03`; three words without a short one are rather a passphrase. */
export const HOST = /^(?:[a-z]+(?:-[a-z]+)?|(?=(?:[a-z]+-)*[a-z]{1,4}-)[a-z]+(?:-[a-z]+)+)-\d{1,3}$/;
/** Sentences in other languages hold few names of code: at the end of one, words and digits are the password. */
const isPasswordAbroad: Judge = (value, isTold, isNamed, isLast) =>
  (isTold || !PRODUCT_NUMBER.test(value)) && isPasswordInWords(value, isTold, isNamed, isLast);
const isPasswordInWords: Judge = (value, isTold, isNamed, isLast) =>
  isPasswordHere(value, isTold, isNamed, isLast) ||
  (!isNamed &&
    /[0-9].|[0-9]{2}/u.test(value) &&
    PLAIN.test(value) &&
    !/^-|%/u.test(value) &&
    (isLast || !/\.\w+\./u.test(value)) &&
    isAnnouncedPassword(value) &&
    (isPositional(value) ||
      (isLast && !NAMING.test(value) && (isTold || !(HOST.test(value) || PRODUCT.test(value)))))) ||
  (isTold && /^(?=[A-F]{0,12}\d)(?=\d{0,12}[A-F])[0-9A-F]{8,32}$/u.test(value)) ||
  (isLast && !isNamed && /^\p{Ll}{4,15}[_.!@#]\d{2,4}\p{Ll}{2,3}$/u.test(value) && !NAMING.test(value)) ||
  (isTold && /^\p{Ll}{5,20}\d{1,3}$/u.test(value) && /[^\x00-\x7f]/u.test(value) && isGiven(value)) ||
  (!isNamed && /^\p{Lu}\p{Ll}{2,9}\d{1,4}[!#$%*+&@?]{1,2}$/u.test(value)) ||
  (!isNamed && /[!#$%*+~^&]/u.test(value) && isJoined(value)) ||
  // Four plain words.
  isPhraseChain(value) ||
  // A word and a number that is no year.
  (!isNamed && /^\p{L}\p{Ll}{3,}(?!(?:19|20)\d\d$)\d{4,6}$/u.test(value) && !NAMING.test(value)) ||
  (!isNamed && (isInterspersed(value) || isTailed(value)));
/** The same behind words that are English, and behind those for networks: a number or a mark makes a word a password. */
const isPasswordOfSort: Judge = (value, isTold, isNamed, isLast) =>
  !PRODUCT.test(value) &&
  !/^\p{Lu}+[-_]?\d+$/u.test(value) &&
  (isLast || isTold) &&
  isPasswordAbroad(value, isTold, isNamed, isLast);
/** Capitals and digits, as on the label of a device. */
function isPrintedKey(value: string): boolean {
  return /^(?=\D{0,15}\d)(?=\d{0,15}[A-Z])[0-9A-Z]{10,63}$/u.test(value) && !/^[A-Z]{2,}\d+$/u.test(value);
}

/** The key of a network, as its device has it on a label, or in words. */
const isNetworkKey: Judge = (value, isTold, isNamed, isLast) =>
  (isTold && /^\d{8,63}$/u.test(value) && !isStandIn(value)) ||
  (/^\d{16,63}$/u.test(value) && !isStandIn(value)) ||
  isPrintedKey(value) ||
  (isTold && /^\p{Ll}{3,12}(?:-\p{Ll}{3,12}){2,6}$/u.test(value)) ||
  isPasswordOfSort(value, isTold, isNamed, isLast);
const NETWORK =
  /(?<!\p{L})(?:wi-?fi|w-?lan|wpa\d?|ssid|hotspot|netzwerk|nätet?|nettet|netwerk|réseau|red|rete|rede|reţea|rețea|сеть|сети|мереж|sieć|síť|siet|mreža|hálózat|verkko|võrk|tīkls|tinklas|ağ|δίκτυο|شبكة|شبکه|רשת|mạng|jaringan|网络|網路|ネットワーク|와이파이|네트워크)(?!\p{L}{4})/iu;
const isPasswordAlone: Judge = (value) => isStrongPassword(value) || isOfUser(value);
const PASSWORD = {
  kind: 'password',
  accepts: (value: string, isTold: boolean, isNamed: boolean, isLast: boolean) =>
    isPasswordHere(value, isTold, isNamed, false) ||
    (isLast && !isNamed && /^\p{Lu}\p{Ll}{4,}-\p{Lu}\p{Ll}{4,}$/u.test(value) && isChained(value)) ||
    (isTold && !value.includes('.') && (isSpoken(value) || isChained(value))),
  below: isPasswordHere,
  alone: isPasswordAlone,
  follows: true,
};
/** Ids that programs print beside those who log in: `hst_Nq5GmybO0Z`. */
const ID = /^[a-z]{2,10}_[A-Za-z0-9]{6,}$|^[0-9a-f]{12,}_[ir]$|^[A-Z]-0x/;
const LOGIN = {
  kind: 'password',
  accepts: (value: string, isTold: boolean) =>
    !ID.test(value) &&
    (isUnmistakable(value) ||
      isComposed(value) ||
      (isTold && (isWordPair(value) || /^\p{Lu}\p{Ll}{5,}[_!#$%*+~^&]\d{1,4}$/u.test(value))) ||
      (isJoined(value) && /[!#$%*+~^]/u.test(value))),
  below: isComposed,
  alone: isComposed,
};
const SPECIAL = /[!#$%^&*+?~@=]/u;
const TOKEN = { kind: 'token', accepts: isGenerated, below: isGenerated, alone: isKeyAlone };
/** What an authenticator is set up with: RFC 4648, base 32. */
const isBase32 = (value: string) => /^[A-Z2-7]{16,64}$/u.test(value) && (/[2-7]/u.test(value) || looksRandom(value));
/** Groups of letters and digits, as licences are sold. */
const isLicence = (value: string) =>
  /^(?=[A-Z-]{0,40}\d)(?=[\d-]{0,40}[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$/u.test(value);

function sameFor(kind: string, accepts: Judge): Omit<Cue, 'words'> {
  return { kind, accepts, below: accepts, alone: accepts };
}

export const CUES: readonly Cue[] = [
  { ...PASSWORD, words: PASSWORD_WORDS },
  { ...LOGIN, words: LOGIN_WORDS },
  {
    ...LOGIN,
    accepts: (value) => isComposed(value) || (isUnmistakable(value) && SPECIAL.test(value)),
    words: ACCOUNT_WORDS,
  },
  {
    ...PASSWORD,
    accepts: (value, isTold, isNamed, isLast) =>
      PASSWORD.accepts(value, isTold, isNamed, isLast) || (isTold && isPrintedKey(value)),
    words: /(?<=\b(?:wi-?fi|wlan|ssid|wpa\d?|network)\b[^\n]{0,80}[ ])key(?![\w(=-])/gi,
    hints: ['wifi', 'wi-fi', 'wlan', 'ssid', 'wpa', 'network'],
  },
  { ...TOKEN, words: TOKEN_WORDS },
  {
    ...sameFor('password', isComposed),
    words: /(?<![\w.$/@-])(?:root|admin|administrator|idrac|ilo|ipmi|bmc)(?![\w.@/(=:-])/gi,
  },
  { ...sameFor('totp-secret', isBase32), words: SETUP_WORDS },
  { ...sameFor('licence-key', isLicence), words: LICENCE_WORDS },
  {
    ...PASSWORD,
    accepts: isPasswordAbroad,
    words: /(?<![\p{L}\p{N}_])пасс(?![\p{L}\p{N}_])|パス(?=[はがをも:：])/giu,
    hints: ['пасс', 'パス'],
  },
  {
    // `Root-PW`, in German.
    ...PASSWORD,
    accepts: isPasswordAbroad,
    words: /(?<=(?<![\w-])(?:\p{Lu}\p{L}{1,14}|root|admin|user|db|sudo|bios|gast|w-?lan)-)(?:PW|pw)(?![\w-])/gu,
    hints: ['-pw'],
  },
  {
    ...PASSWORD,
    accepts: isPasswordAbroad,
    words: FOREIGN_PASSWORD_WORDS,
    hints: hintsOf(PASSWORD_STEMS),
    abroad: true,
  },
  {
    ...PASSWORD,
    accepts: isPasswordOfSort,
    words: ABROAD_WORDS,
    hints: ['pas', 'pw', 'ww:', 'ww is', 'wifi', 'wi-fi', 'wlan'],
    isIn: isAbroad,
    abroad: true,
  },
  {
    ...PASSWORD,
    accepts: isNetworkKey,
    words: inSentence(KEY_STEMS),
    hints: hintsOf(KEY_STEMS),
    isIn: (line) => NETWORK.test(line) && !isEnglish(line),
    abroad: true,
  },
  { ...LOGIN, below: isUnmistakable, words: FOREIGN_LOGIN_WORDS, hints: hintsOf(LOGIN_STEMS) },
  { ...TOKEN, words: FOREIGN_TOKEN_WORDS, hints: hintsOf([...SECRET_STEMS, ...KEY_STEMS]) },
];
