import { DIGITS, type Dice, HEX } from './secret-corpus.ts';
import { base64 } from './shape-parts.ts';

const WORDS = [
  'larkspur',
  'heron',
  'tarn',
  'juniper',
  'otter',
  'bramble',
  'gosling',
  'fennel',
  'kestrel',
  'thistle',
] as const;
const ABROAD = ['kría', 'żuraw', 'jeřabina', 'märzveilchen', 'romaní', 'bežanija'] as const;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Passwords as people make them up of words: joined by marks, with and without digits. */
export const JOINED: readonly ((dice: Dice) => string)[] = [
  (d) => `${capital(d.pick(WORDS))}-${capital(d.pick(WORDS))}-${d.chars('23456789', 1)}`,
  (d) => `${capital(d.pick(WORDS))}_${capital(d.pick(WORDS))}_${d.chars('23456789', 2)}`,
  (d) => `${capital(d.pick(WORDS))}.${capital(d.pick(WORDS))}.${d.chars('23456789', 2)}`,
  (d) => `${capital(d.pick(WORDS))}!${capital(d.pick(WORDS))}${d.chars('23456789', 1)}`,
  (d) => `${capital(d.pick(WORDS))}~${capital(d.pick(WORDS))}~${d.chars('23456789', 2)}`,
  (d) => `${capital(d.pick(WORDS))}#${d.chars('23456789', 3)}`,
  (d) => `${capital(d.pick(ABROAD))}-${capital(d.pick(WORDS))}-${d.chars('23456789', 2)}`,
];
/** Words and a number with spaces between them. */
export const PHRASES: readonly ((dice: Dice) => string)[] = [
  (d) => `${d.pick(WORDS)} ${d.pick(WORDS)} ${d.chars('23456789', 2)}`,
  (d) => `${d.pick(WORDS)} ${d.pick(WORDS)} ${d.chars('23456789', 1)} ${d.pick(WORDS)}`,
];
/** 32 digits of a key or a digest. */
export const KEYS: readonly ((dice: Dice) => string)[] = [(d) => d.chars(HEX, 32)];
/** Four to six digits. */
export const CODES: readonly ((dice: Dice) => string)[] = [(d) => `${d.chars('3456789', 1)}${d.chars(DIGITS, 4)}`];
const SAID = ['nine', 'four', 'seven', 'two', 'five', 'eight'] as const;
/** Digits as they are said. */
export const SAID_CODES: readonly ((dice: Dice) => string)[] = [
  (d) => Array.from({ length: 6 }, () => d.pick(SAID)).join(' '),
];

/** How a secret is written, and of which kind it is there; the second makes of it what must not be left of the text. */
type Kind = readonly [values: typeof JOINED, write: (value: string) => string, hidden?: (value: string) => string];

