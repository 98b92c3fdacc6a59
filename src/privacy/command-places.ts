import { isGivenLiteral } from './given-values.ts';
import { isAnnouncedPassword, isPassword, isPositional } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, looksRandom } from './secret-values.ts';

const isToken = (value: string) => looksRandom(value) && !isPlace(value);

/** Command lines, and the input that scripts give to a program's prompt. */
export const COMMAND_PLACES: readonly Place[] = [
  {
    kind: 'token',
    source: 'command lines that log in with a token, of any program',
    example: 'cargo login {token}',
    hints: [' login ', ' auth', 'push '],
    pattern:
      /[ ](?:login|auth(?:enticate|ori[sz]e)?|push[ ]\S{1,100}[ ]-k)[ ]+(?:[0-9a-f]{12,40}[ ]+)?["']?(?!\w{1,40}=)([^\s"'-][^\s"']{15,400})/g,
    accepts: (value) => isToken(value) && !/^[0-9a-f]{8}-/u.test(value),
  },
  {
    kind: 'password',
    source: 'command lines with a user and a password: psexec, isql, cqlsh, evil-winrm, altool',
    example: 'cqlsh cass1 9042 -u cassandra -p {password}',
    hints: [' -p', ' --p'],
    pattern:
      /(?<!\b(?:mysql|mariadb)[^\n|;&]{0,100})[ ]-{1,2}(?:u|U|l|user|username|login)(?:[ ]{1,4}|=|:)["']?[^\s"'|;&-][^\s|;&]{0,100}[ ](?:[^\n|;&]{0,100}?[ ])?-{1,2}(?:p|P|pw|pass)(?:[ ]{1,4}|=|:|(?=\S{0,40}\d)(?=\S{0,40}[A-Z]))["']?([^\s"'-][^\s"']{5,200})/g,
    accepts: (value) => isAnnouncedPassword(value) || isGivenLiteral(value),
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
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'options that abbreviate the word: gbak -pas; Windows: signtool, schtasks, cmdkey, xfreerdp, msiexec',
    example: 'signtool sign /f code.pfx /p {password} setup.exe',
    hints: [' /p', ' /rp', '-pas', '-ps', '-pw'],
    pattern:
      /[ ](?:\/r?p|(?:-{1,2}|\/)(?:pass?(?:w(?:or?)?d?)?|psw?d?|pwd?))(?:[ ]{1,4}|[:=])["']?(?!\w{1,60}=)([^\s"'/-][^\s"']{5,200})/gi,
    accepts: (value, match) => (match.startsWith(' /') ? isAnnouncedPassword(value) : isPositional(value)),
  },
  {
    kind: 'password',
    source: 'programs that ask for a password, answered by the shell: here strings, here documents',
    example: 'kinit svc@ACME <<< {password}',
    hints: ['<<'],
    pattern:
      /(?:\b(?:sudo|kinit|cryptsetup|pdbedit|gpg|su)\b|pass[ ]insert|passw|login|unlock|keepass|decrypt)[^\n|;]{0,120}?<<(?:<[ ]{0,4}["']?|-?[ ]?["']?\w{1,20}["']?[^\n]{0,40}\r?\n)([^\s"']{6,200})/g,
    accepts: (value) => isPassword(value) && !isPlace(value),
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
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'Redis: ACL',
    example: 'ACL SETUSER svc on >{password} ~* +@all',
    hints: ['user'],
    pattern: /\b(?:set)?user[ ][\w.@-]{1,60}[ ](?:[^\s>]{1,100}[ ]){0,8}>([^\s]{4,200})/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'SQLCipher: PRAGMA key',
    example: 'PRAGMA key = "{password}";',
    hints: ['key'],
    pattern: /\b(?:pragma[ ]+(?:re|hex)?key[ ]{0,4}=|as[ ]\w{1,30}[ ]key)[ ]{0,4}["']([^"'\n]{4,200})["']/gi,
    accepts: isPassword,
  },
  {
    kind: 'password',
    source: 'Bundler, Composer, Conan: a login for a host',
    example: 'bundle config set --global gems.acme.example ci:{token}',
    hints: [' config '],
    pattern:
      /\b(?:bundle|composer|poetry|conan|yarn|npm|pip)[ ]config[ ][^\n]{0,120}?[ ][\w.@-]{1,60}:([^\s"':/]{8,400})(?=\s|$)/g,
    accepts: (value) => isToken(value) || isAnnouncedPassword(value),
  },
  {
    kind: 'secret',
    source: 'stores of secrets: gh, wrangler, fly, az, aws, vault; AWS: put-parameter',
    example: 'gh secret set DEPLOY_KEY --body "{password}"',
    hints: ['secret', 'securestring', 'token', 'credential'],
    pattern:
      /\b(?:secrets?|tokens?|credentials?)(?:manager|[ ]versions)?[ :](?:set|put|add|create|update|write|create-secret|put-secret-value)[ ](?!generic\b)[^\n|;&]{0,200}?(?:--?(?:body|value|secret-string|data|string-value)|-[bv])(?:[ ]{1,4}|=)["']?([^\s"']{6,400})|--value(?<=[ ]put-parameter[ ][^\n]{0,407})(?:[ ]{1,4}|=)["']?([^\s"']{6,400})(?=["']?[ ][^\n]{0,200}?SecureString|(?<=SecureString[^\n]{0,600}))/g,
    accepts: (value) => isPassword(value) && !isPlace(value),
  },
  {
    kind: 'password',
    source: 'expect(1) and its likes, browser tests: what answers a prompt for a password',
    example: 'child.expect("assword:")\nchild.sendline("{password}")',
    hints: ['assw', 'passphrase', 'pwd'],
    pattern:
      /(?:assw(?:or)?d|passphrase|\bpwd)\b[^\n]{0,80}(?:\n[^\n]{0,60}){0,2}?\b(?:send_?\w{0,10}|type|type_?\w{0,10}|fill|fill_?in|press_?sequentially|set_?\w{0,10}|enter_?text|input|write|read|key_?in|paste|put)(?:\(|[ ])\s{0,10}(?:\d{1,3},[ ])?["'`]([^\s"'`]{6,200}?)(?:\{enter\}|\\[rn]){0,2}["'`]/gi,
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'restic, borg, rsync, usermod: a command that prints the password, or hashes it',
    example: 'restic --password-command "echo {password}" snapshots',
    hints: ['command', 'cmd', '(echo', '(printf', 'passwd', 'hash'],
    pattern:
      /(?:pass|secret|token|key|user|auth)[^\n]{0,80}?(?:[<$]\(|(?:command|cmd)["']?(?:[ ]|=|[ ]=[ ])["']?)(?:echo|printf|mkpasswd|openssl[ ]passwd|caddy[ ]hash-password)(?:[ ]-{1,2}[\w-]{1,12}(?:=\w{1,12})?|[ ]%s){0,3}[ ]["']?([^\s"'()$-][^\s"'()]{5,200})/gi,
    accepts: isAnnouncedPassword,
  },
];
