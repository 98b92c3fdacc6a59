import { QUOTE, VALUE } from './announcements.ts';
import { isGiven, isGivenLiteral } from './given-values.ts';
import { isHexKey } from './named-values.ts';
import { isAnnouncedPassword, isInPair, isJoined, isPassword, isUnmistakable, isWordPair } from './password-values.ts';
import type { Place } from './places.ts';
import { isCode, looksRandom } from './secret-values.ts';
import { isNumberedPhrase } from './spaced-values.ts';

// Words of some twenty languages: an expression with those of all costs milliseconds to compile.
const PASSWORD =
  'kennwort|contraseñ|clave|senha|mot de passe|mdp|wachtwoord|lösenord|adgangskode|heslo|hasło|haslo|парол|лозинк|lozink|gesl|jelsz|parol|şifre|salasana|κωδικ|密码|密碼|パスワード|비밀번호|סיסמ|كلمة المرور|كلمة السر|رمز عبور|पासवर्ड|รหัสผ่าน|mật khẩu|sandi';
const LOGIN =
  'benutzer|usuario|usuário|utilisateur|identifiant|utente|gebruiker|användar|bruger|bruker|uživatel|użytkownik|korisni|логин|пользовател|користувач|felhasznál|utilizator|kullanıcı|käyttäjä|用户名|ユーザー|아이디|משתמש|المستخدم|tài khoản|pengguna';
const BOUNDARY = '(?<![\\w.$/-])';
/** Behind a label: what it is for in parentheses, and a mark. */
const MARK = '["\'*`]{0,3}(?:[ ]\\([^()\\n]{1,40}\\))?[ \\t]{0,20}[:=：][*]{0,2}[ \\t]{0,20}';

/** Words that marks or slashes join, in a field that a label next to the user's names: `Ouzel/Rowan`, `tin-whistle-cup`. */
const isField = (value: string) =>
  isPassword(value) &&
  !isCode(value) &&
  (isInPair(value) ||
    isJoined(value) ||
    (/^\p{L}{3,16}(?:[-_/!+&~*][\p{L}\p{N}]{2,16}){1,5}$/u.test(value) &&
      !/user|pass|name|type|string|word|secret|min/iu.test(value)));

