import { expect, it } from 'vitest';
import { expectFound, type SecretClass } from './expect-found.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice, DIGITS, type Dice, HEX, LOWER, UPPER } from './secret-corpus.ts';

const SEEDS = [21, 22, 23, 24];

const WORDS = [
  'beacon',
  'cobalt',
  'drizzle',
  'gravel',
  'hickory',
  'lagoon',
  'nimbus',
  'parsley',
  'sable',
  'thistle',
] as const;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A password of words that could be a name in another place. */
function named(dice: Dice): string {
  const [one, two] = [dice.pick(WORDS), capital(dice.pick(WORDS))];
  const number = `${dice.below(8) + 1}${dice.chars(DIGITS, 1)}`;
  return dice.pick([
    `${one}${dice.pick(['.', '-', '_', '@'])}${two}${number}`,
    `${capital(one)}-20${dice.chars(DIGITS, 2)}${dice.chars(LOWER, 2)}`,
    `${capital(one)}${dice.below(9000) + 1000}${dice.pick(['*', '=', '$', '!'])}`,
    `${capital(one).replace(/[oe]/g, (letter) => (letter === 'o' ? '0' : '3'))}1t${two}${number}`,
  ]);
}

const code = (length: number) => (dice: Dice) =>
  `${dice.below(9) + 1}${dice.chars('13579', 1)}${dice.chars(DIGITS, length - 2)}`;
const grouped = (groups: number, length: number) => (dice: Dice) =>
  Array.from({ length: groups }, () => dice.chars(`${UPPER}2345679`, length - 1) + dice.below(10)).join('-');
const phrase = (dice: Dice) => Array.from({ length: 12 }, () => dice.pick(WORDS).slice(0, 8)).join(' ');
const hex = (length: number) => (dice: Dice) => `a7${dice.chars(HEX, length - 2)}`;

const CLASSES: Record<string, SecretClass> = {
  'words of a sentence with their endings': [
    named,
    [
      'Das Konto ist frei, des Admin-Passworts Wert ist momentan {}, sagt Jana.',
      'Palvelimen salasanaksi tuli eilen {}, kokeile uudestaan.',
      'Vi bytte lösenordet igen, numera {} för alla.',
      'Du bruger kodeordet {} indtil videre',
      'Паролем к стенду теперь служит {}, запиши.',
      'Το συνθηματικό του διακομιστή άλλαξε σε {} χθες',
      'A gép jelszavát átírtam erre: {}',
      'W pliku jest stare, a hasłem do bazy jest {} od wtorku',
      'Lozinku sam promijenio u {} jutros',
      'Đã đặt lại mật khẩu thành {} rồi nhé',
      'הסיסמה לשרת הוחלפה ל {} הבוקר',
      'گذرواژه سرور شد {} از امروز',
    ],
  ],
  'letters beyond ASCII as names, and words glued to their value': [
    named,
    [
      'кодеорд = 1\nkodeord = {}\nvært = db1',
      'συνθηματικό: {}',
      'mật_khẩu = "{}"',
      '数据库用户app密码{}，谢谢',
      'รหัสผ่านคือ {} นะ',
      'パスワードは{}です',
      'lösenord: "{}"',
    ],
  ],
  'quotes of any language': [
    named,
    ['mot de passe « {} »', 'Passwort ‚{}‘ gilt', 'hasło ”{}” działa', 'parola „{}” e nouă', '暗号とパスワード『{}』'],
  ],
  'beside a user, before the word, or on the next line': [
    named,
    [
      'tunnus: ops\nss: {}',
      'Доступ к порталу:\nops/{}',
      'user = "ops:{}"',
      'Introduza a palavra-passe\n  {}\ne confirme.',
      'The passphrase for the archive is below.\n\n{}\n'.replace('\n\n', '\n'),
      'Rotated this morning: was {}, now it is in the vault.',
      'ALTER USER x IDENTIFIED BY "a" REPLACE "{}"',
    ],
  ],
  'codes of four to eight digits': [
    code(6),
    [
      'SIM der Weiche: PUK {}',
      'code PIN du badge : {}',
      '# пин-код токена\n# {}\n',
      'Türcode Lager {}#',
      'El código de la alarma es {}',
      '金庫の暗証番号は{}',
      'pincode van het slot is sinds gisteren {}',
      'The gate code is {} this week.',
    ],
  ],
  'the key of a network in digits': [
    code(16),
    ['WLAN-Schlüssel vom Router: {}', 'wifi key (guest): {}', 'пароль от сети: {}'],
  ],
  'lists of recovery codes': [
    grouped(2, 5),
    [
      'Recovery codes:\n{}\nAAAA2-BBBB3\n',
      'Hier sind die Wiederherstellungscodes:\n1. ABCD1-EFGH2\n2. {}\n',
      'Códigos de respaldo: {}, QQQQ1-WWWW2',
      'Återställningskod för valvet:\n{}\n',
    ],
  ],
  'the words of a wallet': [
    phrase,
    [
      'Write your seed phrase down:\n\n  {}\n\nDone.',
      'Phrase de récupération : {}',
      'mnemonic: "{}"',
      '助记词：\n{}\n',
    ],
  ],
  'private keys in hexadecimal': [
    hex(64),
    ['accounts: ["0x{}"]', 'deployer key (secret) 0x{}', 'private key: {}', 'chiave segreta dei webhook\n   {}\n'],
  ],
  'positional arguments of a call': [
    named,
    [
      'db.connect(Driver.Pg, "db-1.acme.org", "ops", "{}"; port=5432)',
      'new UserCredentialsImpl(Scope.ALL, "nexus", "Deploys", "ops", "{}")',
      "EXEC sp_addremotelogin 'ERP', NULL, 'ops', '{}';",
      'ssh_auth_password(conn, "ops", "{}")',
      'session.login(retries=3, "ops", "{}")',
    ],
  ],
  'short flags of any program, and pipes': [
    named,
    [
      'gamectl -H g1 -P 25575 -p {} save',
      'cachectl -p 6379 -a {} info',
      "yes '{}' | passwd ops",
      'vaultctl unlock --stdin-password <<< "{}"',
    ],
  ],
  'assignments whatever the operator': [
    named,
    [
      "MOVE '{}' TO WS-DB-PASSWD.",
      "sFtpPwd : STRING(20) := '{}';",
      '.user(Some("ops")).pass(Some("{}"))',
      'SENHA_BD={}',
      "DATA lv_password TYPE string VALUE '{}'.",
      'set psksecret {}',
      'DB_PASSWORD_ORDERS={}',
    ],
  ],
  'files and dumps': [
    (dice) => `${capital(dice.pick(WORDS))}x${dice.chars(DIGITS, 4)}q${dice.chars(`${LOWER}${UPPER}`, 3)}`,
    [
      '[admins]\nops = {}\n',
      'cat > vpn/auth.txt <<EOF\nops\n{}\nEOF',
      'write(4, "Password: ", 10) = 10\nread(4, "{}\\n", 511) = 15',
      '; types the password of the tunnel\n^!p::\nSendText("{}")',
    ],
  ],
};

