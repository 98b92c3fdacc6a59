import { expect, it } from 'vitest';
import { expectFound, type SecretClass } from './expect-found.ts';
import { redactSecrets } from './redact-secrets.ts';
import { DIGITS, type Dice, HEX, LOWER, UPPER } from './secret-corpus.ts';

const SEEDS = [31, 32, 33];

const WORDS = ['Bramble', 'Cinder', 'Fathom', 'Juniper', 'Mallow', 'Quarry', 'Tundra', 'Wicker'] as const;

/** Two words and digits, which would be a name in most places. */
function paired(dice: Dice): string {
  const [one, two] = [dice.pick(WORDS), dice.pick(WORDS)];
  const number = `${dice.below(8) + 1}${dice.chars(DIGITS, 2)}`;
  return dice.pick([`${one}${two}${number}`, `${one}${number}-${two.toLowerCase()}`, `${one}${number}_${two}`]);
}

const digits = (length: number) => (dice: Dice) => `${dice.below(2) + 3}7${dice.chars(DIGITS, length - 2)}`;
const base64 = (dice: Dice) => `Kx9${dice.chars(`${LOWER}${UPPER}${DIGITS}`, 40)}=`;
const hex = (dice: Dice) => `3f9a0${dice.chars(HEX, 27)}`;
const words = (dice: Dice) => Array.from({ length: 12 }, () => dice.pick(WORDS).toLowerCase()).join(' ');

const CLASSES: Record<string, SecretClass> = {
  'two words and digits where they are told': [
    paired,
    [
      "Panonun şifresini '{}' yaptık dün.",
      'Geslo za tiskalnik je zdaj {} po novem',
      'snmp-server user probe OPS v3 auth sha {}',
      'set vpn ike gateway pre-shared-secret "{}"',
      'Die Passphrase steht unten:\n\n{}\n',
    ],
  ],
  'two words and digits where only a password can be': [
    paired,
    [
      'setup.exe /quiet SAPWD={} REBOOT=No',
      "  05 WS-PASSWD    PIC X(20)\n                               VALUE '{}'.",
      'a:1:{s:8:"password";s:16:"{}";}',
      'write(4, "user\\0joe\\0pass\\0{}\\0", 30)',
      '*3\\r\\n$4\\r\\nAUTH\\r\\n$3\\r\\njoe\\r\\n$16\\r\\n{}\\r\\n',
      '\'(("mail.acme.org" 587 "joe" "{}"))',
      'hdbuserstore SET BK hana7:30013@PRD JOE {}',
      'Identity=UserName;joe;{}',
      'gfix -user SYSDBA -pas {} srv:/data/a.fdb',
      'camera_yard: "{}"   # password of the cam',
      '<password><![CDATA[{}]]></password>',
      'mqtt.username_pw_set("joe", "{}")',
    ],
  ],
  'keys of 32 bytes': [base64, ['encrypt = "{}"', "cluster_cookie: '{}'", 'serf agent -encrypt={}']],
  'the content of a file of a key': [hex, ['$ cat config/master.key\n{}\n', '==> app/secret.txt <==\n{}\n']],
  'codes of locks in more languages, and codes that messages send': [
    digits(6),
    [
      "codice per disinserire l'antifurto: {}",
      'Kód od branky je {}',
      'Koden till grinden är {}',
      'Codul de la interfon este {}',
      'lockbox combo {}, behind the meter',
      '{} is your verification code',
      'OTP: {} (valid for 5 min)',
      '验证码 {}，5分钟内有效',
    ],
  ],
  'the words of a wallet, however they are announced': [
    words,
    ['trezor in the drawer, words in order:\n{}\n', 'mis doce palabras: {}', 'Meine 12 Wörter: {}'],
  ],
};

it.each(Object.entries(CLASSES))('finds %s', (_, secrets) => expectFound(secrets, SEEDS));

it.each([
  'interface: wg0\n  public key: wrqTEyfB1LP7k20TQS2SHxOHaMGurFYAPIcrrVvF4Rd=\n',
  'INFO auth trace_ref=0764e001-3d77-4129-a5fa-8f7f67c653f7 user=joe',
  'Karve Road, Pune, PIN code 411004; relay on GPIO pin 1812',
  '{"KMSMasterKeyId":"alias/aws/sns","SigningKeyName":"prod/Bramble2024"}',
  'password for user BrambleCinder84 was reset by FathomQuarry92',
  'See password rules in SecurityPolicy2023; the login page is now InputMask2000.',
  'click.prompt("Password", hide_input=True)',
  'Alarm code 4031 means that the battery is low.',
  'servers = [("mail.acme.org", 587, "STARTTLS", "Postfix38")]',
  'cp -pas Source2024 Target2024',
  'md5sum secret.txt\nd41d8cd98f00b204e9800998ecf8427e  secret.txt\n',
  'cat public.key\nwrqTEyfB1LP7k20TQS2SHxOHaMGurFYAPIcrrVvF4Rd=\n',
  'wallet tests: npm run build test lint format check deploy clean watch serve start stop reset',
])('leaves alone: %s', (text) => {
  expect(redactSecrets(text).text).toBe(text);
});
