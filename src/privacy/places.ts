import { isGivenLiteral } from './given-values.ts';
import {
  isAnnouncedPassword,
  isDottedPhrase,
  isJoined,
  isPassword,
  isStrongPassword,
  isUnmistakable,
  isWordPair,
} from './password-values.ts';
import { isCode, isPlace, looksChosen, looksRandom } from './secret-values.ts';
import { isNumberedPhrase } from './spaced-values.ts';

/** A shape in which the position alone says that something is a credential. The group that matched is the secret. */
export interface Place {
  kind: string;
  /** The program, format or standard that puts a credential there. */
  source: string;
  /** An example match, with `{password}`, `{token}` and the like in place of the secret. */
  example: string;
  /** Lower-case strings of which every match contains at least one: most texts contain none, and are not searched. */
  hints: readonly string[];
  pattern: RegExp;
  /** Judges the value, and if that leaves it open, by what the expression matched. */
  accepts(value: string, match: string): boolean;
}

/** Places of common programs, formats and messages. */
export const COMMON_PLACES: readonly Place[] = [
  {
    // curl -u name:password, and the same for wget, httpie and the like.
    kind: 'password',
    source: 'curl(1), wget(1), HTTPie, lftp',
    example: 'http -a deploy:{password} https://nexus.internal/repo',
    hints: ['-u', '-a', 'cred'],
    pattern:
      /(?:[\s"']-u|\s--(?:src-|dest-)?cred(?:ential)?s|\s--user|\s--proxy-user|\s-U|\s-a|\s--auth)(?:[ ]{1,4}|=)["']?[^\s:,"'%]{1,100}[:%,]([^\s"'][^\s"']{3,200})/g,
    accepts: (value) =>
      isPassword(value) &&
      (!isPlace(value) || isJoined(value)) &&
      (/[0-9]/u.test(value) || looksChosen(value) || isJoined(value)),
  },
  {
    kind: 'password',
    source: 'sshpass(1)',
    example: "sshpass -p '{password}' ssh root@10.0.0.7",
    hints: ['sshpass'],
    pattern: /\bsshpass[ ]{1,4}-p[ ]{0,4}["']?([^\s"']{4,200})/g,
    accepts: isPassword,
  },
  {
    // mysql -pSECRET has no space; after a space the next word is a database.
    kind: 'password',
    source: 'MySQL, 7-Zip, RAR: -pSECRET',
    example: 'mysqldump -h db -u root -p{password} billing',
    hints: ['mysql', 'mariadb', '7z', 'rar'],
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|7z[ar]?|rar|unrar)\b(?:[ ]+(?!-p)[^\s|;&]{1,100}){0,12}[ ]+-h?p["']?([^\s"']{4,200})/g,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source:
      'programs that read a secret from standard input: docker login, passwd, sudo -S, cryptsetup, vercel env add',
    example: 'echo "{password}" | docker login -u ci --password-stdin',
    hints: ['echo', 'printf', 'yes', 'print', '<<<'],
    pattern:
      /\b(?:echo|printf?|yes|write-output)[ ]{1,4}(?:-\w{1,3}[ ]{1,4}|--[ ]{1,4}|["']?%s(?:\\n)?["']?[ ]{1,4}){0,2}["']?(?:[\w.-]{1,40}:)?((?<=["'])[^"'|;\n]{6,100}(?=["'][^|\n]{0,20}\|[^|\n]{0,120}?(?:cryptsetup|passwd|sudo|stdin|unlock|kinit|veracrypt))|[^\s"'|;]{6,400})["']?[ ]{0,4}(?:;[^|\n]{0,100}\)[ ]?)?(?:>{1,2}[ ]?(?:[^\s|]{0,60}[/._-])?(?:vault_?pass|pass(?:word|wd|phrase)?|pw|secret|token)(?:\.txt)?(?=\s|$)|\|[^|\n]{0,200}?(?:--?[\w-]{0,20}(?:password|token|apikey|stdin)\b|--key\b|[ ]join\b|[ ](?:secrets?|login|\w{0,10}passwd2?|chpasswd|unlock|load-key|env[ ](?:add|set)|sudo[ ][^|\n]{0,80}?-\w{0,5}S|cryptsetup|kinit|gpg2?|ecryptfs-\w{1,30}|keyctl|ssh-add|openconnect|wg|pass|veracrypt|su)\b))/g,
    accepts: (value) => isPassword(value) && (/\s/u.test(value) ? isNumberedPhrase(value) : !isPlace(value)),
  },
  {
    kind: 'password',
    source: 'short flags for a password, of any program',
    example: 'mcrcon -H game1 -P 25575 -p {password} save-all',
    hints: [' -p', ' -w', ' -a', ' -k', ' -x', ' -s'],
    pattern:
      /(?<!\b(?:mkdir|cp|rm|ls|ssh|scp|rsync|tar|git|pytest|curl|kill|mvn|tsc|unzip|wget|nmap|xargs|minisign|signify)(?:[ ]\S{1,40})?)[ ]-[pPwWaAkXs](?:[ ]{1,4}|=)?["']?([^\s"'-][^\s"']{7,100})/g,
    accepts: (value) => isUnmistakable(value) || isWordPair(value),
  },
  {
    // Logins by host, as Composer keeps them.
    kind: 'token',
    source: 'Composer: auth.json',
    example: '{"github-oauth": {"github.com": "{token}"}}',
    hints: ['oauth', 'token', 'bearer'],
    pattern:
      /"[\w-]{0,40}(?:oauth|token|bearer)s?"\s{0,10}:\s{0,10}\{\s{0,80}"[\w.:-]{1,100}"\s{0,10}:\s{0,10}"([^"\s]{12,400})"/gi,
    accepts: (value) => isPassword(value) && !isPlace(value) && (looksRandom(value) || /\d[a-z]|[a-z]\d/iu.test(value)),
  },
  {
    // A mail server asks for a password in base64, and gets it in base64.
    kind: 'password',
    source: 'RFC 4954: AUTH LOGIN',
    example: '334 UGFzc3dvcmQ6\n{base64}',
    hints: ['334 '],
    pattern:
      /\b334[ ](?:UGFzc3dvcmQ6|cGFzc3dvcmQ6|UGFzc3dvcmQA)\s{1,10}(?:[A-Z]:[ ]|[<>]{1,2}[ ]|-->[ ])?([A-Za-z0-9+/]{4,400}={0,2})/g,
    accepts: () => true,
  },
  {
    // Input to redis-cli, FTP and mail servers.
    kind: 'password',
    source: 'Redis: AUTH; RFC 959 and RFC 1939: PASS',
    example: 'PASS {password}',
    hints: ['auth ', 'auth"', 'pass ', 'pw ', 'pwd '],
    pattern:
      /(?:^|[>*\]][ ]{0,2})["']?(?:AUTH|PASS|(?<=^)(?:pass|pwd?))["']?[ ](?:["']?[\w.@-]{1,60}["']?[ ])?["']?([^\s"']{6,200})["']?[ \t]{0,4}$/gm,
    accepts: (value) =>
      isDottedPhrase(value) ||
      isJoined(value) ||
      (/[!#$%*+~^&]/u.test(value) && isGivenLiteral(value)) ||
      (isPassword(value) && !isCode(value) && (looksRandom(value) || looksChosen(value) || /\d/u.test(value))),
  },
  {
    // .pgpass: host:port:database:user:password
    kind: 'password',
    source: 'PostgreSQL: .pgpass, any port',
    example: 'db.internal:6000:billing:svc_app:{password}',
    hints: [':'],
    pattern:
      /(?<![\w.*:/-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:([^\s"'`:][^\s"'`]{5,200})(?=$|[\s"'`])/gm,
    accepts: isAnnouncedPassword,
  },
  {
    // A login without a scheme, as in messages of clients.
    kind: 'password',
    source: 'messages of clients',
    example: 'deploy:{password}@nexus.internal',
    hints: ['@'],
    pattern:
      /(?<![\w/.-])(?!mailto:|[Uu][Ii][Dd]:|acct:|sip:|[\d.-]{1,40}:)(?:[\w.-]{1,40}\/)?[\w.-]{1,40}:["']?([^\s:@/"'`<>]{6,100})["']?@[\w-]{1,63}(?:(?:\.[\w-]{1,63}){1,8}|:(?=[\d/]))/g,
    accepts: isStrongPassword,
  },
  {
    // The private members of a JSON Web Key.
    kind: 'private-key',
    source: 'RFC 7517: private members',
    example: '{"kty": "OKP", "d": "{token}"}',
    hints: ['"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"\s{0,10}:\s{0,10}"([A-Za-z0-9_-]{20,1000})"/g,
    accepts: looksRandom,
  },
  {
    kind: 'password',
    source: 'SQL: IDENTIFIED BY, WITH PASSWORD',
    example: "CREATE USER app WITH PASSWORD '{password}';",
    hints: ['password', 'identified'],
    pattern:
      /(?<![-\w])(?:identified(?:[ ]+with[ ]+\w{1,40})?[ ]+by|with[ ]+(?:login[ ]+)?(?:encrypted[ ]+)?password|encrypted[ ]+password|set[ ]+password[ ]{0,4}(?:for[ ][^\n=;]{1,200})?=(?=[ '])(?:[ ]{0,4}password(?=\())?|password)(?:[ ]{0,8}(?<=[ =])|\()(?:N?'|")([^'"\n]{4,200})['"]/gi,
    accepts: (value) => isPassword(value) && !/\s/u.test(value),
  },
  {
    kind: 'session',
    source: 'RFC 6265',
    example: 'Cookie: theme=dark; session={token}',
    hints: ['cookie', '-b'],
    pattern:
      /(?:(?:^|[\s"'{,])(?:set-)?cookie["']?\s{0,4}[:=]\s{0,4}["']?|(?:-b|--cookie)[ ]{1,4}["']?)([^\r\n"']{8,4000})/gi,
    accepts: () => true,
  },
  {
    kind: 'signature',
    source: 'signed addresses of Amazon, Azure and Google',
    example: 'https://files.internal/a.zip?se=2026&sig={token}',
    hints: ['='],
    pattern:
      /[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|auth|key|code|hmac|st|appid)=([^\s&"'`<>#]{16,2000})/gi,
    accepts: looksRandom,
  },
  {
    kind: 'token',
    source: 'mails: an address that resets a password, signs in or accepts an invitation',
    example: 'https://app.acme.example/password/reset/{hex}',
    hints: ['reset', 'recover', 'magic', 'verif', 'confirm', 'activat', 'invit', 'sign', 'login', 'share'],
    pattern:
      /\bhttps?:\/\/[\w.:-]{3,100}\/(?:[\w.-]{1,30}\/){0,4}(?:[\w-]{0,20}(?:reset|recover|magic|verify|confirm|activat|invit|signup|sign-in|signin|login)[\w-]{0,20})\/(?:[\w-]{1,20}\/)?([\w.~-]{24,400})(?=[\s"'<>)?]|$)/gi,
    accepts: (value) => looksRandom(value) || /^[0-9a-f]{32,128}$/u.test(value),
  },
];
