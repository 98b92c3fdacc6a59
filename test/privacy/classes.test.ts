import { expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';
import { createDice, DIGITS, HEX } from './secret-corpus.ts';

const WORDS = ['otter', 'marble', 'zephyr', 'walnut', 'harbor'] as const;
const dice = createDice(41);
const word = () => dice.pick(WORDS);
const plain = () => `${word()}${dice.chars('123456789', 3)}`;
const marked = () => `${word()}-${word()}-${dice.chars('123456789', 2)}`;
const hex = (length: number) => dice.chars(HEX, length);

/** One row for a class of ways in which secrets were missed: what it is, and a text with the secret. */
const FOUND: [string, string, (secret: string) => string][] = [
  ['a short password where a sentence announces it', plain(), (pw) => `the pw is ${pw}, all lower-case`],
  ['the same below its name', plain(), (pw) => `password (temporary):\n${pw}`],
  ['a misspelt word', plain(), (pw) => `pasword: ${pw}`],
  ['two letters exchanged', marked(), (pw) => `Passwrod is ${pw}`],
  ['a word in two', marked(), (pw) => `pass word: ${pw}`],
  ['a sentence of a language without a verb that is listed', plain(), (pw) => `Veritabanı parolası ${pw}`],
  ['a key in hexadecimal beside a name of code', hex(32), (key) => `twilio: account auth_token ${key}`],
  ['a shared secret that somebody chose', plain(), (pw) => `secret=${pw}`],
  ['a store of secrets', plain(), (pw) => `gh secret set DEPLOY_KEY --body "${pw}"`],
  ['initials', marked(), (pw) => `u: ingrid p: ${pw}`],
  ['a login at the end of a command', marked(), (pw) => `steam login chen ${pw}`],
  ['a list of arguments in YAML', marked(), (pw) => `args:\n  - --admin-password\n  - ${pw}`],
  [
    'an address of mail without an end',
    `Q@G${dice.chars(DIGITS, 2)}.GOfFnHF5AWl`,
    (pw) => `  default_password = "${pw}"`,
  ],
];

it.each(FOUND)('finds %s', (_, secret, write) => {
  expect(redactSecrets(write(secret)).text).not.toContain(secret);
});

/** What real sources, logs and translations contain beside words for secrets. */
const LEFT: [string, string][] = [
  [
    'words of other languages',
    'Şifrenizi kaybetmeyin, verilerinizi de kaybedersiniz.\nIkke gjenbruk passordet, lösenord är korrekta.',
  ],
  ['a reference to a line', 'msgstr "Hatalı parola"\n\n#: packages/lib/services/ReportService.ts:287\n'],
  ['a commit below its subject', `fix: token renewal date\n\n${hex(40)}\nIngrid <ingrid@example.org>`],
  ['a pinned action', `      - uses: docker/login-action@${hex(40)} # v4.6.0\n`],
  ['a security identifier of Windows', '"sid": "S-1-5-21-1654078763-769949647-2968445802-513",'],
  ['a protocol', 'msgstr "Passwort zu lang für das SOCKSv5-Protokoll oder das PKCS#12-Objekt."'],
  ['an id of a message', '2014-08-22:\n2012-12-05:87obi8u4h2.fsf@vigenere.example.de:'],
  ['ciphertext of KMS', `secret: AQICAHh${dice.chars(`${HEX}ABCDEF`, 90)}`],
  ['ciphertext of Fernet', `password_enc = "gAAAAAB${dice.chars(`${HEX}ABCDEF`, 90)}=="`],
  ['a call', 'static REALM: LazyLock<Realm> = LazyLock::new(|| token());'],
];

it.each(LEFT)('leaves alone %s', (_, text) => {
  expect(redactSecrets(text).text).toBe(text);
});
