import { isChained, isGiven, isGivenInQuotes, isGivenLiteral, isGivenPhrase } from './given-values.ts';
import { isAnnouncedPassword, isStrongPassword } from './password-values.ts';
import { isProse } from './phrases.ts';
import type { Place } from './places.ts';
import { isMask, looksRandom } from './secret-values.ts';
import { anyOf, hintsOf, PASSWORD_STEMS } from './secret-words.ts';

/** The words of one command. */
const WORDS = '(?:[ ]+[^\\s|;&]{1,100}){0,12}?';
const VALUE = '["\']?((?<=["\'])[^"\'\\n-][^"\'\\n]{5,100}(?=["\'])|[^\\s"\'|;&-][^\\s"\'|;&]{5,100})';
const PASSWORD = `(?:pass(?:word|phrase|code)|kennwort|passwort|${anyOf(PASSWORD_STEMS)})`;
const PROMPT_HINTS = ['password', 'passphrase', 'passcode', ...hintsOf(PASSWORD_STEMS)];

/** Names of texts in a form, which end like those of passwords. */
const LABELLED =
  '(?!\\S{0,40}(?:forgot|reset|show|hide|toggle|error|invalid|wrong|missing|label|me?ssa?g|title|placeholder|hint|confirm|change|enter|help|text|form|login|prompt|i18n)\\S{0,40}[:=])';
/** Verbs before a word for a password in a prompt. */
const PROMPTS = 'enter|choose|new|re-?type|re-?enter|repeat|confirm|type|set|create|current|old|initial';

