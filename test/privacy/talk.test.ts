import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

// Without the rules that were written for them none of these were found. `{{...}}` is the secret.
const FOUND: [string, string][] = [
  [
    'a change told in another language',
    'Atsarginio serverio slaptažodį pakeičiau į {{SaffronSaffron5880}}, senasis nebegalioja.',
  ],
  ['a verb last', 'Jag skrev fel, det ska vara {{KettleLantern8881}} som lösenord till vpn:en.'],
  [
    'a word and digits in a sentence abroad',
    'رمز عبور سرور پشتیبان را به {{Kofola_9511}} تغییر دادم، لطفاً در گروه نفرست',
  ],
  ['an abbreviation', 'anh ơi tk admin mk {{Bursztyn_833}} vào grafana bình thường rồi ạ'],
  ['letters that ASCII lacks', 'Новый пароль от сейфа: {{Берёзка917!}}'],
  ['an answer', 'Emre: yedek sunucunun şifresi neydi?\nZeynep: {{KrtecekTurul917}}\nEmre: sağ ol'],
  [
    'an answer below who gave it, and when',
    'jakie jest hasło do grafany?\nMarek  09:43\n`{{W1nt3r#716}}`\nKasia  09:43',
  ],
  ['an answer in parts', '[18:22:15] Péter: pass:\n[18:22:19] Péter: {{MonsoonKavalier645}}\n[18:23:02] Hải: ok'],
  [
    'an answer to an agent',
    'The restore needs the password of postgres. What should I use?\nUser: {{Turul-77}}, but not in the script',
  ],
  [
    'words in quotes',
    'The LUKS passphrase for the disk in Brno is "{{igloo copper violin harbor saddle}}" (lower case).',
  ],
  [
    'words joined by marks',
    'gpg asks twice, the passphrase of the key is {{jigsaw-bishop-ginger-orbit}}, then it goes on',
  ],
  ['words below a name', 'backup:\n  passphrase: >-\n    {{thunder violin cactus anchor}}\n  keep: 14'],
  ['words as input', 'cryptsetup luksOpen /dev/sdc1 offsite <<< "{{igloo falcon lagoon lemon}}"'],
  ['an answer to a prompt', "Enter passphrase for 'tank/kadry': {{hollow.tractor.orbit}}\n# zfs mount tank/kadry"],
  ['a code before its name', 'Bankanız: {{488877}} tek kullanımlık şifrenizdir. Kimseyle paylaşmayınız.'],
  ['a code for signing in', 'Kod autoryzacyjny: {{465987}}. Nie podawaj go nikomu.'],
  ['digits of another script', 'رمز الدخول لمرة واحدة: {{٧٣٥٧٠٨}} وهو صالح لمدة دقيقتين'],
  ['a PIN with a prefix', 'Für das HSM im RZ Nürnberg: die SO-PIN ist {{96007437}}, danach ist Schluss.'],
  [
    'what an authenticator is set up with',
    'Enter this setup key in your authenticator: {{V774TNLOVDQYYEXUCSR2ZXTL2IPULW3H}}',
  ],
  ['a licence', 'Your activation key for 12 sockets: {{IG9I-9O9I-E1MD-6S6A}}. Do not share it.'],
  ['a network', 'Wi-Fi in the Hanoi office: network OPS-GUEST, and the key is {{GranitMonsoon32}}.'],
  ['a community', 'snmp-server community {{pickle939-rw}} RW 90'],
  ['a recovery catalogue', 'rman target / catalog rcat/{{sauna-Pickle49}}@RCATDB cmdfile=/opt/full.rcv'],
  ['secrets in columns', '# client   server  secret   IP addresses\nsube-izmir  *  {{Ieg6dGQciexLCYxU}}  10.40.0.7'],
  [
    'a key as input of cat',
    'cat > /etc/mongo/keyfile <<X\n{{Ws8SZeexr9Xb1YJCDTnf8qTCf8+1sJhvkj1RzdFq9rQIj6ERZQbS0}}\nX',
  ],
  [
    'a table drawn with lines',
    '│ username │ password         │\n├──────────┼──────────────────┤\n│ etl_hu   │ {{D2U526yv5kWMT}}    │',
  ],
  ['a heading of two words', '| Máy chủ | Mật khẩu |\n| --- | --- |\n| db-hn-02 | `{{xklPD9bneZke}}` |'],
  ['a settings file of curl', 'user = "edi:{{BYCj6LlDejshY}}"\nsilent'],
];

const LEFT_ALONE: [string, string][] = [
  ['the header of a table without a password', 'host;kullanici;sifre;not\nist-db-01;rapor;;kasada'],
  ['what a program prints after its prompt', 'Password for user raportti: \npsql (17.4 (Debian 17.4-1.pgdg120+2))'],
  ['a database behind a flag', 'mysql -u root -p muhasebe2026 < fix.sql   # asks for the password'],
  ['a comparison in packed code', 'function a(e,t){return e.token===t?b(e.key):c[e.pwd]||d(e,{auth:!0})}'],
  ['the id of a public key', 'git config user.signingkey 009927DCF222345A'],
  ['the id of a cluster', 'kafka-storage.sh format -t OlJOOW3Sm3B3n4cU4eQzRD -c server.properties'],
  ['a mask', 'Authorization: Bearer xxxxxxxxxxxxxxxxxxxx'],
  ['a variable of SQL*Plus', 'CREATE USER rapor IDENTIFIED BY "&rapor_parolasi";'],
  ['a question without an answer', 'Why does the password reset fail?\nLoginPage12 throws before it is shown.'],
  ['a sentence in quotes', 'It says "the passphrase must not be empty" and exits.'],
];

describe('what people and programs say in passing', () => {
  it.each(FOUND)('is found: %s', (_, marked) => {
    const secret = /\{\{(.+?)\}\}/u.exec(marked)?.[1] ?? '';
    const text = marked.replace(`{{${secret}}}`, secret);
    expect(secret.length).toBeGreaterThan(5);
    expect(redactSecrets(text).text).not.toContain(secret);
  });

  it('is found in both spellings where the first letter was corrected', () => {
    const { text } = redactSecrets('Das Passwort ist kesayo550 – nein, mit großem K: Kesayo550');
    expect(text).not.toMatch(/kesayo550/i);
  });

  it.each(LEFT_ALONE)('is left alone: %s', (_, text) => {
    expect(redactSecrets(text).text).toBe(text);
  });
});
