import type { Place } from './place.ts';
import { anyOf, hintsOf, PASSWORD_STEMS } from './secret-words.ts';
import { isStandIn } from './stand-ins.ts';

const USER = '["\'`]?[\\w.@+\\\\-]{2,60}["\'`]?';
const END = '["\'`]?(?=[,.;)]?(?:\\s|$))';

/** Settings in special formats, and notes about accounts. */
export const FILE_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'notes: a word for a login, a user and a password',
    example: 'Creds for staging: svc_app:{password}',
    hints: ['log', 'sign', 'cred', 'user', 'acc', 'u:', 'page', 'wifi', 'wi-fi', 'wlan', 'ssid'],
    pattern: new RegExp(
      `(?<![\\w.$/-])(?:log[ -]?[io]ns?|sign[ -]?in|creds?|credentials?|user(?:name)?s?|accounts?|(?:admin|web) page|u(?=:)|wi-?fi|wlan|ssid)\\p{L}{0,8}[^\\n]{0,40}?[\\s:=–-](?!sha\\d{3}-|(?:sso|ldap|oidc|saml):)${USER}(?:[ ]?[/:|][ ]?|[\\s,;]{1,3}p(?:w|ass)?[:=][ ]?)["'\`]?([^\\s"'\`/:\\\\]{6,100}?)${END}(?![ ][/|][ ]\\S)`,
      'giu',
    ),
    need: 'pair',
    refuses: (_, match) => /[a-z]Id["']?[:=]|:\d{1,12}:[0-9a-f]{32}$|SHA\d{1,3}:\S*$/u.test(match),
  },
  {
    kind: 'password',
    source: 'lists of accounts in notes',
    example: '- deploy / {password}',
    hints: [' / ', 'admin', 'root', '\\'],
    pattern: new RegExp(
      `(?:(?<=\\s)[A-Z][\\w.-]{1,30}\\\\{1,2}[\\w.-]{1,40}:|(?:^[ \\t]{0,20}(?:[-*•][ ]{1,4})?|[:,;][ ]{1,4}|\\([ ]{0,4})["'\`]?(?:(?:(?:admin|root|deploy|svc|service|user|test|demo|guest|ci|jenkins|oper|dba|app|sys)\\w{0,20}|[\\w.-]{1,40}@[\\w.-]{1,60})["'\`]?[ ]/[ ]|(?:admin|root)\\w{0,10}[:/]))["'\`]?([^\\s"'\`/:\\\\]{6,100}?)${END}`,
      'gim',
    ),
    need: 'pair',
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
    need: 'pair',
  },
  {
    kind: 'key',
    source: 'WordPress: keys and salts, 64 characters with spaces and marks',
    example: "define('AUTH_KEY', '{token}');",
    hints: ['define'],
    pattern: /\bdefine\(\s{0,4}["'](?:[A-Z_]{0,30}_)?(?:KEY|SALT)["'],\s{0,10}'([^'\n]{32,120})'/g,
    need: (value) => !isStandIn(value) && !/put your|[A-Za-z]{3} [a-z]{2,} [a-z]{2,}/u.test(value),
  },
  {
    kind: 'key',
    source: 'Vault and others: numbered keys, and one as an argument',
    example: 'Unseal Key 1: {token}',
    hints: ['key ', 'unseal '],
    pattern:
      /(?:\boperator[ ]unseal[ ]|\b(?:unseal|recovery|root|secret|access|private|api|backup)[ ]key[ ]\d{1,3}[ ]{0,4}[:=][ ]{0,4}["']?)([^\s"']{16,400})/gi,
    need: 'token',
  },
];
