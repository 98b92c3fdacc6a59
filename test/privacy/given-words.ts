import type { SecretClass } from './expect-found.ts';
import { type Dice, LOWER, UPPER } from './secret-corpus.ts';

/** Words of languages whose letters and joints no rule for English expects. */
const WORDS = [
  ...(['linden', 'kuchen', 'kater', 'stiefel', 'nordwind', 'holunder', 'sonne', 'joghurt', 'waffel', 'moewe'] as const),
  ...(['storch', 'ufer', 'kreeper', 'kiste', 'wattwurm', 'priel', 'schiefer', 'dach', 'gans', 'salat'] as const),
] as const;
const word = (dice: Dice) => dice.pick(WORDS);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const small = (dice: Dice) => `${word(dice)}${word(dice)}`;
const hyphens = (dice: Dice) => `${word(dice)}-am-${word(dice)}`;
const mixed = (dice: Dice) => `${word(dice)}_${capital(word(dice))}`;
const dotted = (dice: Dice) => `${capital(word(dice))}.${capital(word(dice))}.${capital(word(dice))}`;
const digits = (dice: Dice) => dice.chars('123456789', 10);
const base32 = (dice: Dice, length: number) => dice.chars(`${UPPER}234567`, length);
const bytes = (dice: Dice, count: number) => Array.from({ length: count }, (_, i) => (dice.below(40) + i * 87) % 256);
const hex = (byte: number) => `0x${byte.toString(16).padStart(2, '0').toUpperCase()}`;

/** Where nothing but a password can be, each with words that would be none elsewhere. */
export const GIVEN: Record<string, SecretClass> = {
  'options and commands': [
    small,
    [
      'curl -s -u grafana:{} https://metrics.acme.example/api',
      'ipmitool -I lanplus -H 10.0.0.14 -U root -P {} chassis power cycle',
      'redis-cli -h cache -a {} ping',
      'ldapsearch -x -D cn=admin -w {} -b dc=acme',
      'db2 => connect to PRODDB user db2inst1 using {}\n',
      'net user joe {} /add',
      'xfreerdp /u:joe /p:{} /v:host1',
      'openssl pkcs12 -in a.p12 -passin pass:{} -nodes',
      'keytool -list -storepass {}',
      'mysqldump --user=app --password={} shop',
      'R1(config)# enable secret {}',
      'snmp-server community {} RO',
    ],
  ],
  dialogues: [
    small,
    [
      '+OK Dovecot ready.\nUSER joe\n+OK\nPASS {}\n+OK Logged in.',
      '127.0.0.1:6379> AUTH {}\nOK',
      'machine db1 login joe password {}',
      'New password: {}\nRetype new password: {}\n[edit]',
      'Choose an admin password: {}\nInstalling... done.',
    ],
  ],
  'several words at a prompt': [
    (dice) => `${word(dice)} und ${word(dice)}`,
    ["# zfs load-key tank/home\nEnter passphrase for 'tank/home': {}\n# zfs mount tank/home"],
  ],
  'digits of a network': [digits, ['nmcli dev wifi connect "guest" password {} ifname wlp3s0']],
  settings: [
    hyphens,
    [
      'wifi_ssid: Inselnetz\nmqtt_password: {}\nhome_latitude: 54.5',
      'enable-rcon=true\nrcon.password={}\nlevel-name=welt',
      'add mode=dynamic-keys name=guest wpa2-pre-shared-key={}',
      'const char* password = "{}";',
      'Server=db1;User Id=app;Password={};',
      'DB_PASSWORD={}',
    ],
  ],
  calls: [dotted, ['rs0:PRIMARY> db.auth("root", "{}")\n1', 'WiFi.begin("guest", "{}");', '"password": "{}",']],
  'sentences and labels': [
    mixed,
    [
      'Hoi, het wachtwoord van de printserver is gewijzigd naar {}. Gebruiker blijft beheer.',
      'Kennwort fürs Terminal heißt jetzt {}, das alte geht nicht mehr.',
      'Cześć, hasło do sieci gościnnej to teraz {}',
      ' jméno: spravce\n heslo: {}',
      'cn.Open "Provider=SQLOLEDB;", "lager", "{}7"',
      "(echo 'A{}'; echo 'A{}') | smbpasswd -s -a joe",
    ],
  ],
  'a code of a card': [
    (dice) => dice.chars('123456789', 4),
    ['Die Geheimzahl der Karte (Endziffern 0203) ist {}, bitte.'],
  ],
  'a column of codes': [
    (dice) => dice.chars('123456789', 5),
    ['=======  ==========  =====\nTür      Gültig bis  PIN\n=======  ==========  =====\nNordtor  2026-12-31  {}\n'],
  ],
  'codes numbered in two columns': [
    (dice) => `${dice.chars('123456789', 4)} ${dice.chars('123456789', 4)}`,
    ['SAVE YOUR BACKUP CODES\n1. {}     6. 7719 2046\n2. 3308 5571     7. 6402 9913\n'],
  ],
  'the setup of an authenticator': [
    (dice) => Array.from({ length: 8 }, () => base32(dice, 4)).join(' '),
    ['Enter this setup key in your authenticator app instead:\n{}'],
  ],
  oathtool: [(dice) => `${base32(dice, 25)}7`, ['$ oathtool --totp -b {}\n408813']],
  'a code of a mail provider': [(dice) => dice.chars(LOWER, 16), ['邮箱的SMTP授权码：{}（不是登录密码）']],
  'a cookie of Erlang': [
    (dice) => dice.chars(UPPER, 20),
    ['# cat /var/lib/rabbitmq/.erlang.cookie; echo\n{}\n# rabbitmqctl status'],
  ],
  'a key of bitcoin': [
    (dice) => `Kz${dice.chars('abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789', 50)}`,
    ['$ bitcoin-cli importprivkey "{}" "shop" false'],
  ],
  'a seed of stellar': [(dice) => `SA${base32(dice, 54)}`, ['Secret seed  {}']],
  'bytes of a key': [(dice) => bytes(dice, 16).map(hex).join(', '), ['static const u1_t PROGMEM APPKEY[16] = { {} };']],
  'bytes of a pair of keys': [(dice) => bytes(dice, 64).join(','), ['$ cat ~/.config/solana/id.json\n[{}]']],
};

