import type { Place } from './place.ts';
import { isCredential, isHash, isSecret } from './values.ts';

/** Command lines, and the input that scripts give to a prompt for a password. */
export const COMMAND_PLACES: readonly Place[] = [
  {
    // curl -u name:password, and the same for wget, httpie and the like.
    kind: 'password',
    source: 'curl(1), wget(1), HTTPie, lftp',
    example: 'http -a deploy:{password} https://nexus.internal/repo',
    hints: ['-u', '-a', 'cred'],
    pattern:
      /(?:[\s"']-u|\s--(?:src-|dest-)?cred(?:ential)?s|\s--user|\s--proxy-user|\s-U|\s-a|\s--auth)(?:[ ]{1,4}|=)["']?[^\s:,"'%]{1,100}[:%,]([^\s"'][^\s"']{3,200})/g,
    need: 'password',
  },
  {
    kind: 'password',
    source: 'sshpass(1), zip(1)',
    example: "sshpass -p '{password}' ssh root@10.0.0.7",
    hints: ['sshpass', 'zip -p'],
    pattern: /\b(?:sshpass[ ]{1,4}-p|(?:un)?zip[ ]-P)[ ]{0,4}["']?([^\s"']{4,200})/g,
    need: 'word',
  },
  {
    // mysql -pSECRET has no space; after a space the next word is a database.
    kind: 'password',
    source: 'MySQL, 7-Zip, RAR: -pSECRET',
    example: 'mysqldump -h db -u root -p{password} billing',
    hints: ['mysql', 'mariadb', '7z', 'rar'],
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|7z[ar]?|rar|unrar)\b(?:[ ]+(?!-p)[^\s|;&]{1,100}){0,12}[ ]+-h?p["']?([^\s"']{4,200})/g,
    need: 'word',
  },
  {
    kind: 'password',
    source:
      'programs that read a secret from standard input: docker login, passwd, sudo -S, cryptsetup, vercel env add',
    example: 'echo "{password}" | docker login -u ci --password-stdin',
    hints: ['echo', 'printf', 'yes', 'print', '<<<'],
    pattern:
      /\b(?:echo|printf?|yes|write-output)[ ]{1,4}(?:-\w{1,3}[ ]{1,4}|--[ ]{1,4}|["']?%s(?:\\n)?["']?[ ]{1,4}){0,2}["']?(?:[\w.-]{1,40}:)?((?<=["'])[^"'|;\n]{6,100}(?=["'][^|\n]{0,20}\|[^|\n]{0,120}?(?:cryptsetup|passwd|sudo|stdin|unlock|kinit|veracrypt))|[^\s"'|;]{6,400})["']?[ ]{0,4}(?:;[^|\n]{0,100}\)[ ]?)?(?:>{1,2}[ ]?(?:[^\s|]{0,60}[/._-])?(?:vault_?pass|pass(?:word|wd|phrase)?|pw|secret|token)(?:\.txt)?(?=\s|$)|\|[^|\n]{0,200}?(?:--?[\w-]{0,20}(?:password|token|apikey|stdin)\b|--key\b|[ ]join\b|[ ](?:secrets?|login|\w{0,10}passwd2?|chpasswd|unlock|load-key|env[ ](?:add|set)|sudo[ ][^|\n]{0,80}?-\w{0,5}S|cryptsetup|kinit|gpg2?|ecryptfs-\w{1,30}|keyctl|ssh-add|openconnect|wg|pass|veracrypt|su)\b))/g,
    need: 'word',
    refuses: (_, match) => /\|[ ]?[ef]?grep\b/u.test(match),
  },
  {
    kind: 'password',
    source: 'short flags for a password, of any program',
    example: 'mcrcon -H game1 -P 25575 -p {password} save-all',
    hints: [' -p', ' -w', ' -a'],
    pattern:
      /(?<!\b(?:mkdir|cp|rm|ls|ssh|scp|rsync|tar|git|pytest|curl|kill|mvn|tsc|unzip|wget|nmap|xargs|minisign|signify)(?:[ ]\S{1,40})?)[ ]-[pPwWaA](?:[ ]{1,4}|=)?["']?([^\s"'-][^\s"']{7,100})/g,
    need: 'sure',
  },
  {
    // Input to redis-cli, FTP and mail servers.
    kind: 'password',
    source: 'Redis: AUTH; RFC 959 and RFC 1939: PASS',
    example: 'PASS {password}',
    hints: ['auth ', 'auth"', 'pass ', 'pw ', 'pwd '],
    pattern:
      /(?:^|[>*\]][ ]{0,2})["']?(?:AUTH|PASS|(?<=^)(?:pass|pwd?))["']?[ ](?:["']?[\w.@-]{1,60}["']?[ ])?["']?([^\s"']{6,200})["']?[ \t]{0,4}$/gm,
    need: 'mixed',
  },
  {
    kind: 'password',
    source: 'commands whose last argument is a password: redis, rclone, doveadm, radtest, mc, tacacs-server',
    example: 'rclone obscure {password}',
    hints: ['auth', 'obscure', 'radtest', 'mc alias set', 'tacacs-server', 'ddns', 'rootpw'],
    pattern:
      /\b(?:rootpw[ ]--plaintext|sentinel[ ]auth-pass[ ]\S{1,60}|HELLO[ ]\d[ ]AUTH[ ]\S{1,60}|rclone[ ]obscure|radtest[ ]\S{1,60}|doveadm[ ]auth[ ]test[ ]\S{1,60}|mc[ ]alias[ ]set[ ]\S{1,60}[ ]\S{1,100}[ ]\S{1,60}|tacacs-server[ ][^\n]{1,60}[ ]key|nsupdate[ ]-y[ ][\w:-]{1,60}(?=:))[ :]{1,4}["']?([^\s"']{6,200})/g,
    need: isCredential,
  },
  {
    kind: 'secret',
    source: 'shells: a command that shows a secret, and the secret alone in the next line',
    example: '$ argocd admin initial-password -n argocd\n{password}',
    hints: ['$ '],
    pattern: /^\$[ ][^\n]{0,200}?\b(?:password|secret|token)\b[^\n]{0,200}\n(\S{8,400})$/gm,
    need: isCredential,
    refuses: (value) => isHash(value) || /^\w{1,40}[=:]|^[a-z0-9]{20,}$/u.test(value),
  },
  {
    kind: 'secret',
    source: 'GitHub Actions, Azure Pipelines: a value to mask in logs',
    example: 'echo "::add-mask::{token}"',
    hints: ['add-mask', 'issecret=true'],
    pattern: /(?:::add-mask::|issecret=true\])([^\s"']{6,400})/gi,
    need: isCredential,
  },
  {
    kind: 'password',
    source: 'RFC 9051: LOGIN; steamcmd and others: login; ftp(1): user',
    example: 'a001 LOGIN joe@example.org {password}',
    hints: ['login ', 'user '],
    pattern:
      /(?:\blogin|^[ \t]{0,20}user)[ ]{1,4}(?![-+])["'`]?[\w.@+\\-]{2,60}["'`]?[ ]{1,4}["']?([^\s"']{6,200})["']?(?=[ \t]{0,4}(?:\r?$|[+|;&<]))/gim,
    need: 'pair',
  },
  {
    kind: 'password',
    source: 'Oracle: sqlplus, impdp, expdp, sqlldr, rman, CONNECT',
    example: 'sqlplus app_owner/{password}@orcl-prod:1521/BILL',
    hints: ['sqlplus', 'sqlcl', 'impdp', 'expdp', 'sqlldr', 'rman', 'exp ', 'imp ', ':oracle:', 'conn'],
    pattern:
      /\b(?:jdbc:oracle:(?:thin|oci):|(?:conn(?:ect)?|sqlplus|sqlcl|impdp|expdp|exp|imp|sqlldr|rman)(?=[ ]))(?:[ ]+(?:-\w{1,10}|target|catalog|\/|userid=)){0,4}[ ]{0,4}["']?[\w.$#]{1,40}\/["']?([^\s"'/]{4,100}(?=@\/\/)|[^\s"'@/]{4,100})(?=[@\s"']|$)/gi,
    need: 'word',
  },
  {
    kind: 'password',
    source: 'Windows: net use, the user first or last; ConvertTo-SecureString',
    example: 'net use Z: \\\\files\\share {password} /user:ACME\\svc',
    hints: ['net use', 'convertto-securestring', '-content '],
    pattern:
      /\bnet[ ]use[ ]+(?:\S{1,2}:?[ ]+)?\\\\\S{1,200}[ ]+(?:\/u(?:ser)?:\S{1,100}[ ]+)?(?![/*])["']?([^\s"]{4,200})|\bConvertTo-SecureString(?:[ ]+-(?:AsPlainText|Force|String)){0,3}[ ]+["']([^"'\n]{4,200})["']|["']([^"'\n]{4,200})["'][ ]?\|[ ]?ConvertTo-SecureString|\b(?:Set|Add)-Content[ ]+\S{0,60}(?:pw|pass|secret|token|cred)\S{0,20}[ ]+(?:-Value[ ]+)?["']([^"'\n]{4,200})["']/gi,
    need: 'word',
  },
  {
    kind: 'password',
    source: 'htpasswd(1): -b',
    example: "htpasswd -bc /etc/nginx/.htpasswd deploy '{password}'",
    hints: ['htpasswd'],
    pattern:
      /\bhtpasswd[ ]+-(?=[a-zA-Z]{0,8}b)[a-zA-Z]{1,10}[ ]+[^\s]{1,200}[ ]+[^\s]{1,100}[ ]+["']?([^\s"']{4,200})/g,
    need: 'word',
  },
  {
    kind: 'token',
    source: 'command lines that log in with a token, of any program',
    example: 'cargo login {token}',
    hints: [' login ', ' auth', 'push '],
    pattern:
      /[ ](?:login|auth(?:enticate|ori[sz]e)?|push[ ]\S{1,100}[ ]-k)[ ]+(?:[0-9a-f]{12,40}[ ]+)?["']?(?!\w{1,40}=)([^\s"'-][^\s"']{15,400})/g,
    need: 'token',
    refuses: (value) => /^[0-9a-f]{8}-/u.test(value),
  },
  {
    kind: 'password',
    source: 'command lines with a user and a password: psexec, isql, cqlsh, evil-winrm, altool',
    example: 'cqlsh cass1 9042 -u cassandra -p {password}',
    hints: [' -p', ' --p'],
    pattern:
      /(?<!\b(?:mysql|mariadb)[^\n|;&]{0,100})[ ]-{1,2}(?:u|U|l|user|username|login)(?:[ ]{1,4}|=|:)["']?[^\s"'|;&-][^\s|;&]{0,100}[ ](?:[^\n|;&]{0,100}?[ ])?-{1,2}(?:p|P|pw|pass)(?:[ ]{1,4}|=|:|(?=\S{0,40}\d)(?=\S{0,40}[A-Z]))["']?([^\s"'-][^\s"']{5,200})/g,
    need: 'words',
  },
  {
    kind: 'password',
    source: 'macOS security(1), Windows certutil: -p; DB2: CONNECT; Teradata: .LOGON',
    example: 'security unlock-keychain -p {password} build.keychain',
    hints: [
      'security',
      'certutil',
      'kadmin',
      'kinit',
      'ssh-keygen',
      'pk12util',
      'pkcs12',
      'openssl',
      ' using ',
      '.logon',
      'encrypt_string',
      'encrypt-string',
      'identified by',
    ],
    pattern:
      /\b(?:security|certutil|kadmin|kinit|ssh-keygen|pk12util|pkcs12|openssl[ ]enc)\b[^\n|;&]{0,120}?[ ]-[pPwWNk][ ]{1,4}["']?([^\s"'-][^\s"']{3,200})|(?:\b(?:connect|attach)[ ]to[ ]\S{1,100}[ ]user[ ]\S{1,100}[ ]using[ ]|\bencrypt[_-]string[ ]|\bidentified[ ]by[ ]|\.logon[ ][^\s,]{1,100},)["']?([^\s"';]{4,200})/gi,
    need: 'password',
  },
  {
    kind: 'password',
    source: 'options that abbreviate the word: gbak -pas; Windows: signtool, schtasks, cmdkey, xfreerdp, msiexec',
    example: 'signtool sign /f code.pfx /p {password} setup.exe',
    hints: [' /p', ' /rp', '-pas', '-ps', '-pw'],
    pattern:
      /[ ](?:\/r?p|(?:-{1,2}|\/)(?:pass?(?:w(?:or?)?d?)?|psw?d?|pwd?))(?:[ ]{1,4}|[:=])["']?(?!\w{1,60}=)([^\s"'/-][^\s"']{5,200})/gi,
    need: 'password',
    refuses: (value, match) => !match.startsWith(' /') && !isSecret(value, 'pair'),
  },
  {
    kind: 'password',
    source: 'programs that ask for a password, answered by the shell: here strings, here documents',
    example: 'kinit svc@ACME <<< {password}',
    hints: ['<<'],
    pattern:
      /(?:\b(?:sudo|kinit|cryptsetup|pdbedit|gpg|su)\b|pass[ ]insert|passw|login|unlock|keepass|decrypt)[^\n|;]{0,120}?<<(?:<[ ]{0,4}["']?|-?[ ]?["']?\w{1,20}["']?[^\n]{0,40}\r?\n)([^\s"']{6,200})/g,
    need: 'word',
  },
  {
    kind: 'password',
    source: 'commands that set the password of a user: net user, dscl, rabbitmqctl, mosquitto_passwd',
    example: 'rabbitmqctl change_password svc {password}',
    hints: [
      'net user',
      'passwd',
      '_password',
      '-password',
      ':password',
      'add_user',
      'authenticate_user',
      'ctl register',
      'user create',
      'user add',
      '-create',
    ],
    pattern:
      /(?:\bnet[ ]user|-passwd|(?:change|set|reset)[_-]password|\buser:password|\badd_user|\bauthenticate_user|\bmosquitto_passwd[ ]-b[ ]\S{1,100}|\bctl[ ]register[ ]\S{1,60}|(?<=ctl[ ])register[ ]\S{1,60}|\buser[ ](?:create|add)|-create(?:credential|user)[ ]\S{1,60})[ ]{1,4}(?!-|\/(?:add|delete|active|domain)\b)\S{1,100}[ ]{1,4}["']?([^\s"'/-][^\s"']{3,200})/gi,
    need: 'password',
  },
  {
    kind: 'secret',
    source: 'stores of secrets: gh, wrangler, fly, az, aws, vault; AWS: put-parameter',
    example: 'gh secret set DEPLOY_KEY --body "{password}"',
    hints: ['secret', 'securestring', 'token', 'credential'],
    pattern:
      /\b(?:secrets?|tokens?|credentials?)(?:manager|[ ]versions)?[ :](?:set|put|add|create|update|write|create-secret|put-secret-value)[ ](?!generic\b)[^\n|;&]{0,200}?(?:--?(?:body|value|secret-string|data|string-value)|-[bv])(?:[ ]{1,4}|=)["']?([^\s"']{6,400})|--value(?<=[ ]put-parameter[ ][^\n]{0,407})(?:[ ]{1,4}|=)["']?([^\s"']{6,400})(?=["']?[ ][^\n]{0,200}?SecureString|(?<=SecureString[^\n]{0,600}))/g,
    need: 'word',
  },
];
