import type { SecretClass } from './expect-found.ts';
import { DIGITS, type Dice, LOWER } from './secret-corpus.ts';

const LETTERS = 'abcdefghjkmnpqrtuvwxyz';
/** Digits that are no year, as somebody sets a lock to them. */
const code = (dice: Dice) => dice.chars('346789', 1) + dice.chars(DIGITS, 3);
const digits = (dice: Dice) => dice.chars('346789', 6);
const indic = (dice: Dice) => dice.chars('३४६७८९', 4);
/** A dish and a number, as families name their networks. */
const dish = (dice: Dice) =>
  dice.pick(['Pierogi', 'Rendang', 'Kebab', 'Injera', 'Ramen', 'Gulasch', 'Feijoada', 'Baklava'] as const) +
  dice.chars('3456789', 3);
const made = (dice: Dice) =>
  `${dice.chars(LETTERS, 3)}${dice.chars('346789', 2)}${dice.chars(LETTERS, 3)}${dice.chars('346789', 1)}`;
const name = (dice: Dice) =>
  dice.pick(['Zinovieva', 'Brunnbauer', 'Kowalczyk', 'Okonkwo', 'Haugland', 'Marchetti'] as const);
const recovery = (dice: Dice) => `${dice.chars('ABCDEFGH', 1)}${dice.chars(DIGITS, 3)}-${dice.chars('JKLM', 2)}7Q`;
const printed = (dice: Dice) => `7${dice.chars('ABCDEF', 3)}${dice.chars(DIGITS, 4)}${dice.chars('ABCDEF', 4)}`;

/** Sentences in which people say a secret, in many languages. */
export const SAID: Record<string, SecretClass> = {
  'codes of doors': [
    code,
    [
      'Der Zahlencode vom Fahrradkeller ist jetzt {}, bitte nicht weitersagen',
      'o código da portaria mudou, agora é {}, avisa o porteiro',
      'ajtókód: {}, utána csengess',
      'kapukódunk {}-re változott',
      'кодът за входа е {}, после звездичка',
      'kodi i derës është {}, pastaj prit pak',
      'haustürcode isch neu {}, de alt gaht nüme',
      'რკინის კარის კოდია {}',
      'የበሩ ኮድ {} ነው',
      'กด {} ที่ประตูแล้วดึง',
      '大门按{}就开了',
      '玄関のオートロック、{}で開くから',
      'eh the door code change oredi lah, now is {}',
    ],
  ],
  'codes of alarms, safes and telephones': [
    digits,
    [
      'larmet stängs av med {}',
      'na klávesnici alarmu zadej {}',
      "desbloqueja el mòbil amb {} i mira si m'ha trucat",
      'alarmı {} ile kapat',
      '我手机锁屏是{}，你帮我接一下',
      'bấm {} ở cổng nha',
    ],
  ],
  'PINs and codes for one time': [
    digits,
    [
      'el nip de mi tarjeta es {}, saca nomás 500',
      'kortelės PIN kodas yra {}, nuimk penkiasdešimt eurų',
      'pinul cardului e {}, scoate o sută',
      'Fick en engångskod på sms, {}, skynda dig',
      'PIN bilan kirib bo‘lmadi, bir martalik kod {}',
      'Lambar sirrin katin ATM na Baba ita ce {}',
    ],
  ],
  'digits of another script': [indic, ['तिजोरी का नंबर {} है', 'आपका ओटीपी {} है, किसी को न बताएं']],
  'words and digits in the middle of a sentence': [
    dish,
    [
      'g changé le mdp de la box c {} mtn, le dis pas a ta sœur',
      'Em ơi anh đổi mật khẩu wifi thành {} rồi nhé, đừng cho hàng xóm',
      'che, si querés entrar al wifi poné {}, con mayúscula la primera',
      'Abeg the wifi password don turn {} now, no go share am',
      'Saluton, mi ŝanĝis la pasvorton al {}, bonvolu ne diskonigi ĝin',
      'машинаның серсүзе {} иде, кергәч алыштыр',
    ],
  ],
  'letters and digits behind words that English has as well': [
    made,
    ['bro pw akun ml gw {}, login aja', 'manze pass ya wifi ni {}, usipee watu', 'machan wifi password eka {}, epa'],
  ],
  'keys of networks': [
    printed,
    ['Camping-wifi (veld B): naam DeEik, sleutel {}', '【お客様用Wi-Fi】SSID：yado　暗号化キー：{}'],
  ],
  'answers to security questions': [
    name,
    [
      'Turvakysymys: opettajan nimi? Vastaus: {}',
      'Контрольный вопрос: девичья фамилия матери. Ответ: {}',
      'Güvenlik sorusu: İlk öğretmeniniz? Cevap: {}',
      'سؤال الأمان: اسم المعلم؟ الجواب: {}',
      '안전… 본인확인 질문: 선생님 이름? 답: {}',
      "For verification, what was your mother's maiden name?\nCaller: {}\nAgent: Thank you.",
    ],
  ],
  'codes that give back an account': [
    recovery,
    ['Hesabın kurtarma kodu {}, bir yere yaz', '복구 코드 적어둬 {} 폰 잃어버리면', 'Mã khôi phục là {}, con cất đi'],
  ],
  'what went to the wrong window': [
    (dice) => `Foxglove${dice.chars(LOWER, 1).toUpperCase()}${dice.chars('3456789', 3)}`,
    ['{}\noops sorry wrong window, that was my sudo password'],
  ],
};