/** What stands in the same places without being a password. */
export const NOT_GIVEN: Record<string, readonly string[]> = {
  'holders and placeholders': [
    'curl -u "$CI_USER:$CI_TOKEN" https://acme.example',
    'curl -u admin:your-password-here https://acme.example',
    'redis-cli -a REDIS_PASSWORD ping',
    'ipmitool -H host -U root -P <password> sel list',
    'rcon.password=${RCON}\ndb.password=changeit\n',
    'mqtt_password: !secret mqtt\nwifi_password: required\n',
    'db_password: SecretStr\nnew_password: string\n',
  ],
  'words about a password': [
    'New password: required\nPassword for joe: incorrect\n',
    'Enter passphrase: must not be empty\n',
    'password: "case-sensitive"\n',
    'password: "user-supplied"\n',
    'password: "lower-case"\nforgot_password: vergessen\nshow_password: anzeigen\n',
    '"password": "required|min:8"\nenable password lockout\n',
    'enable password authentication\nenable secret scanning\n',
    '数据库的密码：required\n密码：string\n',
    'Das Passwort ist falsch. Het wachtwoord is gewijzigd naar aanleiding van het lek.\n',
  ],
  'names of code': [
    'the password: m_searchResult = find("x")\n',
    "hasattr(self.passwd, 'is_authenticated')\n",
    'auth._parse_www_authenticate(response, "www-authenticate")\n',
    'docker run -u 1000:1000 -p 127.0.0.1:8080:80 acme/api\n',
    'ldapsearch -a always -b dc=acme\nipmitool -H h -U root -a chassis status\n',
    'PASS src/login.test.ts\nPASS lindenbaum\n',
  ],
  'bytes that are no key': [
    'const keyCodes = [37, 38, 39, 40, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76];\n',
    'static const uint8_t public_key[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };\n',
  ],
};
