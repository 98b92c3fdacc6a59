/** Words for secrets in many languages: stems, whose endings vary. `_` stands for a space, a mark or nothing. */

/** Stems of words for passwords in languages that use no English word for them. */
export const PASSWORD_STEMS = stems(`
  密码 密碼 口令 通行码 パスワード パスフレーズ 暗証番号 合言葉 비밀번호 비번 암호 패스워드 парол пароль лозинк гасло құпия_сөз нууц_үг
  сырсөз серсүз рамзи_убур पासवर्ड कूटशब्द পাসওয়ার্ড கடவுச்சொல் పాస్‌వర్డ్ ಪಾಸ್‌ವರ್ಡ್ പാസ്‌വേഡ് પાસવર્ડ ਪਾਸਵਰਡ මුරපදය รหัสผ่าน ລະຫັດຜ່ານ
  စကားဝှက် ពាក្យសម្ងាត់ κωδικ συνθηματικ κοδικ კოდი პაროლ գաղտնաբառ የይለፍ_ቃል סיסמ ססמ פאראל كلمة_المرور كلمة_مرور كلمة_السر كلمة_سر
  رمز_جدید رمز_عبور رمز_العبور رمز_ورود گذرواژه پاس_ورڈ پاسورڈ پسورد پټنوم şifre sifre şifrə şîfre şifra šifra шифра шифру parol parool lösenord losenord
  passord adgangskod adgangsord kodeord salasana tunnussana lykilorð aðgangsorð loyniorð jelsz jelszó jelige heslo hesla heslem heslu hasł
  haslo haslem hasla geslo gesla geslom lozink zapork slaptažod slaptazod salasõn fjalëkalim pasahitz contrasinal contrase contrasenya
  senha parola_d'ordine parola_chiave chiave_wi_fi mot_de_passe mots_de_passe mdp phrase_de_passe modpas palavra_passe palavra_chave clave la_contra
  frase_de_paso wachtwoord wachtwurd wagwoord wachtzin toegangscode passwort passwört paßwort passwuert kennwort losungswort zugangscode
  wlan_schlüssel netzwerkschlüssel netzschlüssel wlan_key wifi_key wpa_key clé_wi_fi mật_khẩu mat_khau kata_sandi sandi kata_laluan tembung_sandhi kecap_sandi cyfrinair pasfhocal
  facal_faire ger_tremen nenosiri iphasiwedi kalmar_sirri teny_miafina kupuhipa pasvort
  focal_faire neno_la_siri neno_siri igama_lokugqithisa ijambo_ryibanga ijambobanga mawu_achinsinsi ereyga_sirta furaha_sirta серһүҙ pasvorto kata_kunci
  พาสเวิร์ด รหัสลับ nywila ọrọ_aṣina ọ̀rọ̀_ìpamọ́ okwuntughe phasewete phasiwete mk_mới mk_là mk_wifi password_baru password_wifi رمز_وای
  پاس_ورد پسوورډ ڳجھو_لفظ açarsöz maxfiy_so parolla contrasigno ծածկագիր шифър купуя_сөз гузарвожа вӑрттӑн_сӑмах शब्दकूट पारण_शब्द రహస్యపదం
  സൂചകപദം രഹസ്യവാക്ക് அடையாளச்சொல் மறைச்சொல் ગુપ્તશબ્દ ਗੁਪਤ_ਸ਼ਬਦ গোপন_শব্দ পাছৱৰ্ড සංකේත_පදය ລະຫັດ_ຜ່ານ លេខសម្ងាត់ གསང་ཚིག الرقم_السري الرمز_السري
  وشەی_نهێنی تێپەڕەوشە پارول پاسورڊ پسوورد باسورد باسوورد संकेतशब्द गुप्तशब्द ପାସୱାର୍ଡ ಗುಪ್ತಪದ סיסמת пассворд гасл hasełk lösenfras adgangsfrase パスワ 事前共有鍵 预共享密钥 預共用金鑰 사전_공유_키 sifra_za sifra_je erayga_sirta erayga_sirka aṣínà aṣina
  பாஸ்வேர்ட் பாஸ்வர்ட் पासवर्ड् ପାସ୍‌ୱାର୍ଡ ପାସୱର୍ଡ رمز_کمپیوتر رمز_لپ رمز_سیستم رمز_ایمیل رمز_اکانت رمز_حساب رمز_گوشی رمز_روتر رمز_مودم رمز_اینترنت 解压码 解壓碼 提取码
  paswod pasword passwoord passwoort pasiwedhi kodikos kwdikos salis$ ramze_wifi ramz_e ʻōlelo_huna upu_faalilolilo upu_fa'alilolilo vosa_ni_curu ñe'ẽñemi ñe’ẽñemi yaykuna_rimay beassansátn
  jecha_darbii መሕለፊ_ቃል khunololamoraba कूटपद गूढपद ޕާސްވޯޑ පාස්වර්ඩ් පාස්වර්ඩ פּאַראָל פאַראָל jelszav senhal lösen$ sandinya kata_laluannya
  пасс_от пасс_для пасс_такой пасс_тот пасс_на รหัส_wifi รหัส_ไวไฟ รหัสเน็ต`);
/** The same for tokens and secret keys. */
export const SECRET_STEMS = stems(`
  密钥 令牌 秘钥 金鑰 トークン 秘密鍵 토큰 비밀키 токен ключ jeton chiave_segreta clé_secrète clave_secreta chave_secreta
  geheimer_schlüssel geheime_sleutel tajny_klucz klucz cheie_secret мастер_ключ секрет`);
/** Words for keys of all kinds, which name a secret only if they mean an API key. */
export const KEY_STEMS = stems(
  'schlüssel キー 키 clé clave chiave chave cheie sleutel nyckel nøkkel nøgle avain klucz klíč kľúč ključ kulcs anahtar kunci khóa κλειδί',
);
/** Verbs between a word and its value in a sentence, in many languages. */
export const BE =
  "is|was|to|ist|war|wäre|sei|lautete?|heißt|c[’']est|est|es|és|é|e|è|està?|est[áã]|estas|är|er|on|oli|je|jest|este|это|е|је|yra|ir|ay|là|la|hija|huwa|adalah|ialah|olarak|ass|ni|waa|ce|yw|da|είναι|هي|هو|היא|הוא";
/** The stems as alternatives of an expression. Short ones begin a word, since they also occur within words; `$` ends one. */
export function anyOf(words: readonly string[]): string {
  return words
    .map((word) =>
      word.endsWith('$')
        ? `(?<![\\p{L}\\p{N}+/])${word.slice(0, -1)}(?!\\p{L})`
        : /^[a-z]{1,5}$/u.test(word)
          ? `(?<![A-Za-z0-9+/])${word}`
          : word.replaceAll('_', "[ _'’-]?"),
    )
    .join('|');
}

/** For each stem, a string that every match contains. */
export function hintsOf(words: readonly string[]): string[] {
  return words.map((word) =>
    word
      .replace('$', '')
      .split('_')
      .reduce((longest, part) => (part.length > longest.length ? part : longest)),
  );
}

function stems(list: string): string[] {
  return list.trim().split(/\s+/u);
}