/** The same words around numbers of other kinds, and around names. */
export const NOT_SAID: Record<string, readonly string[]> = {
  'numbers of errors, orders, parcels and post codes': [
    'Der Fehlercode an der Tür ist 4417, bitte im Handbuch nachsehen',
    'le code promo pour la serrure : 5518',
    'o código de rastreio do portão é 771402',
    'felkoden på larmet är 4418, ärende 771402',
    'a kapu hibakódja 4418, a rendelés száma 771402',
    'код ошибки домофона 4418, индекс 117418, подъезд 3',
    'шифра артикла за сеф је 881204',
    'kapı hata kodu 4418, sipariş 771402',
    'رمز الخطأ في الإنذار 4418',
    'पिन कोड 110001, दरवाज़ा नंबर 12',
    'รหัสไปรษณีย์ 68539 รหัสสินค้า 923286',
    '邮编100084，大门朝南；保险箱订单号771402',
    'ドアのエラーコードは4418です',
    'kod ralat pintu 4418, poskod 50450',
  ],
  'prices, measures, years, telephone numbers': [
    'Die Tür kostet 1450 Euro, das Schloss 2300 Euro, Türbreite 1200 mm',
    'Das Tor wurde 1998 eingebaut, seit 2019 ist der Code kaputt',
    'дверь стоит 12500 рублей',
    'cửa giá 4500 đồng',
    'numer telefonu do bramy 601234567',
    'PIN-Nummer vergessen? Rufen Sie 0800 5518 221 an',
  ],
  'names of products, hosts and networks': [
    'hasło do GitLab17, jak zwykle, wygasło',
    'Heslo k tiskárně Kyocera3501, která stojí dole, je na štítku',
    'Das Passwort für den Server web-21, also den alten, ist abgelaufen',
    'Das WLAN heißt Cafe2024, das Passwort hängt an der Theke',
    'Nenosiri la Mattermost lilibadilishwa na Asha, tiketi 24115.',
    '[Ticket#2024042710419662] Kennwort vergessen',
    'ПАРОЛЬ=<ваш пароль>\nХОСТ=web-23',
    'password,Passwort,Mot de passe\napi_key,API-Schlüssel,Clé API',
  ],
  'answers that are none': [
    'Sicherheitsfrage: Haustier?\nAntwort: falsch',
    'Question secrète : animal ? Réponse : obligatoire',
  ],
  'colours and packages': [
    'Door colour code RAL 6222, key ring in black',
    'libc6:i386, libstdc++6:i386 still install; pass --no-remove, or apt may remove git',
  ],
};
