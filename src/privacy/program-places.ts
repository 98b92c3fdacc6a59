import { QUOTE, VALUE } from './announcements.ts';
import { isAnnouncedPassword, isInPair, isOfUser, isPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { anyOf, hintsOf, LOGIN_STEMS } from './secret-words.ts';

const USER = '["\'`]?[\\w.@+\\\\-]{2,60}["\'`]?';
const END = '["\'`]?(?=[,.;)]?(?:\\s|$))';

/** Places where less common programs put a credential. */
export const PROGRAM_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'notes: a word for a login, a user and a password',
    example: 'Creds for staging: svc_app:{password}',
    hints: [
      'log',
      'sign',
      'cred',
      'user',
      'acc',
      'u:',
      'page',
      'wifi',
      'wi-fi',
      'wlan',
      'ssid',
      ...hintsOf(LOGIN_STEMS),
    ],
    pattern: new RegExp(
      `(?<![\\w.$/-])(?:log[ -]?[io]ns?|sign[ -]?in|creds?|credentials?|user(?:name)?s?|accounts?|(?:admin|web) page|u(?=:)|wi-?fi|wlan|ssid|${anyOf(LOGIN_STEMS)})\\p{L}{0,8}[^\\n]{0,40}?[\\s:=–-](?!sha\\d{3}-|(?:sso|ldap|oidc|saml):)${USER}(?:[ ]?[/:|][ ]?|[\\s,;]{1,3}p(?:w|ass)?[:=][ ]?)["'\`]?([^\\s"'\`/:\\\\]{6,100}?)${END}(?![ ][/|][ ]\\S)`,
      'giu',
    ),
    // `userPoolClientId`: an id of something else.
    accepts: (value, match) =>
      isOfUser(value) && !/[a-z]Id["']?[:=]|:\d{1,12}:[0-9a-f]{32}$|SHA\d{1,3}:\S*$/u.test(match),
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
    accepts: isOfUser,
  },
  {
    kind: 'password',
    source: 'RFC 9051: LOGIN; steamcmd and others: login; ftp(1): user',
    example: 'a001 LOGIN joe@example.org {password}',
    hints: ['login ', 'user '],
    pattern: new RegExp(
      `(?:\\blogin|^[ \\t]{0,20}user)[ ]{1,4}(?![-+])${USER}[ ]{1,4}["']?([^\\s"']{6,200})["']?(?=[ \\t]{0,4}(?:\\r?$|[+|;&<]))`,
      'gim',
    ),
    accepts: isInPair,
  },
  {
    kind: 'password',
    source: 'Oracle: sqlplus, impdp, expdp, sqlldr, rman, CONNECT',
    example: 'sqlplus app_owner/{password}@orcl-prod:1521/BILL',
    hints: ['sqlplus', 'sqlcl', 'impdp', 'expdp', 'sqlldr', 'rman', 'exp ', 'imp ', ':oracle:', 'conn'],
    pattern:
      /\b(?:jdbc:oracle:(?:thin|oci):|(?:conn(?:ect)?|sqlplus|sqlcl|impdp|expdp|exp|imp|sqlldr|rman)(?=[ ]))(?:[ ]+(?:-\w{1,10}|target|catalog|\/|userid=)){0,4}[ ]{0,4}["']?[\w.$#]{1,40}\/["']?([^\s"'/]{4,100}(?=@\/\/)|[^\s"'@/]{4,100})(?=[@\s"']|$)/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'Net-SNMP: -A, -X, -c, createUser',
    example: 'snmpwalk -v3 -l authPriv -u svc -a SHA -A {password} 10.0.0.9',
    hints: ['snmp', 'createuser'],
    pattern:
      /(?:(?<=\bsnmp[a-z]{2,12}\b[^\n|;&]{0,200})[ ]-[AXc]|(?<=\bcreateUser[ ][^\n]{0,200})[ ](?:SHA|MD5|AES|DES)[-\d]{0,4})[ ]{1,4}["']?([^\s"']{6,200})/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'expect(1): send',
    example: 'send -- "{password}\\r"',
    hints: ['send'],
    pattern: /\bsend(?:[ ]+(?:--|-h|-s)){0,2}[ ]+["']([^\s"'\\]{6,200})\\[rn]["']/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'notes and commit messages',
    example: 'We rotated the root password from the old one to {password} yesterday.',
    hints: [' to '],
    pattern: new RegExp(
      `\\b(?:rotat|chang|replac|switch|updat|reset|set)\\w{0,4}\\b[^\\n]{0,60}?\\b(?:password|passwd|pwd?|passphrase|credentials?|login|secret)s?\\b[^\\n]{0,120}?\\bto[ ]+${QUOTE}${VALUE}`,
      'gi',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'Windows: net use, the user first or last; ConvertTo-SecureString',
    example: 'net use Z: \\\\files\\share {password} /user:ACME\\svc',
    hints: ['net use', 'convertto-securestring', '-content '],
    pattern:
      /\bnet[ ]use[ ]+(?:\S{1,2}:?[ ]+)?\\\\\S{1,200}[ ]+(?:\/u(?:ser)?:\S{1,100}[ ]+)?(?![/*])["']?([^\s"]{4,200})|\bConvertTo-SecureString(?:[ ]+-(?:AsPlainText|Force|String)){0,3}[ ]+["']([^"'\n]{4,200})["']|["']([^"'\n]{4,200})["'][ ]?\|[ ]?ConvertTo-SecureString|\b(?:Set|Add)-Content[ ]+\S{0,60}(?:pw|pass|secret|token|cred)\S{0,20}[ ]+(?:-Value[ ]+)?["']([^"'\n]{4,200})["']/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'htpasswd(1): -b',
    example: "htpasswd -bc /etc/nginx/.htpasswd deploy '{password}'",
    hints: ['htpasswd'],
    pattern:
      /\bhtpasswd[ ]+-(?=[a-zA-Z]{0,8}b)[a-zA-Z]{1,10}[ ]+[^\s]{1,200}[ ]+[^\s]{1,100}[ ]+["']?([^\s"']{4,200})/g,
    accepts: isPassword,
  },
];
