import { isAnnouncedPassword, isStrongPassword } from './password-values.ts';
import type { Place } from './places.ts';
import { isPlace, looksRandom } from './secret-values.ts';

// A value ends before a sentence's punctuation; letters of other scripts, which need no space, end it too.
export const VALUE = '([!-~]{6,200}?)(?=[,.;:)\\]]{0,2}(?:[\\s"\'`<]|[^\\x00-\\x7f]|$))';
export const QUOTE = '["\'`「『“„«]?';
const CLOSE = '["\'`」』”»]?';

/** Stems of words for passwords in languages that use no English word for them; their endings vary. */
const PASSWORD_STEMS = stems(`
  密码 密碼 口令 パスワード 暗証番号 비밀번호 비번 암호 парол лозинк құпия_сөз нууц_үг сырсөз серсүз рамзи_убур
  पासवर्ड পাসওয়ার্ড கடவுச்சொல் పాస్‌వర్డ్ ಪಾಸ್‌ವರ್ಡ್ പാസ്‌വേഡ് પાસવર્ડ ਪਾਸਵਰਡ මුරපදය รหัสผ่าน ລະຫັດຜ່ານ စကားဝှက် ពាក្យសម្ងាត់
  κωδικ კოდი პაროლ գաղտնաբառ የይለፍ_ቃል סיסמ פאראל كلمة_المرور كلمة_السر رمز_عبور گذرواژه پاس_ورڈ پاسورڈ پټنوم
  şifre sifre şifrə şîfre şifra šifra parol parool lösenord passord adgangskode salasana lykilorð loyniorð
  jelsz heslo hesla hasł geslo lozink slaptažod fjalëkalim pasahitz contrasinal contrase contrasenya senha parola_d'ordine
  mot_de_passe mots_de_passe mdp motdepasse modpas palavra-passe clave wachtwoord wachtwurd wagwoord passwort passwört
  paßwort passwuert kennwort zugangscode mật_khẩu kata_sandi kata_laluan tembung_sandhi kecap_sandi cyfrinair pasfhocal
  facal-faire ger-tremen nenosiri iphasiwedi kalmar_sirri teny_miafina kupuhipa pasvort`);
/** The same for tokens and secret keys. */
const SECRET_STEMS = stems('密钥 令牌 秘钥 金鑰 トークン 秘密鍵 토큰 비밀키 токен ключ jeton');
/** Words for keys of all kinds, which name a secret only if they mean an API key. */
const KEY_STEMS = stems(
  'schlüssel キー 키 clé clave chiave sleutel nyckel nøkkel nøgle avain klucz klíč kľúč anahtar kunci khóa κλειδί',
);
/** Stems of words for a change, after which the new value follows. */
const CHANGE_STEMS = stems(`
  gesetzt geändert gewechselt ändere setze setz_ cambi chang modifi mudei mude alter поменя смени измени замени поставь zmien zmień ustaw změn nastav
  ändra ändrat bytt endre endret skift troca troquei змінив змени 変更 wijzig verander değiştir olarak ayarla に変更 にし に設定 로_변경 로_바꾸 로_설정 으로_변경`);

/** From the word to the value: "от базы:", "lautet", "do banco é", `是`. */
const LEADS =
  "\\p{L}{0,6}[^\\n:：=]{0,40}?(?:[\"'`」』”»]?[ ]{0,4}[:：=՝]|[ ](?:is|ist|lautete?|wäre|war|sei|c[’']est|es|és|é|est|è|är|er|on|je|jest|to|это|е|este|là|adalah|olarak|estas|ay|ass|ni|yw|da|është|هي|هو|היא|הוא|-|–|—)(?=[ ])|是|は|为|為|는|은|成了?)";

