import { isGiven } from './given-values.ts';
import { isStrongPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { anyOf, hintsOf, PASSWORD_STEMS } from './secret-words.ts';

/** The words of one command. */
const WORDS = '(?:[ ]+[^\\s|;&]{1,100}){0,12}?';
const VALUE = '["\']?([^\\s"\'|;&-][^\\s"\'|;&]{5,100})';
const PASSWORD = `(?:pass(?:word|phrase|code)|kennwort|passwort|${anyOf(PASSWORD_STEMS)})`;
const PROMPT_HINTS = ['password', 'passphrase', 'passcode', ...hintsOf(PASSWORD_STEMS)];

/** Words about what to type. */
const ASKED =
  /(?<!\p{L})(?:must|please|bitte|enter|required|pass\p{L}+|secret|not|nicht|no|empty|your|you|again|wrong|is|are|was|has|have|ist|leave|optional|minimum|least|characters?|incorrect|try|same|match|type|use|default|none|any|it|this|new|prompt|ok|failed|done)(?!\p{L})/iu;
/** A few words, as people answer a prompt with them. */
const isAnswered = (value: string) =>
  /\s/u.test(value) ? /^\p{L}{2,16}(?: \p{L}{2,16}){2,7}$/u.test(value) && !ASKED.test(value) : isGiven(value);

/** Places where nothing but a password can be: whatever is there and stands for nothing else is one. */
export const GIVEN_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'curl, wget, HTTPie, smbclient: a user and a password',
    example: 'curl -u joe:{password} https://metrics.internal/api',
    hints: [' -u', ' -a', '--user', '--auth', '--proxy-user'],
    pattern:
      /\b(?:curl|wget|https?|lftp|smbclient|rpcclient|smbmap)\b(?:[ ]+[^\s|;&]{1,200}){0,12}?[ ]+(?:-[uUa]|--user|--proxy-user|--auth)(?:[ ]{1,4}|=)["']?[^\s:,"'%$]{1,100}[:%]([^\s"']{6,200})/g,
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'redis-cli -a; ldapsearch -w; docker login -p; ipmitool, sqlcmd, unzip, mosquitto_pub -P',
    example: 'ipmitool -H 10.0.0.9 -U root -P {password} chassis status',
    hints: [' -a', ' -w', ' -p'],
    pattern: new RegExp(
      `\\b(?:redis-cli${WORDS}[ ]+(?:-a|--pass)|ldap[a-z]{2,10}${WORDS}[ ]+-w|(?:docker|podman|helm|oc|az|cf|skopeo|buildah|twine)[ ](?:[^\\s|;&]{1,100}[ ]){0,6}?(?:login|upload)${WORDS}[ ]+-p|(?:mongo(?:sh|dump|restore)?|cypher-shell)${WORDS}[ ]+-p|(?<=ldappasswd${WORDS})[ ]-s|(?:ipmitool|sqlcmd|bcp|isql|unzip|zip|mosquitto_[ps]ub|mcrcon)${WORDS}[ ]+-P)[ ]{1,4}${VALUE}`,
      'g',
    ),
    accepts: (value) => isGiven(value) || isStrongPassword(value),
  },
  {
    kind: 'password',
    source: 'commands that set or check the password of a user, or log in with one',
    example: 'net user joe {password} /add',
    hints: ['net user', 'rabbitmqctl', 'mosquitto_passwd', 'using', 'machine', 'pass', '/u', 'wifi', '--'],
    pattern: new RegExp(
      `(?:\\bnet[ ]user[ ]+[^\\s/]\\S{0,60}[ ]+(?![/*])|\\brabbitmqctl[ ](?:\\S{1,40}[ ])?(?:add_user|change_password|authenticate_user)[ ]\\S{1,60}[ ]|\\bmosquitto_passwd[ ]-b[ ]\\S{1,100}[ ]\\S{1,60}[ ]|\\b(?:connect|attach)[ ]to[ ]\\S{1,100}[ ]user[ ]\\S{1,100}[ ]using[ ]|\\bmachine[ ]\\S{1,100}\\s{1,20}login[ ]\\S{1,100}\\s{1,20}password[ ]|[ ]-pass(?:in|out)?[ ]pass:|\\bwi-?fi[ ](?:connect|hotspot)[ ][^\\n|;&]{1,120}?[ ]password[ ]|[ ]--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase)(?:=|[ ](?=\\S{1,100}(?:[ ]--?[a-z]|[ \\t]{0,4}(?:\\n|$))))|[ ]-(?:store|key)pass[ ]{1,4}|[ ]/u(?:ser)?:\\S{1,80}${WORDS}[ ]+/p(?:ass(?:word)?)?:)${VALUE}`,
      'gi',
    ),
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'Cisco IOS, AireOS, Redis, SNMP: lines of a configuration',
    example: 'enable secret {password}',
    hints: ['enable ', 'username ', 'requirepass ', 'masterauth ', 'community '],
    pattern:
      /^[ \t]{0,8}(?:[\w.-]{1,40}(?:\([\w-]{1,20}\))?[#>][ ]?)?(?:enable[ ](?:secret|password)|username[ ]\S{1,40}(?:[ ]privilege[ ]\d{1,2})?[ ](?:secret|password)|requirepass|masterauth|snmp-server[ ]community(?=[ ]\S{1,60}[ ]R[OW]\b))[ ]["']?([^\s"']{6,100})["']?(?:[ ]R[OW]\b[^\n]{0,40})?[ \t]{0,8}$/gm,
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'RFC 1939, RFC 959: USER and PASS; Redis: AUTH',
    example: 'USER joe\n+OK\nPASS {password}',
    hints: ['pass ', 'auth '],
    pattern:
      /^(?:[^\w\n]{0,6}|C: )USER[ ]\S{1,80}[^\S\n]*\n(?:(?!.{0,6}PASS)[^\n]{0,200}\n){0,2}[^\w\n]{0,6}(?:C: )?PASS[ ](\S{6,100})[ \t]{0,4}\r?$|^(?:[\w.:-]{1,60}>[ ])?AUTH[ ](\S{6,100})[ \t]{0,4}\r?\n\+?OK\b/gm,
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'connection strings and addresses of databases',
    example: 'Server=db1;User Id=app;Password={password};',
    hints: ['password=', 'pwd='],
    pattern:
      /(?:\b(?:uid|user(?:[ ]?id|name)?|server|data source|host|database|initial catalog|dbname)=[^\n=;]{1,100}[; ][ ]?|\b[a-z:+]{2,30}:\/\/[^\s"'?]{1,200}\?(?:[^\s"'&]{1,100}&){0,6})(?:password|pwd)=([^\s;&"'<>,)]{6,100})(?=[\s;&"']|$)/gi,
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'properties and settings whose name is no name of code: dots and hyphens, or a line of YAML',
    example: 'rcon.password={password}',
    hints: ['pass', 'pwd', 'psk', 'shared-key'],
    pattern:
      /(?:^(?!this\.|self\.)(?!\S{0,40}(?:forgot|reset|show|hide|toggle|error|invalid|wrong|missing|label|me?ssa?g|title|placeholder|hint|confirm|change|enter|help|text|form|login|prompt|i18n)\S{0,40}[:=])[a-z][\w-]{0,40}(?:[.-][\w-]{1,40}){0,8}[.-](?:password|passwd|pwd|passphrase)[ ]?=[ ]?|[ ][\w-]{0,30}(?:pre-shared-key|-passphrase|-psk)=|^[ \t]{0,8}(?:psk|wpa_passphrase|passphrase)=|^[ \t]{0,20}(?!\S{0,40}(?:forgot|reset|show|hide|toggle|error|invalid|wrong|missing|label|me?ssa?g|title|placeholder|hint|confirm|change|enter|help|text|form|login|prompt|i18n)\S{0,40}[:=])(?:[a-z]{2,20}[_-]){1,4}(?:password|passwd|passphrase|pass|psk):[ ](?![A-Z][a-z]+$)|^[ \t]{0,20}(?:-[ ])?password:[ ](?=\S{0,40}(?:-\S{1,40}-|_[A-Z]|[^\x00-\x7f])\S{0,60}[ \t]{0,4}$))([^\s"',;]{6,100})["']?(?=[ \t]{0,4}(?:\r?$|#)|[ ][a-z-]{2,40}=)/gm,
    accepts: isGiven,
  },
  {
    kind: 'password',
    source: 'prompts for a password, and what was typed there',
    example: 'Enter new password: {password}',
    hints: PROMPT_HINTS,
    pattern: new RegExp(
      `^[ \\t]{0,8}(?:(?:enter|choose|new|re-?type|re-?enter|repeat|confirm|type|set|create|current|old|initial|\\(current\\)|\\[sudo\\])[ ][^\\n:]{0,40}?)?${PASSWORD}(?=[ ](?:for|again|to)\\b|:)(?:(?<=(?:enter|choose|new|type|repeat|confirm|set|create|current|old|initial|sudo)[^\\n]{0,50})|(?=[ ]for[ ]))[^\\n:]{0,60}:[ ]([^\\s:][^\\n:]{4,60}?[^\\s:])[ \\t]{0,8}\\r?$`,
      'gim',
    ),
    accepts: isAnswered,
  },
  {
    kind: 'password',
    source: 'labels in scripts that write no Latin words',
    example: '数据库的密码：{password}',
    hints: ['密码', '密碼', '口令', '授权码', '授權碼', 'パスワード', '비밀번호'],
    pattern:
      /(?:密码|密碼|口令|授权码|授權碼|パスワード|비밀번호)[^\n\w:：]{0,10}[:：][ ]{0,4}([!-~]{6,100})(?=[^!-~]|$)/g,
    accepts: isGiven,
  },
];