/** Kinds of which most were missed at first look; written by somebody who knew nothing of the rules. */
export const UNSEEN_KINDS: Record<string, Kind> = {
  'danish, changed to': [JOINED, (v) => `Adgangskoden til backup-kontoen er ændret til ${v} pr. dags dato.`],
  'russian, from the old to': [JOINED, (v) => `Сменили пароль на шлюзе со старого на ${v}, обнови у себя в скриптах`],
  'turkish, a verb behind': [JOINED, (v) => `Yönetici hesabının şifresi ${v} olarak değiştirildi.`],
  'georgian, announced': [JOINED, (v) => `სერვერის პაროლი არის ${v}, მომხმარებელი admin.`],
  'indonesian, an ending': [JOINED, (v) => `masuk aja pake user admin passwordnya ${v} terus cek lognya`],
  'german, from': [JOINED, (v) => `Das Kennwort wurde von ${v} auf ein neues geändert.`],
  'german, a form': [JOINED, (v) => `Zugangsdaten Portal\nBenutzer: einkauf\nKennwort: ${v}\nGültig bis: 31.03.\n`],
  'french, a phrase in quotes': [
    [(d) => `${d.pick(WORDS)} sous la ${d.pick(WORDS)} verte`],
    (v) => `La phrase secrète de la clé GPG, c'est « ${v} ».`,
  ],
  'thai, announced': [JOINED, (v) => `รหัสผ่านเข้าระบบคือ ${v} ครับ`],
  'a code that is said': [SAID_CODES, (v) => `the thing to get into the alarm panel it's ${v} that's the code`],
  'a user, a slash': [JOINED, (v) => `Staging box creds for the demo: opsadmin / ${v} (vpn first!)`],
  'rotated from': [JOINED, (v) => `Please rotate the replication account from ${v} to the value in the vault.`],
  'now it is': [JOINED, (v) => `we changed the kiosk login, it's not the old one any more, now it's ${v}`],
  'typed when asked': [JOINED, (v) => `just ssh in as pi and type ${v} when it asks for the password`],
  'in parentheses': [PHRASES, (v) => `You can open the share with the finance user (password ${v}) from any machine.`],
  'security question': [
    [(d) => `Sir ${capital(d.pick(WORDS))} 1994`],
    (v) => `Security question: name of first pet\nAnswer on file: ${v}\n`,
  ],
  'emergency kit': [
    [
      (d) =>
        `A3-${d.chars('ABCDEFGHJKLMNPQRSTVWXYZ23456789', 6)}-${d.chars('ABCDEFGHJKLMNPQRSTVWXYZ23456789', 6)}-8DU2W-A6B5F`,
    ],
    (v) => `Email address    ruth@acme.example\nSecret Key       ${v}\n`,
  ],
  'redis monitor': [JOINED, (v) => `1733126403.119203 [0 10.2.0.4:51820] "AUTH" "sessions" "${v}"\n`],
  'sasl plain': [
    JOINED,
    (v) => `C: AUTH PLAIN ${base64(`\0joe\0${v}`)}\nS: 235 2.7.0 Accepted\n`,
    (v) => base64(`\0joe\0${v}`),
  ],
  'static key': [
    KEYS,
    (v) => `-----BEGIN OpenVPN Static key V1-----\n${v}\n${v}\n-----END OpenVPN Static key V1-----\n`,
  ],
  'network with a phrase': [
    [(d) => `${d.pick(WORDS)} im ${d.pick(WORDS)}`],
    (v) => `network={\n    ssid="Lager"\n    psk="${v}"\n}\n`,
  ],
  'account dump': [KEYS, (v) => `joe:500:${'aad3b435b51404ee'.repeat(2)}:${v}:::\n`],
  'kerberos ticket': [KEYS, (v) => `$krb5tgs$23$*svc$ACME.ORG$acme/svc*$${v}$${v}${v}${v}\n`],
  'an option and a phrase': [PHRASES, (v) => `gpg --batch --passphrase '${v}' -d backup.tar.gpg | tar t\n`],
  'a phrase to a pipe': [PHRASES, (v) => `echo -n "${v}" | cryptsetup luksOpen /dev/sdc1 vault -\n`],
  'a column of codes': [CODES, (v) => `| Printer | Admin PIN |\n|---|---|\n| prn-1 | ${v} |\n`],
  'expanded rows': [JOINED, (v) => `id              | 14\nsmtp_user       | noreply\nsmtp_password   | ${v}\n`],
  'a plain column': [JOINED, (v) => `| login | plain_pw         |\n+-------+------------------+\n| nils  | ${v} |\n`],
  'an assertion': [JOINED, (v) => `>       assert login("ebba", "${v}").status == 200\n`],
  'recovery key': [JOINED, (v) => `Gateway name: GW-1\nRecovery key (min. 8 chars): ${v}\n`],
  'login and pass in a row': [JOINED, (v) => `Access: URL https://audit.acme.example, Login: kpmg-2, Pass: ${v}\n`],
  'variables in a second column': [PHRASES, (v) => `\${LOGIN USER}      dispo\n\${LOGIN PASSWORD}    ${v}\n`],
  'a definition': [[(d) => `${d.pick(WORDS)}-${d.pick(WORDS)}-apfel`], (v) => `#define WIFI_PASSWORD "${v}"\n`],
  'an account and its token': [
    KEYS,
    (v) => `const client = twilio('${'AC'}${'0123456789abcdef'.repeat(2)}', '${v}');\n`,
  ],
  'pairs on a command line': [
    [(d) => `${capital(d.pick(WORDS))}.${capital(d.pick(WORDS))}`],
    (v) => `/ppp secret add name=branch07 password=${v} service=l2tp\n`,
  ],
};

/** What was taken at first look, and what the rules for these kinds could take. */
export const UNSEEN_LOOK_ALIKES: Record<string, (dice: Dice) => string> = {
  'an encrypted setting': (d) => `profile::db::password: ENC[PKCS7,MIIBiQYJKoZIhvcNAQcDoIIB${d.chars(HEX, 90)}]\n`,
  'an encrypted file': (d) => `$ cat config/credentials.yml.enc\n${d.chars(HEX, 40)}Ab--${d.chars(HEX, 12)}Qz==\n`,
  'a user at a host': () => 'erik@nas1: Permission denied (publickey,password).\n',
  'translations with a number': () => '<source>Password expires on %1</source>\n<source>Wrong password: %1</source>\n',
  'a program and its version': () => '<translation>KeePass 2-Datenbank öffnen</translation>\n',
  'paths behind flags': () => 'tar -C /srv -p Files/Archive2024\nfind . -user joe -perm 644 -print0\n',
  'a label and a sentence': () => 'Password: at least 8 characters\nPassword (step 2 of 3): choose a new one\n',
  'code of a form': () =>
    'login({ user: form.user, password: form.password });\nconnect(user=Config.User, password=Config.Db)\n',
  counting: () => 'The door opens in three two one zero, and the code counts one two three four.\n',
  'a question in a form': () => 'Security question: choose one\nAnswer: please enter the answer for your question\n',
  'rules about passwords': () =>
    '| user | password |\n|---|---|\n| joe | not set |\nPassword policy: one digit, 12 characters\n',
  'rules in other languages': () =>
    'Mot de passe : entre 10 et 64 caractères\nHeslo: alespoň 10 znaků\nПароль: не менее 12 символов\nSalasana: vähintään 12 merkkiä\n',
  'keys that are pressed at once': () => 'Key binding: ctrl+shift+F12 -> toggle_password_visibility\n',
  'numbers that are no codes': (d) => `| Name | PIN |\n|---|---|\n| J5 | GPIO${d.chars('123456789', 2)} |\n`,
};
