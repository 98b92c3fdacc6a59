import { QUOTE, VALUE } from './announcements.ts';
import { isGivenLiteral } from './given-values.ts';
import { isAnnouncedPassword, isInPair, isPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, looksRandom } from './secret-values.ts';

/** Digests that a command may print: a commit, or the checksum of a file named after a secret. */
const isAnswer = (value: string) =>
  !/^sha\d{1,3}[:-]/iu.test(value) &&
  (isAnnouncedPassword(value) ||
    /^[0-9a-f]{32}$/u.test(value) ||
    (looksRandom(value) && !isPlace(value) && !/^[0-9a-f]{40}$/u.test(value)));

/** Answers of programs that were asked for a secret, and lists of theirs that do not name it. */
export const ANSWER_PLACES: readonly Place[] = [
  {
    kind: 'secret',
    source: 'shells: a command that asks for a secret, and the line that answers it',
    example: '$ vault kv get -field=password secret/db\n{password}',
    hints: ['pass', 'secret', 'token', 'cred', ' rand ', 'pwgen', 'apg', 'wg gen', 'dumpprivkey'],
    pattern:
      /^[ \t]{0,8}(?:\w{1,20}@[\w.:~/-]{1,60}|[~/][\w/]{0,30}[ ])?[$#%>❯][ ](?!docker\b|git\b|sha\d|shasum|md5|[^\n]{0,200}\.(?:enc|gpg|age|asc|sops|pub)\b)[^\n]{0,200}?(?:password|passwd|passphrase|secret|token|credential|\bopenssl[ ]rand|\bwg[ ]gen(?:key|psk)|\bdumpprivkey|\bpwgen|\bapg|\bg?pass[ ]show|\blpass[ ]show|\bbw[ ]get|\bop[ ]read)[^\n]{0,160}\n["']?(?=[!-~]{6,400}$)([^\s"']{6,400})["']?$/gim,
    accepts: isAnswer,
  },
  {
    kind: 'password',
    source: 'MySQL, Elasticsearch: a password that was made for the first start',
    example: 'A temporary password is generated for root@localhost: {password}',
    hints: ['password', 'passphrase', 'passcode'],
    pattern: new RegExp(
      `\\b(?:password|passphrase|passcode)\\b(?![\\w-])[^\\n:=]{2,100}(?:\\n[^\\n:=]{1,40})?(?<!\\b(?:user|username|account|login|host|by|file|policy|id|email|mail)):[ ]{1,4}${QUOTE}${VALUE}`,
      'gi',
    ),
    accepts: (value, match) =>
      (isAnnouncedPassword(value) || (/\bis generated for\b/u.test(match) && isPassword(value))) &&
      !/^\w+=/u.test(value),
  },
  {
    kind: 'password',
    source:
      'netsh wlan show profile, schemes of Dovecot and Spring, codes that phones scan to join a network, Kickstart',
    example: '    Key Content            : {password}',
    hints: ['key content', 'keymaterial', '{plain', '{clear', '{noop', 'wifi:', 'rootpw', 'chpasswd:'],
    pattern:
      /(?:\bKey Content[ ]{1,40}:[ ]|<keyMaterial>)([^\s<]{6,100})|\{(?:PLAIN|PLAIN-MD5|CLEAR|CLEARTEXT|noop)\}([^\s"':]{4,200})|\bWIFI:[^\n"'<>]{0,120}?\bP:((?:[^\s;"'<>\\]|\\.){6,100});|(?:\brootpw[ ]+--plaintext|\bchpasswd:\s{1,40}(?:expire:[^\n]{1,40}\s{1,40})?list:(?:[ ]\|)?\s{1,40}(?:-[ ])?[\w.-]{1,40}:)[ ]{0,4}["']?([^\s"']{4,200})/gi,
    accepts: isPassword,
  },
  {
    kind: 'secret',
    source: 'GitHub Actions, Azure Pipelines: a value that the log has to hide',
    example: 'echo "::add-mask::{token}"',
    hints: ['::add-mask::', 'issecret=true'],
    pattern: /(?:::add-mask::|;issecret=true[^\]\n]{0,80}\])([^\s"'`]{6,2000})/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'PgBouncer: userlist.txt; davfs2, lists of logins: an address, a user and a password',
    example: '"app_rw" "{password}"',
    hints: ['" "', '://'],
    pattern:
      /^[ \t]{0,8}(?:"[\w.@-]{2,60}"[ \t]{1,8}(?=")|[a-z]{3,8}:\/\/[^\s@]{3,200}[ \t]{1,8}["']?[\w.@\\-]{2,60}["']?[ \t]{1,8})["']?([^\s"']{8,200})["']?[ \t]{0,8}$/gm,
    accepts: (value) => isInPair(value) && !/^[a-z]+-\d{1,3}$/u.test(value),
  },
  {
    kind: 'password',
    source: 'commands with a user and a password one after the other: mc, radtest, doveadm, redis-sentinel',
    example: 'radtest joe {password} 127.0.0.1 0 testing',
    hints: [
      'alias set',
      'radtest',
      'doveadm',
      'auth',
      'airport',
      'wpa_pass',
      'obscure',
      'tacacs',
      'radius',
      'eap',
      'ntlm',
      'nickserv',
      '/oper',
      'http-basic',
      'userstore',
      'oper ',
    ],
    pattern:
      /\b(?:(?:mc|mcli)[ ]alias[ ]set[ ]\S{1,60}[ ]\S{1,200}[ ]\S{1,100}|radtest[ ]\S{1,60}|wpa_passphrase[ ]\S{1,60}|-setairportnetwork[ ]\S{1,20}[ ]\S{1,60}|[: ]XAUTH[ ]\S{1,60}|[ ]:[ ](?:EAP|XAUTH|NTLM)|NickServ[ ]IDENTIFY(?:[ ]\w{1,20}(?=[ ]\S))?|\/oper[ ]\S{1,40}|config[ ]http-basic\.\S{1,60}[ ]\S{1,60}|userstore[ ](?:-i[ ])?set[ ]\S{1,40}[ ]\S{1,100}[ ]\S{1,60}|doveadm[ ]auth[ ](?:test|login)[ ]\S{1,100}|auth-pass[ ]\S{1,60}|[> ]AUTH[ ][\w.@-]{1,60}|OPER[ ][\w.@-]{1,60}|rclone[ ]obscure|(?:tacacs|radius)-server[ ][^\n]{0,80}?\bkey(?:[ ][07])?)[ ]["']?([^\s"'$|<>-][^\s"'|<>]{5,200})/gi,
    accepts: (value) => isAnnouncedPassword(value) || isGivenLiteral(value),
  },
  {
    kind: 'token',
    source: 'command lines with a token behind a short flag or --key: drone, nsupdate',
    example: 'drone -t {token} repo ls',
    hints: [' -t ', ' -y ', ' -k ', ' -s ', '-key'],
    pattern: /[ ]-(?:[tyks]|-key)[ ]["']?(?:[\w-]{1,40}:){0,2}([A-Za-z0-9+/_.=~-]{20,400})(?=["'\s]|$)/g,
    // A UUID in base 64 is an id.
    accepts: (value) =>
      /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/u.test(value) ||
      (value.length !== 22 &&
        looksRandom(value) &&
        !isPlace(value) &&
        /[a-z]/u.test(value) &&
        /[A-Z]/u.test(value) &&
        /[0-9]/u.test(value)),
  },
  {
    kind: 'password',
    source: 'calls that encrypt, decrypt or sign: pgcrypto, MySQL, Node, PHP, JWT',
    example: "SELECT pgp_sym_decrypt(card, '{password}') FROM cards;",
    hints: ['crypt(', 'sign(', 'hmac(', 'verify('],
    pattern:
      /\b\w{0,30}(?:en|de|_)?(?:crypt|hmac|jwt\.sign|jwt\.verify)(?:sync)?\(\s{0,10}[^()"'\n]{1,80}(?:["'][^"'\n]{1,100}["'])?\s{0,10},\s{0,10}b?["']([^"'\s]{6,200})["']/gi,
    accepts: (value) =>
      (isAnnouncedPassword(value) && !/^(?:sha|md|aes|des|rc|ripemd)[-\d]/iu.test(value)) ||
      /^[0-9a-f]{32,128}$/u.test(value),
  },
];
