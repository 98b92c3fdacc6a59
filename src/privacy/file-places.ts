import { isAnnouncedPassword, isInPair, isPassword, isPositional } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, isStandIn, looksRandom } from './secret-values.ts';
import { anyOf, hintsOf, PASSWORD_STEMS } from './secret-words.ts';

/** Settings in special formats, and notes about accounts. */
export const FILE_PLACES: readonly Place[] = [
  {
    kind: 'key',
    source: 'WordPress: keys and salts, 64 characters with spaces and marks',
    example: "define('AUTH_KEY', '{token}');",
    hints: ['define'],
    pattern: /\bdefine\(\s{0,4}["'](?:[A-Z_]{0,30}_)?(?:KEY|SALT)["'],\s{0,10}'([^'\n]{32,120})'/g,
    accepts: (value) => !isStandIn(value) && !/put your|[A-Za-z]{3} [a-z]{2,} [a-z]{2,}/u.test(value),
  },
  {
    kind: 'password',
    source: 'OpenVPN, Samba, vpnc: a file with a user and a password, each on its line',
    example: 'cat > client/auth.txt <<EOF\njoe\n{password}\nEOF',
    hints: ['auth', 'pass', 'cred', 'login', 'secret'],
    pattern:
      /(?:auth|pass|cred|login|secret)[\w-]{0,30}(?:\.(?!log)\w{1,8})?(?:["']?:?|>|(?<=^#[^\n]{0,100})[^\n]{0,100})[ ]{0,2}(?:<<-?[ ]?["']?\w{1,20}["']?)?\r?\n[\w.@+-]{2,60}\r?\n(\S{6,100})(?=\r?\n|$)/gim,
    accepts: (value) => isInPair(value) && !/^[a-z]+-\d{1,3}$/u.test(value),
  },
  {
    kind: 'password',
    source: 'CouchDB, Trac, Pyramid: users and passwords below a heading',
    example: '[admins]\njoe = {password}',
    hints: ['[admin', '[user', '[account', '[pass', '[cred', '[login'],
    pattern:
      /^[ \t]{0,8}\[(?:[\w.-]{0,30}[._-])?(?:admin|user|account|password|credential|login)s?\][ \t]{0,8}\r?\n(?:[;#][^\n]{0,200}\n){0,4}[ \t]{0,8}[\w.@+-]{1,60}[ \t]{0,20}[:=][ \t]{0,20}(\S{6,200})$/gim,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'settings whose comment says that the value is a password',
    example: 'ftp_camera: "{password}"   # password of the cam',
    hints: ['pass', 'pwd', 'login', 'cred', ...hintsOf(PASSWORD_STEMS)],
    pattern: new RegExp(
      `^(?:[ \\t]{0,20}["']?[\\w.$-]{1,60}["']?[ \\t]{0,20}(?:[:=]|=>)[ \\t]{0,20}["']?|[^\\n"']{0,80}["'](?=[^\\s"']{1,100}["'][^\\n"']{0,40}$|[^\\s"']{1,100}["'][ ]))([^\\s"']{8,100})["']?[,;)]{0,2}[ \\t]{1,20}(?:#|//|;|--|/\\*|<!--|←|\\(|'[ ])[^\\n]{0,60}?(?:\\bpass(?:word|phrase)?\\b|\\bpwd?\\b|${anyOf(PASSWORD_STEMS)})(?![ ]?(?:hash|polic|length|file|field|min|max|stor|manag|rule|check|algo|reset))`,
      'gimu',
    ),
    accepts: isInPair,
  },
  {
    kind: 'password',
    source: 'Cisco IOS: a password in the clear, and one that anyone can read back; SNMP: communities',
    example: 'enable password 0 {password}',
    hints: ['password ', 'secret ', 'key ', 'psk ', 'community ', 'key-string ', 'cleartext '],
    pattern:
      /(?:\b(?:password|secret|key|psk|community|key-string)(?:[ ](?:[0-9]|15|level|cipher|simple|plain|plain-?text|clear-?text|clear|ascii(?:-text)?|text|encrypted|unencrypted|(?:ir)?reversible-cipher|pre-shared-key|local)){1,3}|=[ ]cleartext|(?:\b[Ss][Nn][Mm][Pp][\w-]{0,20}[ ](?:[^\s]{1,40}[ ]){0,3}|\br[ow])community(?:[ ](?:read|write|ro|rw|cipher|simple|plain|string|name|is|now|[07])){0,3}:?)[ ]{1,4}["']?([^\s"']{4,200})/g,
    accepts: (value) =>
      /^[0-9]{2}(?:[0-9A-F]{2}){4,40}$/u.test(value) ||
      isAnnouncedPassword(value) ||
      (isPassword(value) && /\p{L}\d|\d\p{L}/u.test(value)),
  },
  {
    kind: 'password',
    source: 'OpenWrt: uci; Exim: client_send; Squid: login=; HAProxy: stats auth; etcd: user add',
    example: 'uci set wireless.@wifi-iface[0].key={password}',
    hints: ['uci ', 'client_send', 'login=', 'auth ', 'user add', 'digest '],
    pattern:
      /\buci[ ]set[ ][^\s=]{1,100}\.(?:key|password|sae_password)=["']?([^\s"']{6,200})|\bclient_send[ ]{0,4}=[^\n]{1,120}?[ ]:[ ]([^\s:]{4,200})$|(?:\blogin=|\bauth[ ](?=\S{1,200}$)|\b(?:user[ ]add|digest)[ ])["']?[\w.@\\-]{1,60}:([^\s"']{4,200})/gm,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'Postfix: sasl_passwd; proxychains: ProxyList',
    example: '[smtp.mail.internal]:587 mailer@example.org:{password}',
    hints: ['@', ']', 'socks', 'http'],
    pattern:
      /(?:^[ \t]{0,8}\[[\w.-]{1,100}\](?::\d{1,5})?[ \t]{1,20}[\w.+@-]{1,100}|^[ \t]{0,8}(?:[\w.-]{1,100}[ \t]{1,20})?(?!git@)[\w.+-]{1,60}@[\w.-]{1,60}):([^\s/][^\s]{5,200})$|^[ \t]{0,8}(?:socks[45]|https?)[ \t]{1,20}[\w.-]{1,100}[ \t]{1,20}\d{1,5}[ \t]{1,20}[\w.@-]{1,60}[ \t]{1,20}(\S{4,200})$/gm,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'pppd: chap-secrets',
    example: '"svc" * "{password}" *',
    hints: ['"', 'secret', 'client'],
    pattern:
      /^[ \t]{0,8}["']?[\w.@\\-]{1,60}["']?[ \t]{1,20}(?:\*|["']?[\w.-]{1,60}["']?)[ \t]{1,20}["']?([^"'\s]{6,200})["']?[ \t]{1,20}["']?(?:\*|[\d.]{7,15})["']?[ \t]{0,8}$/gm,
    accepts: isPositional,
  },
  {
    kind: 'key',
    source: 'Vault and others: numbered keys, and one as an argument',
    example: 'Unseal Key 1: {token}',
    hints: ['key ', 'unseal '],
    pattern:
      /(?:\boperator[ ]unseal[ ]|\b(?:unseal|recovery|root|secret|access|private|api|backup)[ ]key[ ]\d{1,3}[ ]{0,4}[:=][ ]{0,4}["']?)([^\s"']{16,400})/gi,
    accepts: (value) => looksRandom(value) && !isPlace(value),
  },
  {
    kind: 'token',
    source: 'Anaconda: channels; ThingsBoard: devices',
    example: 'https://conda.acme/t/{token}/main',
    hints: ['/t/', '/api/v1/'],
    pattern:
      /\bhttps?:\/\/[\w.:-]{1,100}\/(?:t\/([\w.~-]{16,400})\/|api\/v1\/([a-zA-Z0-9]{20})\/(?:telemetry|attributes|rpc|claim)\b)/g,
    accepts: looksRandom,
  },
];