/** Places where nothing but a password can be: whatever is there and stands for nothing else is one. */
export const GIVEN_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'curl, wget, HTTPie, smbclient: a user and a password',
    example: 'curl -u joe:{password} https://metrics.internal/api',
    hints: [' -u', ' -a', '--user', '--auth', '--proxy-user'],
    pattern:
      /\b(?:curl|wget|https?|lftp|smbclient|rpcclient|smbmap)\b(?:[ ]+[^\s|;&]{1,200}){0,12}?[ ]+(?:-[uUa]|--user|--proxy-user|--auth)(?:[ ]{1,4}|=)["']?(?:[^\s:,"'%$]{0,100}["']?[:%]["']?([^\s"']{6,200})|([^\s:,"'%$]{10,100}):["'](?=\s))/g,
    accepts: (value) => isGivenInQuotes(value) || isStrongPassword(value.replace(/^\{(.*)\}$/u, '$1')),
  },
  {
    kind: 'password',
    source: 'redis-cli -a; ldapsearch -w; docker login -p; ipmitool, sqlcmd, unzip, mosquitto_pub -P',
    example: 'ipmitool -H 10.0.0.9 -U root -P {password} chassis status',
    hints: [' -a', ' -w', ' -p', ' -k'],
    pattern: new RegExp(
      `\\b(?:redis-cli${WORDS}[ ]+(?:-a|--pass)|ldap[a-z]{2,10}${WORDS}[ ]+-w|(?:docker|podman|helm|oc|az|cf|skopeo|buildah|twine)[ ](?:[^\\s|;&]{1,100}[ ]){0,6}?(?:login|upload)${WORDS}[ ]+-p|(?:mongo(?:sh|dump|restore)?|cypher-shell|security[ ][\\w-]{4,40}-keychain|psexec\\d{0,2}|evil-winrm|crackmapexec|netexec|nxc|winexe|rdesktop|ibmcloud|gnmic|openfortivpn|enum4linux|crane|choco|uv)${WORDS}[ ]+-p|openssl${WORDS}[ ]+-k|(?<=ldappasswd${WORDS})[ ]-s|(?:ipmitool|sqlcmd|bcp|isql|unzip|zip|mosquitto_[ps]ub|mcrcon)${WORDS}[ ]+-P)[ ]{1,4}${VALUE}`,
      'g',
    ),
    accepts: (value) => isGivenInQuotes(value) || isStrongPassword(value),
  },
  {
    kind: 'password',
    source: 'commands that set or check the password of a user, or log in with one',
    example: 'net user joe {password} /add',
    hints: ['net user', 'rabbitmqctl', 'mosquitto_passwd', 'using', 'machine', 'pass', '/u', '/ru', 'wifi', '--'],
    pattern: new RegExp(
      `(?:\\bnet[ ]user[ ]+[^\\s/]\\S{0,60}[ ]+(?![/*])|\\brabbitmqctl[ ](?:\\S{1,40}[ ])?(?:add_user|change_password|authenticate_user)[ ]\\S{1,60}[ ]|\\bmosquitto_passwd[ ]-b[ ]\\S{1,100}[ ]\\S{1,60}[ ]|\\b(?:connect|attach)[ ]to[ ]\\S{1,100}[ ]user[ ]\\S{1,100}[ ]using[ ]|\\bmachine[ ]\\S{1,100}\\s{1,20}login[ ]\\S{1,100}\\s{1,20}password[ ]|[ ]-pass(?:in|out)?[ ]pass:|\\bwi-?fi[ ](?:connect|hotspot)[ ][^\\n|;&]{1,120}?[ ]password[ ]|[ ]--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase)(?:=|[ ](?=\\S{1,100}(?:[ ]--?[a-z]|[ \\t]{0,4}(?:\\n|$))))|[ ]-(?:store|key)pass[ ]{1,4}|[ ]/u(?:ser)?:\\S{1,80}${WORDS}[ ]+/p(?:ass(?:word)?)?:|[ ]/r?u[ ]\\S{1,80}${WORDS}[ ]+/r?p[ ])${VALUE}`,
      'gi',
    ),
    accepts: isGivenInQuotes,
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
    accepts: (value) => !isMask(value) && !/^(?:[$%<{[(&]|your|pass(?:word)?$)/iu.test(value),
  },
  {
    kind: 'password',
    source: 'connection strings and addresses of databases',
    example: 'Server=db1;User Id=app;Password={password};',
    hints: ['password=', 'pwd='],
    pattern:
      /(?:\b(?:uid|user(?:[ ]?id|name)?|server|data source|host|database|initial catalog|dbname)=[^\n=;]{1,100}[; ][ ]?|\b[a-z:+]{2,30}:\/\/[^\s"'?]{1,200}\?(?:[^\s"'&]{1,100}&){0,6})(?:password|pwd)=(?:([^\s;&"'<>,){}]{6,100})(?=[\s;&"']|$)|\{([^{}\n]{6,100})\})/gi,
    accepts: (value) => isGiven(value) || isStrongPassword(value),
  },
  {
    kind: 'password',
    source: 'properties and settings whose name is no name of code: dots and hyphens, or a line of YAML',
    example: 'rcon.password={password}',
    hints: ['pass', 'pwd', 'psk', 'shared-key'],
    pattern: new RegExp(
      `(?:^(?!this\\.|self\\.)${LABELLED}[a-z][\\w-]{0,40}(?:[.-][\\w-]{1,40}){0,8}[.-](?:password|passwd|pwd|passphrase)[ ]?=[ ]?|[ ][\\w-]{0,30}(?:pre-shared-key|-passphrase|-psk)=|^[ \\t]{0,8}(?:psk|wpa_passphrase|passphrase)=|^[ \\t]{0,20}${LABELLED}(?:[a-z]{2,20}[_-]){1,4}(?:password|passwd|passphrase|pass|psk):[ ](?![A-Z][a-z]+$)|^[ \\t]{0,20}(?:-[ ])?password:[ ](?=\\S{0,40}(?:-\\S{1,40}-|_[A-Z]|[.]\\S{1,40}[.]|[^\\x00-\\x7f])\\S{0,60}[ \\t]{0,4}$))(?:([^\\s"',;]{6,100})["']?(?=[ \\t]{0,4}(?:\\r?$|#)|[ ][a-z-]{2,40}=)|["']([^"'\\n]{6,100})["'])`,
      'gm',
    ),
    accepts: (value) => isGivenInQuotes(value) || isChained(value),
  },
  {
    kind: 'password',
    source: 'prompts for a password, and what was typed there',
    example: 'Enter new password: {password}',
    hints: PROMPT_HINTS,
    pattern: new RegExp(
      `^[ \\t]{0,8}(?:(?:${PROMPTS}|\\(current\\)|\\[sudo\\])[ ][^\\n:]{0,40}?)?${PASSWORD}(?=[ ](?:for|again|to)\\b|:)(?:(?<=(?:${PROMPTS}|sudo)[^\\n]{0,50})|(?=[ ]for[ ]))[^\\n:]{0,60}:[ ]?([^\\s:][^\\n:]{4,60}?[^\\s:])[ \\t]{0,8}\\r?$|^[ \\t]{0,8}(?:\\p{L}{2,20}[ ]){0,2}${PASSWORD}:(\\S{8,60})[ \\t]{0,8}\\r?\\n(?=\\p{Lu})`,
      'gimu',
    ),
    accepts: (value) => (/\s/u.test(value) ? isGivenPhrase(value) : isGiven(value)),
  },
  {
    kind: 'password',
    source: 'network devices: lines that set something, the last word of which is a secret',
    example: 'set system snmp community-string {password}',
    hints: ['community', 'password', '-key', '-secret', 'psk', ' key '],
    pattern:
      /^[ \t]{0,8}(?:[\w.-]{1,40}(?:\([\w-]{1,20}\))?[#>][ ]?)?(?:set|add|user(?:name)?|local-user|neighbor|peer|ip|ipv6|isis|ppp|security|server|host|crypto|aaa|enable|standby|vrrp|(?:snmp|radius|tacacs|wpa)[\w-]{0,20})(?:[ ][^\s;]{1,60}){0,10}?[ ]?(?:[\w-]{0,20}community(?:-string)?|[\w-]{0,20}password|[\w-]{1,30}-(?:key|secret|psk)|secret|psk|key)(?:[ ](?:[07]|read|write|ro|rw|cipher|simple|ascii|plain|clear|text|string)){0,2}[ ]["']?([^\s"']{6,100})["']?(?:[ ]R[OW])?[ \t]{0,8}\r?$/gim,
    accepts: (value) => isGivenLiteral(value) && /\p{Lu}|\d/u.test(value),
  },
  {
    kind: 'password',
    source: 'Robot Framework and others: steps of a test, whose fields spaces or bars part',
    example: 'Input Password    id=pass    {password}',
    hints: ['input', 'type', 'enter', 'fill'],
    pattern:
      /^[ \t|]{0,12}(?:input|type|enter|fill)[ ](?:(?:password|secret|passphrase)[ \t|]{2,12}[^\s|]{1,60}|text[ \t|]{2,12}[^\s|]{0,40}(?:pass(?:word)?|pwd))[ \t|]{2,12}([^\s|$][^|\n]{4,60}?[^\s|])[ \t]{0,4}(?:\||\r?$)/gim,
    accepts: (value) => isGivenInQuotes(value) || isAnnouncedPassword(value),
  },
  {
    kind: 'password',
    source: 'code: a literal for a user, and the one for the password next to it',
    example: '$user = "joe"; $password = "{password}";',
    hints: ['pass', 'pwd'],
    pattern:
      /(?:user(?:_?name)?|login(?:_?name)?|uid)["']?[ ]{0,4}(?:=>|[:=])[ ]{0,4}["'][^"'\n]{1,60}["'][\s;,]{1,20}[\w$ "']{0,20}?(?:password|passwd|pwd|pass)["']?[ ]{0,4}(?:=>|[:=])[ ]{0,4}["']([^\s"']{6,60})["']|\b(?:user(?:name)?|login):[ ]\S{1,60}[ \t]{0,4}\r?\n[ \t]{0,8}pass(?:word)?:[ ](\S{6,60})(?=[ \t]{0,4}\r?\n)/gi,
    accepts: (value) => isGiven(value) && !/^\p{Lu}\p{Ll}+$/u.test(value),
  },
  {
    kind: 'token',
    source: 'Netscape and curl: the file of cookies',
    example: '.acme.dev\tTRUE\t/\tTRUE\t1735689600\tsession\t{token}',
    hints: ['true\t', 'false\t'],
    pattern: /\t(?:TRUE|FALSE)\t\/\S{0,80}\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.-]{1,60}\t(\S{16,400})$/gm,
    accepts: looksRandom,
  },
  {
    kind: 'password',
    source: 'groups of letters or digits, as services hand out passwords of applications and keys of backups',
    example: 'backup passphrase: {digits} 863581 217046 729833 470617 598429',
    hints: ['password', 'passphrase', 'passcode', 'backup', 'recovery', 'encryption', 'unlock', 'security'],
    pattern:
      /(?:(?:app[ -])?pass(?:word|phrase|code)|(?:recovery|backup|encryption|unlock|security)[ -](?:key|code))s?\b[^\n]{0,60}?(?:[:=]|[ ]is|\n)\s{0,8}((?:[a-z]{4}[ ]){3}[a-z]{4}|(?:\d{5,6}[ ]){5,11}\d{5,6}|(?:[0-9a-f]{4}[ ]){7,15}[0-9a-f]{4})(?=[ \t.,]{0,4}(?:\r?\n|$)|[ ][–—(])/gi,
    accepts: (value, match) =>
      /\d/u.test(value) || (/^app/iu.test(match) && !isProse(value)) || looksRandom(value.replaceAll(' ', '')),
  },
  {
    kind: 'pin',
    source: 'oathtool, ykman, pass-otp: a code for one time that a command printed',
    example: '$ oathtool --totp -b -\n{digits}',
    hints: ['otp', 'oath', '2fa'],
    pattern:
      /^[ \t]{0,8}(?:\w{1,20}@[\w.:~/-]{1,60})?[$#%>❯][ ](?:oathtool|[\w-]{0,12}otp[\w-]{0,12}|2fa|ykman[ ]oath|(?:go)?pass[ ]otp|(?:op|bw)[ ](?=[^\n]{0,80}otp))(?![^\n]{0,80}--?(?:version|help)\b)[^\n]{0,160}\n(?:[^\n]{1,60}?[ ]{1,12})?(\d{6,8})[ \t]{0,4}\r?$/gim,
    accepts: () => true,
  },
  {
    kind: 'password',
    source: 'labels in scripts that write no Latin words',
    example: '数据库的密码：{password}',
    hints: ['密码', '密碼', '口令', '授权码', '授權碼', 'パスワード', 'パス', '비밀번호'],
    pattern:
      /(?:密码|密碼|口令|授权码|授權碼|パスワード|パス|비밀번호)[^\n\w:：]{0,10}[:：][ ]{0,4}([!-~]{6,100})(?=[^!-~]|$)/g,
    accepts: isGiven,
  },
];
