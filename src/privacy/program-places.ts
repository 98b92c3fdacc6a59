import { QUOTE, VALUE } from './announcements.ts';
import { isAnnouncedPassword, isPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { looksRandom } from './secret-values.ts';

/** Places where less common programs put a credential. */
export const PROGRAM_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'PHP: define',
    example: "define('DB_PASSWORD', '{password}');",
    hints: ['define('],
    pattern:
      /\bdefine\(\s{0,4}["']\w{0,40}(?:PASS|PWD|SECRET|TOKEN|KEY|SALT|AUTH)\w{0,20}["']\s{0,4},\s{0,4}["']([^"'\n]{6,400})["']/gi,
    accepts: (value) => isAnnouncedPassword(value) || (isPassword(value) && looksRandom(value)),
  },
  {
    kind: 'password',
    source: 'Oracle: sqlplus, impdp, expdp, sqlldr, rman, CONNECT',
    example: 'sqlplus app_owner/{password}@orcl-prod:1521/BILL',
    hints: ['sqlplus', 'sqlcl', 'impdp', 'expdp', 'sqlldr', 'rman', ':oracle:', 'conn'],
    pattern:
      /\b(?:jdbc:oracle:(?:thin|oci):|(?:conn(?:ect)?|sqlplus|sqlcl|impdp|expdp|sqlldr|rman)(?=[ ]))(?:[ ]+(?:-\w{1,10}|target|catalog|\/|userid=)){0,4}[ ]{0,4}["']?[\w.$#]{1,40}\/["']?([^\s"'@/]{4,100})(?=[@\s"']|$)/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'Net-SNMP: -A, -X',
    example: 'snmpwalk -v3 -l authPriv -u svc -a SHA -A {password} 10.0.0.9',
    hints: ['snmp'],
    pattern: /\bsnmp[a-z]{2,12}\b[^\n|;&]{0,200}?[ ]-[AX][ ]{1,4}["']?([^\s"']{4,200})/g,
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
    source: 'RFC 9051: LOGIN',
    example: 'a001 LOGIN joe@example.org {password}',
    hints: [' login '],
    pattern: /(?:^|[\s>:])[A-Za-z0-9.]{1,12}[ ]LOGIN[ ]+(?:"[^"\n]{1,100}"|[^\s"]{1,100})[ ]+"?([^\s"]{6,200})/g,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'notes and commit messages',
    example: 'Rotate the db password from {password} to the one in the vault.',
    hints: [' from '],
    pattern: new RegExp(
      `\\b(?:password|passwd|pwd?|passphrase|credentials?|login|secret)s?\\b[^\\n]{0,60}?\\bfrom[ ]+${QUOTE}${VALUE}`,
      'gi',
    ),
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
    source: 'lists of accounts in notes',
    example: '- deploy / {password}',
    hints: [' / '],
    pattern:
      /(?:^[ \t]{0,20}(?:[-*•][ ]{1,4})?|[:,;(][ ]{1,4})["'`]?(?:(?:admin|root|deploy|svc|service|user|test|demo|guest|ci|jenkins|oper|dba|app|sys)\w{0,20}|[\w.-]{1,40}@[\w.-]{1,60})["'`]?[ ]\/[ ]["'`]?([^\s"'`]{8,100}?)["'`]?(?=[,.;)]?(?:[ \t\r\n]|$))/gim,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'Windows: net use, the user first or last; ConvertTo-SecureString',
    example: 'net use Z: \\\\files\\share {password} /user:ACME\\svc',
    hints: ['net use', 'convertto-securestring'],
    pattern:
      /\bnet[ ]use[ ]+(?:\S{1,2}:?[ ]+)?\\\\\S{1,200}[ ]+(?:\/u(?:ser)?:\S{1,100}[ ]+)?(?![/*])["']?([^\s"]{4,200})|\bConvertTo-SecureString[ ]+(?:-String[ ]+)?["']([^"'\n]{4,200})["']/gi,
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