/** Values that the labels beside them name: forms, cards, answers, and the old and new one of a change. */
export const LABEL_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'forms, tickets and notes: a label for the user, and one for the password next to it',
    example: 'Login: kpmg-2, Pass: {password}',
    hints: ['user', 'login', 'account', 'mail', 'uid', ...LOGIN.split('|')],
    pattern: new RegExp(
      `${BOUNDARY}(?:user(?:[ -]?(?:name|id))?|log-?in|account|acc|e-?mail|uid|id|${LOGIN})[^\\s:=：(]{0,10}${MARK}["'\`]?[^\\s"'\`,;|:=]{1,80}["'\`]?(?:[ \\t]{0,8}[,;|/·•–-]{0,2}[ \\t]{0,8}(?:\\r?\\n[ \\t>*•-]{0,12})?)(?:pass(?:word|wd|phrase|code|wort)?|pwd?|pw|p|secret|${PASSWORD})[^\\s:=：(]{0,6}${MARK}["'\`]?([^\\s"'\`,;|<>(){}$]{6,100})`,
      'gi',
    ),
    accepts: isField,
  },
  {
    kind: 'password',
    source: 'notes: a word for a login, a colon, a user and a password',
    example: 'creds: svc_etl {password}',
    hints: ['cred', 'login', ...LOGIN.split('|')],
    pattern: new RegExp(
      `${BOUNDARY}(?:creds?|credentials?|log-?in|${LOGIN})[^\\n:]{0,38}:[ ]{1,4}[\\w.@+-]{2,60}[ ]{1,4}["'\`]?([^\\s"'\`<>(){}$]{6,100})["'\`]?[ \\t]{0,4}$`,
      'gim',
    ),
    accepts: isInPair,
  },
  {
    kind: 'password',
    source: 'notes: words and a number behind a word for a password',
    example: 'Passphrase for the backup disk: lantern river 9 {password}',
    hints: ['pass', 'pwd', 'pw', 'schlüssel', ...PASSWORD.split('|')],
    pattern: new RegExp(
      `${BOUNDARY}(?:[a-z]{2,12}[_-]){0,2}(?:pass(?:word|phrase|code|wd)?|pwd?|schlüssel|${PASSWORD})[^\\n:=\\w]{0,6}(?:[ ][^\\n:=]{1,40})?[ ]?[:=：][ \\t]{1,4}["'„“«]?([^\\s\\d"'|:=;,<>(){}][^\\n"'|:=;,<>(){}]{6,60}?)["'“»]?[.]?[ \\t]{0,4}$`,
      'gim',
    ),
    accepts: isNumberedPhrase,
  },
  {
    kind: 'password',
    source: 'notes: the key of a network, which is named by the network alone',
    example: 'the wifi at the shop is {password}',
    hints: ['wifi', 'wi-fi', 'wlan'],
    pattern: new RegExp(
      `\\b(?:wi-?fi|wlan)\\b[^\\n:=]{0,30}?(?:[ ]?[:=]|[ ](?:is|ist|lautet|est|es|è|é))[ ]${QUOTE}${VALUE}(?![^\\n]{0,3}[/|])`,
      'gi',
    ),
    accepts: (value) => isInPair(value) && /^\p{L}.*\d/u.test(value),
  },
  {
    kind: 'password',
    source: 'commands that hash a password: openssl passwd, mkpasswd',
    example: 'mkpasswd -m sha-512 {password}',
    hints: ['mkpasswd ', 'openssl passwd '],
    pattern:
      /\b(?:mkpasswd|openssl[ ]passwd)(?:[ ]-{1,2}[\w-]{1,12}(?:[ =](?:sha-?\d{1,3}|md5|bcrypt|yescrypt|\d{1,6}))?){0,4}[ ]["']?([^\s"'$-][^\s"']{5,100})/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'shells: a password that was typed where a command was expected',
    example: 'bash: {password}: command not found',
    hints: ['command not found', 'is not recognized'],
    pattern:
      /(?:\b(?:bash|zsh|sh|ksh|sudo|dash)(?:: line \d{1,5})?: )([^\s"':]{6,100}): command not found|command not found: ([^\s"':]{6,100})|'([^\s"']{6,100})' is not recognized/g,
    accepts: (value) =>
      isUnmistakable(value) ||
      isWordPair(value) ||
      (isJoined(value) && /[!#$%*+~^&]/u.test(value)) ||
      /^\p{L}{3,12}\d{4,6}$/u.test(value),
  },
  {
    kind: 'password',
    source: 'notes and commit messages: what a password was changed from',
    example: 'Please rotate the replication account from {password} to the value in the vault.',
    hints: [' from ', ' von ', ' de ', ' desde ', ' da ', ' från ', ' fra ', ' van ', ' z ', ' с ', ' со ', ' з '],
    pattern: new RegExp(
      `[ ](?:from|von|de|desde|da|från|fra|van|[zс]|ze|со|з)[ ]${QUOTE}${VALUE}["'\`»”]?(?=[ ](?:to|auf|à|a|au|en|al|por|para|till|til|naar|na|на|в)[ ])(?<=(?:\\b(?:password|passwd|pwd?|passphrase|credentials?|creds|login|account|secret|key)s?\\b|${PASSWORD})[^\\n]{0,160})`,
      'gi',
    ),
    accepts: (value) =>
      isWordPair(value) || isUnmistakable(value) || (isInPair(value) && /\d/u.test(value) && /\p{Lu}/u.test(value)),
  },
  {
    kind: 'password',
    source: 'the same, of what stands between a password and `to`, and behind that',
    example: 'I changed the wifi password from {password} to the new one.',
    hints: [' from '],
    pattern:
      /(?<=\b(?:chang|rotat|switch|reset|updat|set)\w{0,4}[ ][^\n]{0,60}\b(?:password|passphrase|passcode|passwd|pwd?|psk)[ ]from[ ](?:\S{6,60}[ ]to[ ])?)["'`]?([^\s"'`,;]{8,60}?)["'`]?(?=[ ]to[ ]|[,;.]{0,2}(?:\s|$))/gi,
    accepts: (value) => isGivenLiteral(value) || isInPair(value),
  },
  {
    kind: 'password',
    source: 'notes: a word, and how it is written',
    example: 'The password of the printer is {password}, all lower case.',
    hints: ['lower', 'upper', 'capital', 'one word', 'no spaces', 'klein', 'minusc', 'minúsc', 'maiusc'],
    pattern: new RegExp(
      `(?:\\bpassword|\\bpasscode|\\bpassphrase|\\bpw|${PASSWORD})[^\\n:.]{0,60}?(?:[:=]|[ ](?:is|ist|lautet|est|es|è|é))[ ](?:just[ ]|simply[ ])?["'\`]?([^\\s"'\`,;(]{6,60})["'\`]?[,; (]{1,3}(?:in |all |alles |tout en |todo en |tutto )?(?:lower|upper|capital|small|one word|no spaces|klein|gro(?:ß|ss)ge|minusc|minúsc|maiusc)`,
      'gi',
    ),
    accepts: isGiven,
  },
  {
    kind: 'pin',
    source: 'settings and notes: the code of a lock, with a letter or by the name of a setting',
    example: 'alarm_code: "{digits}"',
    hints: ['code', 'pin', 'combo'],
    pattern:
      /(?:(?<![A-Za-z])(?:alarm|door|gate|garage|safe|lock|locker|entry|keypad|disarm|vault)_?(?:code|pin|combo)["']?[ ]{0,4}[:=][ ]{0,4}["']?(?=\d)|\b(?:door|alarm|gate|lock|locker|safe|garage|entry|keypad)[ ](?:code|pin)[^\n:=]{0,40}(?:[:=]|[ ]is)[ ](?=[A-D]))([A-D]?\d{4,8}[#*]?)(?![\w.])/gi,
    accepts: () => true,
  },
  {
    kind: 'password-hash',
    source: 'dumps of Windows accounts: a hash that opens what the password opens',
    example: 'joe:1001:aad3b435b51404eeaad3b435b51404ee:{hex}:::',
    hints: [':::'],
    pattern: /(?<![\w:])[^\s:"']{1,60}:\d{1,10}:[0-9a-fA-F]{32}:([0-9a-fA-F]{32}):::/g,
    accepts: (value) => !/^31d6cfe0d16ae931/iu.test(value),
  },
  {
    kind: 'password',
    source: 'notes: the answer to a security question, in a sentence',
    example: 'The security answer to "first pet" is {password}',
    hints: ['security answer', 'secret answer', 'recovery answer'],
    pattern: /\b(?:security|secret|recovery)[ ]answer[^\n]{0,60}?(?:[:=]|[ ]is)[ ]["'“]?([^\s"'”,.]{4,60})/gi,
    accepts: (value) => isAnnouncedPassword(value) || (/\d/u.test(value) && isPassword(value)),
  },
  {
    kind: 'password',
    source: 'notes: what a password was changed from and to, and then what it is for',
    example: 'changed it from {password} to the new one because the old root password leaked',
    hints: [' from '],
    pattern:
      /(?<=\bchanged?\b[^\n]{0,20}[ ]from[ ](?:\S{6,60}[ ]to[ ])?)([^\s"'`,;]{6,60}?)(?=[.,;]?[ ][^\n]{0,120}\b(?:password|passphrase|pwd?)\b)/gi,
    accepts: (value) => isUnmistakable(value) || isWordPair(value),
  },
  {
    kind: 'password',
    source: 'notes: an arrow from what something is to the secret before it',
    example: '{password} <- root password of the runner',
    hints: ['<-', '←', '<='],
    pattern: new RegExp(
      `(?:^|[\\s"'\`])([^\\s"'\`]{6,100})["'\`]?[ ]{1,4}(?:<-{1,2}|←|<=)[ ][^\\n]{0,50}?(?:\\b(?:password|passphrase|pwd?|pass|token|secret|key)\\b|${PASSWORD})`,
      'gim',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'key',
    source: 'chats: a key that somebody hands over',
    example: "here's my key, use it for the weather API: {hex}",
    hints: [' key', ' token'],
    pattern:
      /(?:\b(?:my|our)|here['’]?s[ ](?:the|a|your))[ ](?:\w{2,12}[ ]){0,2}(?:key|token)\b[^\n:.]{0,60}:\s{1,3}([\w-]{32,64})(?![\w-])/gi,
    accepts: (value) => looksRandom(value) || isHexKey(value),
  },
];