/** Secrets that people announce in a sentence or label, in languages other than English. */
export const ANNOUNCEMENTS: readonly Place[] = [
  {
    kind: 'password',
    source: 'messages and notes in other languages',
    example: '数据库的密码：{password}',
    hints: PASSWORD_STEMS,
    pattern: new RegExp(`(?:${PASSWORD_STEMS.join('|')})${LEADS}\\s{0,4}${QUOTE}${VALUE}`, 'giu'),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'secret',
    source: 'messages and notes in other languages',
    example: '接口密钥：{token}',
    hints: SECRET_STEMS,
    pattern: new RegExp(`(?:${SECRET_STEMS.join('|')})${LEADS}\\s{0,4}${QUOTE}${VALUE}`, 'giu'),
    accepts: (value) => looksRandom(value) && !isPlace(value),
  },
  {
    kind: 'api-key',
    source: 'messages and notes in other languages',
    example: 'Der API-Schlüssel lautet {token} und gilt bis Freitag.',
    hints: KEY_STEMS,
    pattern: new RegExp(
      `(?:\\bapi[ -]{0,3}(?:${KEY_STEMS.join('|')})|(?:${KEY_STEMS.join('|')})\\p{L}{0,3}[ ](?:\\p{L}{1,3}[ '’])?api\\b)${LEADS}\\s{0,4}${QUOTE}${VALUE}`,
      'giu',
    ),
    accepts: (value) => looksRandom(value) && !isPlace(value),
  },
  {
    kind: 'password',
    source: 'messages about a change, in other languages: the verb first',
    example: 'Cambié la contraseña a {password} esta mañana.',
    hints: ['password', ...PASSWORD_STEMS],
    pattern: new RegExp(
      `(?:${CHANGE_STEMS.join('|')})[^\\n]{0,40}?(?:password|${PASSWORD_STEMS.join('|')})[^\\n]{0,40}?[ ](?:auf|a|à|en|por|para|na|на|to|til|till|op|in|naar|em)[ ]${QUOTE}${VALUE}`,
      'giu',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'messages about a change, in other languages: the verb last',
    example: 'Ich habe das Passwort auf {password} gesetzt.',
    hints: PASSWORD_STEMS,
    pattern: new RegExp(
      `(?:${PASSWORD_STEMS.join('|')})\\p{L}{0,6}(?:[ ](?:[^\\s]{1,20}[ ]){0,4}?|[を을를])[ ]{0,2}${QUOTE}${VALUE}${CLOSE}[ ]{0,2}(?:${CHANGE_STEMS.join('|')})`,
      'giu',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'messages about a change, in other languages: the verb in the middle',
    example: 'Ik heb het wachtwoord veranderd naar {password}.',
    hints: PASSWORD_STEMS,
    pattern: new RegExp(
      `(?:${PASSWORD_STEMS.join('|')})[^\\n]{0,20}?(?:${CHANGE_STEMS.join('|')})\\p{L}{0,6}[ ](?:auf|a|à|en|por|para|na|на|to|til|till|op|in|naar|em)[ ]${QUOTE}${VALUE}`,
      'giu',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'password',
    source: 'messages in other languages: the word and the password beside it',
    example: 'Yeni şifre {password}',
    hints: PASSWORD_STEMS,
    pattern: new RegExp(
      `(?:${PASSWORD_STEMS.join('|')})\\p{L}{0,3}(?:[ ]|用[ ]?|[:：][ ]?[\\w.@-]{2,40}\\/)${QUOTE}${VALUE}`,
      'giu',
    ),
    accepts: isStrongPassword,
  },
  {
    kind: 'password',
    source: 'messages in other languages: the word, and the password in quotes',
    example: 'パスワード「{password}」でログインしてください',
    hints: ['「', '『', '“', '«', '„'],
    pattern: new RegExp(
      `(?:${PASSWORD_STEMS.join('|')})\\p{L}{0,4}[ ]?[「『“„«]([^\\s「」『』“”«»]{6,200})[」』”»]`,
      'giu',
    ),
    accepts: isAnnouncedPassword,
  },
  {
    kind: 'token',
    source: 'messages in Chinese and Japanese that use the English word',
    example: 'token 是 {token}',
    hints: ['是', 'は', '为', '為', '：'],
    pattern: new RegExp(`(?:token|key|secret|密钥)[ ]?(?:是|は|为|為|：)[ ]{0,2}${QUOTE}${VALUE}`, 'giu'),
    accepts: (value) => looksRandom(value) && !isPlace(value),
  },
];

/** The words of a list, in which `_` stands for a space. */
function stems(list: string): string[] {
  return list
    .trim()
    .split(/\s+/u)
    .map((stem) => stem.replaceAll('_', ' '));
}