it.each(Object.entries(CLASSES))('finds %s', (_, secrets) => expectFound(secrets, SEEDS));

it('finds a value that a hexdump breaks over its column of characters', () => {
  const row = (bytes: string) => [...bytes].map((char) => char.charCodeAt(0).toString(16)).join(' ');
  const [head, tail] = ['admin_password=K', '7vrtq04Lz3wmx9yB'];
  const text = `00000000  ${row(head)}  |${head}|\n00000010  ${row(tail)}  |${tail}|\n`;
  expect(redactSecrets(text).text).not.toContain(tail);
});

it('finds a recovery key of BitLocker, and a seed of NATS, by their shape', () => {
  const dice = createDice(5);
  const key = Array.from({ length: 8 }, () => code(6)(dice)).join('-');
  const seed = `SU${dice.chars(`${UPPER}234567`, 56)}`;
  expect(redactSecrets(`It printed ${key} and ${seed}.`).text).toBe(
    'It printed [redacted:recovery-code] and [redacted:nkey-seed].',
  );
});

const LOOK_ALIKES: Record<string, readonly string[]> = {
  'empty settings and notices': [
    'SENHA_BD=\nHOST_BD=localhost\n',
    '<Password>*SENSITIVE*DATA*DELETED*</Password>',
    '.LOGON [host/]user[,password[,"account"]];',
    '"DbPassword": "@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/Db/)"',
    'for(;o<a;)t[o].token=e+84;return t',
  ],
  'rules and questions': [
    '密码: 长度不少于8位, 必须包含数字',
    'Пароль: не короче 12 символов, иначе отказ',
    'Kodeordet skal have mindst 12 tegn og et tal.',
    'The PIN has 4 to 8 digits; PIN_LENGTH = 6',
    '暗証番号は4桁です',
  ],
  'numbers beside a code of another kind': [
    'error code 4031: door sensor offline',
    'Code postal 75011, porte de gauche',
    'kod błędu 1389 bramy',
    'der Code in Zeile 5697 öffnet die Tür',
    'set GPIO pin 1024 high',
    'verification code expires after 600 seconds; retry 3000',
  ],
  'names beside a word for a login': [
    'user Test_User12 cannot log in on Ubuntu-22.04 with OpenSSL3.0',
    'login fails in utils.Base64 since Node-20.1',
    'docker run -p 8080:80 -w /App_Data12 img && tar -C /srv -p Files/Archive2024',
    'open("report_Final12.txt", "r", "utf-8")',
    'connect("localhost", "db-eu-12.acme.org", "replica-39")',
    'the account was moved by the\n+RSALv2/SSPL community',
  ],
  'codes, phrases and digests that are no secrets': [
    'Backup key rotation\n\ncommit 0a3d1c9be2f4a5d6c7b8a9e0f1a2b3c4d5e6f708\n',
    'The backup code path\nis slow on build 2024\n',
    'the seed phrase must never leave your machine because anyone having them owns everything inside',
    'wallet account 0x52908400098527886E0F7030069857D2E4169EE7',
    "password: '1234567'",
  ],
};

it.each(Object.entries(LOOK_ALIKES))('leaves alone: %s', (_, texts) => {
  for (const text of texts) expect(redactSecrets(text).text).toBe(text);
});
