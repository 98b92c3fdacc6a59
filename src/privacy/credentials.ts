import type { Finding } from './findings.ts';
import { isHash, isPassword, isStrongPassword } from './password-values.ts';
import { isCode, isPlace, isStandIn, looksChosen, looksRandom } from './secret-values.ts';

/** A shape in which the position alone says that something is a credential. Group 1 is the secret. */
interface Place {
  kind: string;
  /** Lower-case texts one of which every match contains: most texts hold none, and are not searched. */
  hints: readonly string[];
  pattern: RegExp;
  accepts(value: string): boolean;
}

// Schemes that only name a service with a login; their passwords may hold a bare / or @.
const LOGIN_SCHEMES =
  '(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|amqps?|smtps?|ldaps?|imaps?|ftps?|sftp|mqtts?|nats|kafka|clickhouse|cockroachdb|mssql|sqlserver|oracle|couchdb|neo4j|bolt|cassandra|influxdb|snowflake|redshift)(?:[+:][a-z0-9+]{1,20}){0,2}';

const PLACES: readonly Place[] = [
  {
    kind: 'url-password',
    hints: ['://'],
    pattern: new RegExp(
      `(?<![A-Za-z])${LOGIN_SCHEMES}:\\/\\/[^\\s:/?#@"'\`<>]{0,100}:([^\\s"'\`<>]{1,200}?)@(?=[\\w[.-]{1,200}(?:[:/?,\\s"'\`)\\]}>;&|\\\\.]|$)(?![^\\s"'\`<>]{0,200}@))`,
      'gi',
    ),
    accepts: isPassword,
  },
  {
    kind: 'url-password',
    hints: ['://'],
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"'`<>]{0,100}:([^\s/"'`<>]{1,300}?)@(?=[\w[])(?![^\s/"'`<>?]{0,200}@)/gi,
    accepts: isPassword,
  },
  {
    // A token in the place of the user's name, as in a Sentry DSN or a clone address.
    kind: 'url-token',
    hints: ['://'],
    pattern: /\bhttps?:\/\/([^\s:/?#@"'`<>]{20,300})(?::x-oauth-basic)?@(?=[\w[])/gi,
    accepts: looksRandom,
  },
  {
    // The data source name of Go's MySQL driver.
    kind: 'url-password',
    hints: ['@tcp(', '@unix('],
    pattern: /\b[\w.-]{1,60}:([^\s"'`<>@]{4,100})@(?:tcp|unix)\(/g,
    accepts: isPassword,
  },
  {
    kind: 'bearer-token',
    hints: ['bearer', 'token', 'apikey', 'api-key', 'ssws', 'splunk', 'key'],
    pattern:
      /\b(?:bearer|token|apikey|api-key|ssws|splunk|genie-?key|key)[ ]{1,4}([A-Za-z0-9._~+/|:-]{16,4000}={0,2})/gi,
    accepts: (value) =>
      looksRandom(value) && !isPlace(value) && (value.length >= 24 || /[A-Z]/u.test(value)) && !isHash(value),
  },
  {
    kind: 'bearer-token',
    hints: ['bearer'],
    pattern: /\bbearer[ ]{1,4}([A-Za-z0-9._~+/|:-]{8,4000}={0,2})/gi,
    accepts: (value) => looksRandom(value) || looksChosen(value),
  },
  {
    kind: 'authorization',
    hints: ['authorization'],
    pattern: /authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[a-z][a-z0-9-]{1,20}[ ]{1,4})?([^\s"'`,;<>]{8,4000})/gi,
    accepts: (value) => !isStandIn(value) && !isCode(value) && (looksRandom(value) || looksChosen(value)),
  },
  {
    kind: 'basic-auth',
    hints: ['basic'],
    pattern: /\bbasic[ ]{1,4}([A-Za-z0-9+/_-]{8,1000}={0,2})/gi,
    accepts: (value) =>
      /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,200}$/u.test(Buffer.from(value, 'base64').toString('latin1')),
  },
  {
    // curl -u name:password, and the same of wget, httpie and friends.
    kind: 'password',
    hints: ['-u', '-a'],
    pattern:
      /(?:\s-u|\s--user|\s--proxy-user|\s-U|\s-a|\s--auth)(?:[ ]{1,4}|=)["']?[^\s:"'%]{1,100}[:%]([^\s"'][^\s"']{3,200})/g,
    accepts: (value) => isPassword(value) && !isPlace(value) && (/[0-9]/u.test(value) || looksChosen(value)),
  },
  {
    kind: 'password',
    hints: ['sshpass'],
    pattern: /\bsshpass[ ]{1,4}-p[ ]{0,4}["']?([^\s"']{4,200})/g,
    accepts: isPassword,
  },
  {
    // mysql -pSECRET has no blank; with one the word behind it is a database.
    kind: 'password',
    hints: ['mysql', 'mariadb'],
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b(?:[ ]+(?!-p)[^\s|;&]{1,100}){0,12}[ ]+-p["']?([^\s"']{4,200})/g,
    accepts: isPassword,
  },
  {
    kind: 'password',
    hints: ['-p', '-w', '-a'],
    pattern:
      /\b(?:(?:docker|podman|helm|oc|az|skopeo|buildah|cf|twine)[ ](?:[^\n|;&]{1,100}[ ])?(?:login|upload)|redis-cli|ldapsearch|ldapmodify|7z|zip|mongosh?|mongodump|mongorestore|sqlcmd|bcp|mosquitto_pub|mosquitto_sub)\b(?:[ ]+(?!-[pPwa][ ])[^\s|;&]{1,100}){0,12}[ ]+-[pPwa][ ]{1,4}["']?([^\s"'-][^\s"']{3,200})/g,
    accepts: (value) => isPassword(value) && (looksRandom(value) || looksChosen(value) || /\d/u.test(value)),
  },
  {
    kind: 'password',
    hints: ['echo', 'printf', '<<<'],
    pattern:
      /\b(?:echo|printf)[ ]{1,4}(?:-n[ ]{1,4}|--[ ]{1,4}|["']?%s(?:\\n)?["']?[ ]{1,4})?["']?([^\s"'|]{6,400})["']?[ ]{0,4}\|[^|\n]{0,200}(?:--(?:password|token|with-token|apikey)-?(?:stdin)?|[ ](?:secrets?|login|passwd|chpasswd|unlock)\b)/g,
    accepts: isPassword,
  },
  {
    // .netrc, on one line or several.
    kind: 'password',
    hints: ['login'],
    pattern: /\blogin\s{1,20}\S{1,100}\s{1,20}password\s{1,20}["']?([^\s"']{4,400})/g,
    accepts: isPassword,
  },
  {
    // Logins by host, as Composer keeps them.
    kind: 'token',
    hints: ['oauth', 'token', 'bearer'],
    pattern:
      /"[\w-]{0,40}(?:oauth|token|bearer)s?"\s{0,10}:\s{0,10}\{\s{0,80}"[\w.:-]{1,100}"\s{0,10}:\s{0,10}"([^"\s]{12,400})"/gi,
    accepts: (value) => isPassword(value) && !isPlace(value) && (looksRandom(value) || /\d[a-z]|[a-z]\d/iu.test(value)),
  },
  {
    // A mail server asks for a password in base64, and gets it so.
    kind: 'password',
    hints: ['334 '],
    pattern:
      /\b334[ ](?:UGFzc3dvcmQ6|cGFzc3dvcmQ6|UGFzc3dvcmQA)\s{1,10}(?:[A-Z]:[ ]|[<>]{1,2}[ ]|-->[ ])?([A-Za-z0-9+/]{4,400}={0,2})/g,
    accepts: () => true,
  },
  {
    // What is typed into redis-cli, FTP and mail servers.
    kind: 'password',
    hints: ['auth ', 'pass '],
    pattern: /(?:^|[>*][ ]{0,2})(?:AUTH|PASS)[ ](?:[\w.@-]{1,60}[ ])?["']?([^\s"']{6,200})["']?[ \t]{0,4}$/gm,
    accepts: (value) =>
      isPassword(value) && !isCode(value) && (looksRandom(value) || looksChosen(value) || /\d/u.test(value)),
  },
  {
    // .pgpass: host:port:database:user:password
    kind: 'password',
    hints: [':'],
    pattern:
      /(?<![\w.*:/-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:([^\s"'`]{6,200})(?=$|[\s"'`])/gm,
    accepts: isStrongPassword,
  },
  {
    // A login without a scheme before it, as in messages of clients.
    kind: 'password',
    hints: ['@'],
    pattern: /(?<![\w/.-])(?!mailto:)[\w.-]{1,40}:([^\s:@/"'`<>]{6,100})@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
    accepts: isStrongPassword,
  },
  {
    kind: 'password',
    hints: ['log', 'sign', 'cred', 'user'],
    pattern:
      /\b(?:log[ ]?in|sign[ ]?in|credentials?|creds|user(?:name)?)\b[^\n]{0,40}?[\s"'`][\w.@-]{2,60}["'`]?[ ]?\/[ ]?["'`]?([^\s"'`]{8,100})/gi,
    accepts: (value) => looksChosen(value) && isStrongPassword(value),
  },
  {
    kind: 'password',
    hints: ['('],
    pattern:
      /\b(?:auth\s{0,4}=\s{0,4}|\w{0,20}(?:login|log_in|sign_?in|auth|authenticate|connect|credentials?))\(\s{0,10}["'][^"'\n]{1,100}["']\s{0,10},\s{0,10}["']([^"'\n]{6,200})["']/gi,
    accepts: isStrongPassword,
  },
  {
    kind: 'secret',
    hints: ['secret'],
    pattern:
      /\bsecrets?[ ](?:set|put|create|add)[ ][^\n]{0,120}?(?:--body|--value|--secret-string|-b)(?:[ ]{1,4}|=)["']?([^\s"']{6,400})/g,
    accepts: (value) => isPassword(value) && !isPlace(value),
  },
  {
    kind: 'password',
    hints: ['openssl'],
    pattern: /\bopenssl[ ][^\n|;&]{0,200}?(?:-k[ ]{1,4}|pass:)["']?([^\s"']{6,200})/g,
    accepts: isPassword,
  },
  {
    // The private members of a JSON Web Key.
    kind: 'private-key',
    hints: ['"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"\s{0,10}:\s{0,10}"([A-Za-z0-9_-]{20,1000})"/g,
    accepts: looksRandom,
  },
  {
    kind: 'password',
    hints: ['password', 'identified'],
    pattern:
      /\b(?:identified(?:[ ]+with[ ]+\w{1,40})?[ ]+by|with[ ]+(?:login[ ]+)?(?:encrypted[ ]+)?password|encrypted[ ]+password|password)(?:[ ]+|\()(?:N?'|")([^'"\n]{4,200})['"]/gi,
    accepts: (value) => isPassword(value) && !/\s/u.test(value),
  },
  {
    kind: 'session',
    hints: ['cookie', '-b'],
    pattern:
      /(?:(?:^|[\s"'{,])(?:set-)?cookie["']?\s{0,4}[:=]\s{0,4}["']?|(?:-b|--cookie)[ ]{1,4}["']?)([^\r\n"']{8,4000})/gi,
    accepts: () => true,
  },
  {
    kind: 'signature',
    hints: ['='],
    pattern:
      /[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|auth|key|code|hmac|st)=([^\s&"'`<>#]{16,2000})/gi,
    accepts: looksRandom,
  },
];

/** Finds credentials by where they stand: in addresses, headers, cookies, command lines, login files and SQL. */
export function findCredentials(text: string): Finding[] {
  const lower = text.toLowerCase();
  const possible = PLACES.filter(({ hints }) => hints.some((hint) => lower.includes(hint)));
  return possible.flatMap(({ kind, pattern, accepts }) =>
    Array.from(text.matchAll(pattern)).flatMap((match): Finding[] => {
      const value = match[1];
      if (value === undefined) return [];
      const start = startOfGroup(match, value);
      if (kind === 'session') return cookieValues(value, start);
      return accepts(value) ? [{ start, end: start + value.length, kind }] : [];
    }),
  );
}

/** The group's offset: it ends near the end of the match, so the last place where it stands is its own. */
function startOfGroup(match: RegExpExecArray, value: string): number {
  return match.index + match[0].lastIndexOf(value);
}

function cookieValues(header: string, start: number): Finding[] {
  return Array.from(header.matchAll(/([\w.-]{1,80})=([^;\s,]{8,4000})/g))
    .filter(([, name = '', value = '']) => isCookieSecret(name, value))
    .map((match) => {
      const from = start + match.index + (match[1] ?? '').length + 1;
      return { start: from, end: from + (match[2] ?? '').length, kind: 'session' };
    });
}

function isCookieSecret(name: string, value: string): boolean {
  if (isStandIn(value) || /^(?:expires|max-age|path|domain|samesite)$/iu.test(name)) return false;
  return looksRandom(value) && (value.length >= 20 || /sess|sid|auth|token|jwt|csrf|xsrf|remember|login/iu.test(name));
}
