import { stems } from './secret-words.ts';

/**
 * Words around codes of digits in many languages: stems, whose endings vary. `_` stands for a space, a mark or nothing,
 * and a word that ends in `$` has no ending.
 */

/** Codes of digits that are secret by themselves: PINs, and codes that are valid once. */
export const PIN_STEMS = stems(`
  geheimzahl geheimnummer tunnusluku tunnusluvu tunnusluvun pinkod pin_kod pin_cod pincode pin_code pin-nummer pin_numar pin_broj pin_szám pin_numer
  código_pin codul_pin codice_segreto clave_secreta número_secreto numero_segreto numéro_secret code_secret code_confidentiel código_secreto
  codi_secret codi_pin código_segredo kòd_sekrè kodi_sekret cod_secret tajni_kod tajny_kod tajny_numer hemlig_kod hemmelig_kode salakood geheime_code
  kod_blik blik_kod blika$ blik$ salanumber titkos_kód gizli_kod gizli_numara məxfi_kod maxfiy_kod maxfiy_raqam şifreya_kartê nombor_pin nomor_pin no_pin no_tac no_tan
  pin-код пин_код пинкод пін_код пінкод пин_кода код_из_смс код_из_sms пин$ пін$ пинот$ пинът$ пину$ пином$ нууц_код құпия_код жашыруун_код рамзи_якдафъаина
  секретный_код таемний_код таен_код код_сакрэтны тайни_код пин_број
  الرقم_السري رقم_سري الرمز_السري رمز_سري رمز_دوم رمز_کارت رمز_پویا پین_کوڈ پین_کد پن_کوڈ پین_نمبر خفیہ_کوڈ او_ٹی_پی او_تي_پي او_ٽي_پي او_ٽی_پی ڳجھو_نمبر پټ_شمېره کۆدی_نهێنی ژمارەی_نهێنی
  קוד_סודי הקוד_הסודי קוד_אישי קוד_חד_פעמי סוד_קאָד
  ओटीपी पिन_कोड गुप्त_कोड गोप्य_कोड गोपनीय_पिन पिन_नंबर पिन_क्रमांक ওটিপি অ'টিপি অ’টিপি পিন_কোড পিন_নম্বর পিন_নাম্বার গোপন_নম্বর গোপন_পিন
  ஓடிபி ஒடிபி பின்_எண் ரகசிய_எண் கடவு_எண் இரகசிய_எண் ఓటీపీ పిన్_కోడ్ పిన్_నంబర్ ರಹಸ್ಯ_ಸಂಖ್ಯೆ ಒಟಿಪಿ ಪಿನ್_ಕೋಡ್ ಪಿನ್_ಸಂಖ್ಯೆ ഒടിപി ഒ.ടി.പി പിൻ_നമ്പർ രഹസ്യ_നമ്പർ
  ઓટીપી પિન_કોડ પિન_નંબર ગુપ્ત_નંબર ਓਟੀਪੀ ਪਿੰਨ_ਕੋਡ ਪਿੰਨ_ਨੰਬਰ ଓଟିପି ପିନ୍_ନମ୍ବର ପିନ୍_କୋଡ ଗୁପ୍ତ_ସଂଖ୍ୟା රහස්_අංකය පින්_අංකය รหัสพิน พินโค้ด รหัส_otp รหัส_pin รหัสเอทีเอ็ม รหัสกดเงิน รหัสบัตร
  ລະຫັດ_otp ລະຫັດ_pin ລະຫັດບັດ លេខសម្ងាត់ លេខកូដ_otp លេខកូដសម្ងាត់ လျှို့ဝှက်နံပါတ် ပင်နံပါတ် ပင်ကုဒ် གསང་ཨང གསང་གྲངས
  mã_pin mã_otp ma_otp ma_pin mã_xác_thực mã_xác_nhận mã_xác_minh ma_xac_thuc ma_xac_nhan kode_otp kod_otp otp_kod otp_code kod_tac nombor_tac
  namba_ya_siri nambari_ya_siri lambar_sirri lambar_sirrin nọ́ńbà_ìkọ̀kọ̀ nọmba_ìkọ̀kọ̀ nọmba_nzuzo lambarka_sirta koodhka_xaqiijinta lakkoofsa_iccitii kaody_miafina laharana_miafina
  inombolo_eyimfihlo inombolo_yemfihlo inamba_yebanga umubare_w'ibanga namba_y'ekyama የሚስጥር_ቁጥር የማረጋገጫ_ኮድ პინ_კოდი პინკოდი საიდუმლო_კოდი
  փին_կոդ պին_կոդ գաղտնի_կոդ πιν$ μυστικός_αριθμός μυστικός_κωδικός uimhir_phin uimhir_rúnda rhif_pin cod_pin rhif_cyfrinachol àireamh_dhìomhair niver_kuzh pin_zenbaki zenbaki_sekretu
  验证码 驗證碼 动态码 动态口令 短信码 短信验证码 取款密码 交易密码 支付密码 提款卡密碼 银行卡密码 暗証番号 認証コード 認証番号 確認コード ワンタイムパスワード 暗証コード
  პინ$ პინი პინის պին$ պինը القن_السري पिन$ পিন$ ਪਿੰਨ$ ਪਿਨ$ પિન$ ପିନ$ பின்$ పిన్$ ಪಿನ್$ പിൻ$ පින්$ پین$ پن$ פין$ locker_number safe_number
  인증번호 인증_코드 인증코드 핀번호 핀_번호 보안카드 비밀_번호`);

/** Codes of any kind, which are secret if they open or confirm something. */
export const CODE_STEMS = stems(`
  code$ codes$ coden$ kod kode kodi kód cód cod$ codi codul codice codici codic código kôd kodas kods koda$ kodă kood koodi kodea kodigo kòd kodo$ kodon$ koodh ciffer_kod cifer
  код кодът κωδικ κωδικό קוד كود رمز کد کوڈ ڪوڊ کۆد کۆدی كودى कोड कोड् नंबर नम्बर কোড নম্বর নাম্বার ਕੋਡ ਨੰਬਰ કોડ નંબર କୋଡ ନମ୍ବର கோட் குறியீடு எண் కోడ్ నంబర్ ಕೋಡ್ ಸಂಖ್ಯೆ കോഡ് നമ്പർ
  කේතය අංකය รหัส โค้ด ລະຫັດ ໂຄດ លេខកូដ កូដ ကုဒ် ကုတ် နံပါတ် კოდი კოდს კოდით კოდის კოდია կոդ ծածկագ կոդը ኮድ ቁጥር mã$ ma_cua msimbo nambari_ya namba_ya khoutu khouto ikhodi ikhowudi lambar
  लॉक লক$ ਲਾਕ લોક லாக் లాక్ ಲಾಕ್ ലോക്ക് قن$ القن
  khodi kaody gako_zenbaki zenbaki numri_i numra kombinac kombinat kombinas kombinasyon kombinaatio combinac combinaç combinais combinaz combinatia combinație cyfr szyfr шифр комбінац комбинац συνδυασμ
  קומבינצ コード 番号 暗証 ダイヤル 번호 코드 비번 密码 密碼 号码 號碼 şifre şifrə şifr šifr sifr szám číslo numer_do numero_della number_eka lambarka koodii
  kennzahl zahlenkombination zahlencode nummernkombi tallkode talkode sifferkod cijfercode cijferslot digicode combo pasahitz fjalëkalim`);

/** What a code opens: doors, gates, lifts, alarms, safes, lockers, telephones, cards, and accounts. */
export const LOCK_STEMS = stems(`
  door$ doors$ gate$ entrance lockbox locker padlock keypad alarm safe$ garage$ key_safe key_box cupboard$ shed$ voicemail car_radio
  alarmanlag haustür hustür türcode türschloss tür$ türe$ tor$ hoftor garagentor tresor schloss$ schließfach spind schlüsselkasten schlüsselsafe schlüsselbox schlüsseltresor eingangstür gegensprech aufzug schranke wegfahrsperre handy$ diensthandy anrufbeantworter
  kaart$ pinpas deur voordeur poort kluis hangslot sleutelkluis sleutelkastje alarmsysteem brandkast slagboom inbraakalarm telefoon
  dörr porten$ portkod grind grinden kassaskåp larm hänglås nyckelskåp nyckelbox tvättstuga garage ytterdörr hiss bom$ lås
  dør$ døren$ døra$ inngang hengelås nøkkelboks nøgleboks safen$ pengeskab skab$ skap$ alarmen$ hovedør indgang låsen$ minibank
  ovi$ oven$ ovikoodi alaovi rappu porraskäytäv kassakaap hälytin hälytyks lukko lukon lukkoon riippuluk avainsäil kaappi puhelim portti autotalli
  uks$ ukse välisuks värav trepikoja signalisatsioon seif tabaluk
  dur durų vartų spyn signalizac laiptin durvj durvis vārt seifs slēdzen piekaram
  drzwi bram bramk furtk klatk sejf zamk kłódk szafk domofon wejści garaż skrytk depozyt szlaban
  dveř vchod vrat brán branka trezor zámek zámku zámk skříňk garáž výtah závor dvere dverí dvier brány bráne skrinka zámka zvonček
  ajtó kapu kapukód lakat széf riaszt lépcsőház garázs szekrény páncélszekrény kaputelefon zár$ zárat sorompó
  ușă uşă ușii uşii ușa uşa poart porți interfon scar$ scara$ scării lacăt barieră garaj
  kapij kapiju brav sef$ sefa$ garaž katanac ulaz ormarić ključavnic rampa
  двер вход ворот калитк подъезд домофон сейф сигнализ замк замок шлагбаум гараж шкафчик камер ячейк лифт кладов чугун
  двері дверей хвіртк під'їзд під’їзд сигналіз ворота брам ґанк вхідн шафк дзверы пад'езд
  врат порта входа катанец аларм асансьор бариера капиј врата ормарче брава улаз
  πόρτα πόρτας εισόδου είσοδο θυροτηλ συναγερμ χρηματοκιβ λουκέτ ντουλάπ γκαράζ ασανσέρ πολυκατοικ κλειδαρι πύλη
  puert portón portal$ portero caja_fuerte cajafuerte caja_de_segur candado alarma garaje taquilla cerradura ascensor verja telefonillo tarjeta cajero móvil celular
  porta portão portaria cofre cadeado alarme garagem fechadura armário elevador cancela cartão telemóvel entrada interfone
  portes$ porte$ portail portillon coffre cadenas digicode immeuble interphone hall$ ascenseur casier boîte_à_clé serrure antivol portière répondeur carte_bancaire guichet
  portone cancello cassaforte lucchetto allarme citofono armadietto serratura serranda ascensore sbarra tessera_bancomat bancomat carta
  porter caixa_forta cadenat garatge pòrta pòrtal portau ate$ atea$ atearen ataria giltzarrap kutxa_gotor atariko
  doras dorais geata aláram taisceadán drws larwm giât clo$ cist_ddiogel glaic dor$ nor$
  bieb bibien xatba derës dera$ dyer portës kasaforta alarmi dry$
  kapı kapi kapis dış_kapı bina$ apartman otopark kasa$ kasan kilit asma_kilit dolap dolab asansör bariyer giriş qapı seyf darvoza eshik эшик есік қақпа құлып кулпу ишек дарваза дар$ дари сандуқ
  хаалга орц цоож үүд derg gapy işik ئىشىك دەرۋازا derî deriyê dergeh
  باب الباب بوابة بوّابة البوابة خزنة الخزنة خزانة قفل القفل إنذار الإنذار الانذار المدخل العمارة المبنى كراج جراج الجراج مصعد البناية البطاقة بطاقة الموبايل الجوال
  در_ورودی درب دروازه گاوصندوق دزدگیر پارکینگ ساختمان آسانسور کارت گوشی دەرگا دەرگای قوفڵ سەیف
  دروازے دروازہ گیٹ تالا تالے لاک لاکر الارم لفٹ کارڈ دروازو تالو دروازې قلف
  דלת הדלת שער השער כניסה אזעק כספת לובי מנעול חניון חניה מעלית לוקר ארונית בניין קודן כרטיס טיר טיר$ שלאס
  दरवाज़ दरवाज गेट तिजोरी लॉक ताला ताले लॉकर अलार्म बिल्डिंग लिफ्ट सोसायटी कुलप कुलुप कुलूप दार दाराच ढोका फाटक तिजोर कपाट द्वार
  দরজা গেট তালা লকার আলমারি অ্যালার্ম সিন্দুক লিফট দুৱাৰ দুৱাৰৰ তলা ଗେଟ କବାଟ ଦରଜା ତାଲା ଲକର
  ਦਰਵਾਜ਼ ਗੇਟ ਤਾਲ ਲਾਕਰ ਅਲਾਰਮ ਤਿਜੋਰੀ ગેટ દરવાજ તાળા તાળું લોકર તિજોરી અલાર્મ
  கதவ கேட் பூட்டு லாக்கர் வாசல் அலாரம் பெட்டக తలుపు గేట్ గేటు తాళం లాకర్ అలారం బీరువా ಬಾಗಿಲು ಗೇಟ್ ಬೀಗ ಲಾಕರ್ ಅಲಾರಂ വാതിൽ ഗേറ്റ് പൂട്ട് ലോക്കർ അലാറം
  දොර ගේට්ටු අගුල ලොකර් සේප්පු ประตู ตู้เซฟ ลิฟต์ ตึก ล็อค ล็อก กุญแจ คอนโด ล็อกเกอร์ สัญญาณกันขโมย หอพัก บัตร มือถือ
  ປະຕູ ຕູ້ເຊຟ ກະແຈ ດາກ ទ្វារ ទូដែក សោ របង តំខ តំខ័ណ្ឌ တံခါး သော့ မီးခံသေတ္တာ ဂိတ် སྒོ
  cửa cổng két$ két_sắt tòa_nhà chung_cư thang_máy khóa_cửa khoá tủ thẻ báo_động pintu gerbang pagar brankas gembok loker lif peti_besi peti_keselamatan mangga kunci_pintu lawang korsi panto$
  pinto pultahan tarangkahan kandado tarangka kaha gate ganghaan ruangan rigwan
  mlango lango geti kufuli sefu kabati kengele mlangoni ƙofa kofa kulle ilẹ̀kùn ilekun ọnà ọ̀nà ụzọ ọnụ_ụzọ igodo albaab albaabka irrid balbala cufaa isango umnyango isicabha ucango igeyithi mamati lebati monyako gonhi khomo chitseko urugi umuryango oluggi varavarana lakile vavahady
  በር በሩ የበር መዝጊያ ማዕጾ ካዝና კარი კარის კარებ სადარბაზო სეიფ ჭიშკ საკეტ ლიფტ դուռ դռան դռնապ մուտք պահարան չհրկիզվող կողպ շքամուտք ավտոտնակ
  门锁 门禁 大门 房门 单元门 楼门 防盗门 保险箱 保险柜 保险 警报 报警器 车库 储物柜 电梯 锁屏 手机 银行卡 門 大閘 夾萬 閘 保險箱 保險櫃 警報 車庫 置物櫃 電梯 密碼鎖 密码锁
  ドア 玄関 オートロック 金庫 アラーム ロッカー 宅配ボックス キーボックス 鍵 南京錠 警備 シャッター 門扉 駐輪場 スマホ 携帯 カード 문$ 현관 공동현관 대문 금고 도어락 사물함 자물쇠 경보 차고 출입문 주차장 카드 폰$
  desbloque entsperr déverrouill sblocc ontgrendel lås_opp lås_upp odblok odemk odomk разблок розблок відімк desarm disarm disinser désactiv deaktivier entschärf desativ unscharf blokad telef telefon phone$ fone$ smartphone тел_ телефон हैंडसेट फ़ोन ফোন โทรศัพท์ điện_thoại simu ponsel hp$
  schuppen gartenhaus schuur$ skur sykkelskur skjul$ uthus cabanon remise$ caseta cobertizo galpón barracão capanno vaja$ szop kůlna kôlňa fészer magazie сарай дача сарая depo$ kulübe
  keller fahrrad koffer kelder berging cave$ trastero maleta valise valigia cantina mala$ källar förråd väska koffert kjeller kælder kuffert kellari matkalauk piwnic komórk walizk pince bőrönd kufr sklep$ kovček valiz bavul bodrum чемодан підвал подвал валіз мазе куфар βαλίτσ υπόγει حقيبة شنطة چمدان מזוודה सूटकेस koper vali$ 行李箱 スーツケース 캐리어 가방
  intercom intercomunic אינטרקום אינטרקו انتركم آیفون इंटरकॉम อินเตอร์คอม сеф$ сефа сефот hyrje hyrjes hek$ gheata dhorais kartu$ карт
  pòt baryè pò$ porto pordo enirpordo fusha hale puka puka_hale faitotoʻa faitotoa matapā kūaha tatau whare`);

/** What confirms who one is, and for which codes are sent. */
export const CHECK_STEMS = stems(`
  verif vérif 2fa two-factor one-time one_time otp weryfik authori autori autoryz authentif authentic autentif autentic autentik bestätig confirm conferm potwierd potvrd potvrz ověř overov подтвержд підтвердж
  потвърд провер doğrula onay tek_kullanım einmal usage_unique uso_únic monouso engang engång kerta jednoraz jednokratn одноразов разов_ 認証 確認
  ワンタイム 验证 驗證 动态 認證 인증 확인 일회용 التحقق التأكيد لمرة_واحدة تأیید تایید یکبار אימות חד_פעמי xác_nhận xác_minh xác_thực ยืนยัน ellenőrz megerősít
  hitelesít bekreft bekræft bekräft vahvist patvirtin apstiprin kinnit επιβεβαί επαλήθευσ μίας_χρήσης सत्यापन যাচাই uthibitish autentica
  egyszer_használ vienreiz vienkartin ühekord tvirtinim verifik birdəfəlik təsdiq tasdiq bir_martalik bir_gezek tassyk растау бір_рет бир_жол ырастоо якдафъа тасдиқ баталгаа нэг_удаа
  pejirand piştrast دڵنیاکردنەوە دەلىللەش تصدیق یک_بار_مصرف د_تایید प्रमाणीकरण सत्यापित पडताळणी প্রমাণী সত্যাপন ਪੁਸ਼ਟੀ ਤਸਦੀਕ ચકાસણી ପ୍ରମାଣୀ சரிபார் ஒருமுறை ధృవీకర ధృవీకరణ ಪರಿಶೀಲ സ്ഥിരീകര පරීක්ෂ එක්වරක් තහවුරු
  ຢືນຢັນ ផ្ទៀងផ្ទាត់ បញ្ជាក់ အတည်ပြု დადასტურ ერთჯერად հաստատ մեկանգամյա የማረጋገጫ መረጋገጺ verifikasi konfirmasi pengesahan pagpapatunay beripik xaqiij mirkaneess tabbatar tabbaci ìfìdímúlẹ̀ nkwenye qinisekis netefatš fanamarin
  deimhn dilysu dearbh egiazt konferm verifica_kod kwa_uthibitisho aktivier aktywac aktivac активац active_kod`);

/** How a code comes, how long it is valid, and who must not know it. */
export const SENT_STEMS = stems(`
  weitersag weitergeb weitererz verrat verrate à_personne le_dis_pas digas cuentes compartas contes conta_pra conte_para dirlo dire_a_nessuno doorvertel doorgeven niet_delen säg_inte si_det_ikke ikke_si sig_det_ikke älä_kerro ne_mond ne_add nie_mów nie_podawaj neříkej nikomu nehovor spune_nim nu_spune никому не_говори не_кажи нікому nikome ne_govori не_казвай μην_πεις μην_το_πεις kimseye heç_kim hech_kim ешкім эч_ким لا_تخبر لا_تشارك ما_تقول به_کسی نگو کسی_کو אל_תגל אל_תספר किसी_को कुणाला কাউকে ਕਿਸੇ_ਨੂੰ કોઈને யாரிடமும் ఎవరికీ ಯಾರಿಗೂ ആരോടും කාටවත් อย่าบอก ຢ່າບອກ đừng_nói jangan_bilang jangan_sebar jangan_kasih wag_mo usimwambie 别告诉 別告訴 不要告诉 勿泄 教えない 内緒 알려주지 말하지 말아
  הזמני בתוקף temporär temporaire temporal sms sms-es expir ekspir eskir ablauf abgelaufen scad caduc vence verfall kedaluwarsa vervalt löper_ut utløp сообща диктую повідомля делит nadie niemand nessuno ninguém personne aplikasi login logowani nagla-login banca banco bank$ банк дійсн действ`);

/** Gives digits to a lock: to press, type, dial or turn them; to open and to disarm. Words to be right beside the digits. */
export const TYPE_STEMS = stems(`
  nastav stell$ ustaw ställ$ stil$ zet$ mets$ regola ajusta marcá$ marcar poné$ pon$ metti tecleá$
  press$ type$ dial$ enter$ punch$ punch_in key_in drück tippe tipp$ gib$ eingeb wähl druk$ toets$ typ$ tryck$ slå$ knappa tast$ trykk$ trykk_inn indtast paina näppäile vajuta spied nospied spausk surink
  naciśnij wciśnij wpisz wybierz zmáčkn zadej stlač zadaj nyomd üsd beüt tárcsáz apas tasteaz formeaz pritisn ukucaj utipkaj unesi vtipkaj нажми набери набира введи наберіть натисни тисни введіть натиснете набер притисни укуцај унеси набяры націсні
  πάτα πατήστε πάτησε πληκτρολ pulsa$ pulse$ marca$ marque$ teclea digita digite aperta tecla premi compon tape$ tapez tapes compose fais_le prem$ marca polsa sakatu markatu brúigh clóscríobh gwasg pwyswch
  shtyp tasto basın bas$ tuşla çevir gir$ girin yığ bos$ bosing tering тер теріңіз басыңыз терип дараа дарж дарна اضغط كبس اكبس ادخل أدخل دوس بزن بزنید فشار وارد_کن دبائیں دباؤ ملاؤ لگاؤ תקיש תקישי הקש הקישו לחץ תלחץ הקלד
  दबा डाल टाइप दाब টিপ চাপ চাপুন দিন ਦਬਾ ਪਾਓ દબાવ நாட்டு அழுத்து தட்டு నొక్క ಒತ್ತ അമർത്ത ඔබන් กด ກົດ ចុច နှိပ် bấm nhấn gõ tekan$ pencet ketik$ masukkan$ pindot pindutin bonyeza danna tẹ pịa riix tuqi cinezela cofa tobetsa dzvanya kanda$ tsindrio
  ጫን ተጫን აკრიფე დააჭირე სეղմ սեղմ հավաք 按 输入 輸入 押し 押して 入力 누르 눌러 입력 peze premu pese kaomi`);
/** The same, and a word for "with" before digits. */
/** "With" behind digits, and the rest of a verb for typing. */
export const WITH_BEHIND =
  /^(?:で|로|으로|[ ]?(?:ile|ilə|bilan|менен|арқылы|se|से|দিয়ে|ਨਾਲ|થી|కి|తో|ein|eingeben|tippen|drücken|intoetsen|lagao|daal|dabao)(?![\p{L}\p{M}]))/iu;
export const WITH =
  'mit|avec|con|com|med|met|amb|cu|z|ze|s|se|so|sa|с|со|az|ar|le|kuba|voor|na|ile|amb|dengan|bằng|kwa|με|ב|ب|با|से';

/** Numbers of other kinds: of errors, orders, tickets, products, post, telephones, pages, counts of things. */
export const OTHER_STEMS = stems(`
  ramal 分机 分機 内线 內線 내선 durchwahl nebenstelle poste$ ref$ réf$ naf$ ape$ banque आइटम 商品 售价 售價 пријав ürün شکایت অভিযোগ 접수 문의 주문 예약 feilkode εκπτωτικ ห้อง error$ errors$ status$ exit$ http response$ qr$ barcode zip$ postal post_code postcode country_code area_code order ticket issue invoice build version revision commit serial article product model$ port$ line$ page$ room$ case$ request reference customer$ member$ account_n sort_code discount promo coupon voucher gift tracking flight$ bug$ id$ pid$ plz$ tel$ phone_n extension
  fehler postleit bestell vorgang auftrag rechnung kundennummer artikel seriennummer seite$ zeile$ aktenzeichen rabatt gutschein raum$ zimmer sendung vertrag melding foutcode bestelling factuur klant artikelnummer regel$ korting kamer$ zending zaak$ dossier
  fel$ felkod ärende faktura kund sida$ rad$ feilkode feil$ fejl sak$ sag$ bestilling ordre kunde varenummer side$ linje vare virhe tilaus lasku asiakas tuote sivu rivi alennus tiketti postinumero vikakood virhekood
  viga veakood tellimus arve tootekood pilet klaida užsakym sąskait prekės užklaus puslap kļūd pasūtīj rēķin pieteikum preces
  błęd zamówien zgłoszen faktur klient produkt towar strona$ wiersz paczk rabat pocztow przesył chyb objednáv zákazn výrob stránk řádek požadav úloh slev psč poukaz balík objednávk zľav
  hiba rendelés számlasz termék cikksz oldal sor$ irányító sorszám hibajegy ügyfél kupon kedvezmény eroare comand factur produs pagin tichet client reducere poștal
  grešk artikl narudžb račun proizvod stranic zahtjev zahtev poštansk poštn popust pošilj napak naročil izdelk broj_telefona
  ошиб заказ товар заявк счёт счет_ тикет артикул артикл индекс город страниц строк накладн промокод скидк купон трек посылк задач помилк замовлен запит рахун сторінк індекс знижк памылк зварот
  грешк поръчк продукт стока заявка фактура пощенск отстъпк барање нарачк производ
  σφάλμα σφάλματος παραγγελ προϊόντος τιμολόγ σελίδ αίτημα ταχυδρομ έκπτωσ πελάτη αποστολ αριθμός_πρωτ
  pedido artículo artic factura producto página línea_ incidenc cliente descuento cupón envío expediente trámite encomenda fatura produto chamado desconto cupom linha processo rastreio cep$
  erreur commande facture produit article$ ligne$ réduction promo$ colis référence siret ordine fattura prodotto articolo pagina riga$ pratica sconto fiscale spedizion buono cliente$ cap$
  errada comanda producte descompte errakats errore eskaera produktu earráid ordú gwall archeb gabim porosi żball
  hata sipariş ürün müşteri talep sayfa satır posta kargo indirim kampanya plaka vergi xəta sifariş məhsul sorğu səhifə endirim xato buyurtma mahsulot ariza sahifa chegirma қате тапсырыс тауар өтінім ката буйрутма хато фармоиш дархост мол алдаа захиалга бараа хүсэлт
  خطأ الخطأ طلب الطلب منتج المنتج فاتورة التذكرة تذكرة الصفحة صفحة السطر العميل البريد بريدي خصم الشحنة الدولة خطای خطا سفارش کالا محصول فاکتور درخواست صفحه خط_ مشتری پستی تخفیف مرسوله غلطی آرڈر ٹکٹ صفحہ سطر رعایت ڈاک هەڵە داواکاری
  שגיא הזמנ מוצר חשבונית פנייה דף$ עמוד שורה לקוח מיקוד הנחה משלוח קופון
  त्रुटि गलती एरर ऑर्डर आदेश टिकट बिल पृष्ठ ग्राहक डाक उत्पाद छूट कूपन चूक मागणी तक्रार তুটি ত্রুটি অর্ডার টিকিট বিল পণ্য পৃষ্ঠা ছাড় গ্রাহক ডাক ভুল ਗਲਤੀ ਆਰਡਰ ਟਿਕਟ ભૂલ ઓર્ડર ટિકિટ ତ୍ରୁଟି ଅର୍ଡର
  பிழை ஆர்டர் கோரிக்கை தயாரிப்பு பக்க தள்ளுபடி அஞ்சல் లోపం ఆర్డర్ టికెట్ ಉತ್ಪನ್ನ ದೋಷ ಆರ್ಡರ್ ಟಿಕೆಟ್ പിശക് ഓർഡർ ടിക്കറ്റ് දෝෂ ඇණවුම ටිකට්
  ข้อผิดพลาด สินค้า ไปรษณีย์ คำขอ สั่งซื้อ ใบเสร็จ ลูกค้า พัสดุ ส่วนลด หน้า ຄຳຮ້ອງ ສິນຄ້າ ໄປສະນີ ຜິດພາດ ສັ່ງຊື້ កំហុស ប្រៃសណីយ៍ ផលិតផល សំបុត្រ បញ្ជាទិញ အမှား လက်မှတ် အော်ဒါ ပစ္စည်း
  lỗi đơn_hàng bưu_chính sản_phẩm yêu_cầu hóa_đơn khách_hàng trang$ giảm_giá vận_đơn galat kesalahan pesanan produk halaman$ pelanggan pos$ diskon resi$ tiket ralat poskod barang invois mali_ order_ resibo produkto pahina
  kosa hitilafu oda_ agizo bidhaa tiketi ukurasa ombi kuskure oda àṣìṣe tíkẹ́ẹ̀tì njehie khalad dogoggora tikidhka hadisoana phoso iphutha ስህተት ትኬት ትእዛዝ შეცდომ შეკვეთ მოთხოვნ პროდუქტ սխալ պատվեր հայտ ապրանք
  错误 邮编 邮政 工单 订单 商品 产品 发票 单号 页 行 客户 编号 优惠 折扣 快递 取件 错 電話 电话 錯誤 郵遞 訂單 案件 產品 發票 單號 統編 エラー 郵便 注文 チケット 製品 請求 問い合わせ 追跡 ページ 行目 お客様番号 会員番号 部屋番号 型番 電話番号 오류 우편 주문 티켓 상품 제품 송장 쪽 페이지 줄 고객 전화 할인 쿠폰 운송장 방
  eraro mendo peto bileto demann erè lòd`);

/** What is counted, paid and measured, right behind digits. */
export const COUNTED =
  /^[ \u00a0]?(?:[€$£¥₽₹₪₫₩₴₦฿%‰°]|(?:euros?|eur|usd|dollars?|dólares|pesos?|reais|francs?|chf|kr(?:on\p{L}*)?\b|sek|nok|dkk|zł|złot|kč|korun|ft\b|forint|lei\b|leva|лв|ден|дин|kuna|руб|грн|гривен|тенге|сом|сум|манат|tl\b|lira|türk lirası|rupees?|rs\b|रुपय|रुपये|टका|টাকা|ਰੁਪਏ|રૂપિ|ரூபாய்|రూపాయ|ರೂಪಾಯಿ|രൂപ|රුපියල්|บาท|ກີບ|រៀល|ကျပ်|đồng|vnd|rupiah|ribu|ringgit|piso|shilling|naira|ريال|دينار|درهم|جنيه|ليرة|دولار|تومان|ریال|روپے|افغانی|שקל|ש["״]ח|円|元|块|원|birr|ብር|ლარი|դրամ)|(?:chars?|characters?|minut|minuut|min\b|sekund|second|segundo|stund|hour|heure|horas?|ore\b|timer?\b|tage?\b|days?|jours?|días?|dias?|giorni|dagar|dager|dage|dní|dni|nap\b|mal\b|times|fois|veces|vezes|volte|people|person|leute|gäste|users?|benutzer|utilis|usuari|utent|files?|rows?|lines?|zeilen|wierszy|regels|lignes|l[ií]neas|righe|linhas|rader|sorok|řádk|satır|строк|рядк|baris|dòng|zeichen|znak|caract|carat|karakt|tecken|tegn|merk|знак|симв|минут|секунд|час|дней|днів|раз\b|человек|пользоват|километр|metr|meter|км|km\b|kg\b|mm\b|cm\b|m²|ml\b|mb\b|gb\b|kwh?|watt|volt|stk|stück|st\b|szt|ks\b|db\b|шт|pieces?|pcs|copies|kopi|votes|views|points?|punkt|pkt)|(?:دقيق|ثان|ساع|يوم|أحرف|حرف|دقیقه|ثانیه|ساعت|روز|منٹ|گھنٹ|דקות|שניות|שעות|ימים|תווים|मिनट|घंट|दिन|अक्षर|মিনিট|দিন|นาที|ชั่วโมง|วัน|ตัวอักษร|phút|giây|ngày|ký tự|menit|jam\b|hari\b|minit|saat\b|dakika|gün\b|karakter|siku|dakika|分钟|分鐘|秒|小时|天|位|次|个|個|人|年|月|日|号楼|分|時間|回|文字|件|名|台|분|초|시간|일\b|자리|자\b|명|번째|개|건|년|월))/iu;

/** Money right before digits. */
export const PAID =
  /(?:[€$£¥₽₹₪₫₩₴₦฿#№]|\b(?:eur|usd|rs\.?|rm|rp\.?|kr|nr\.?|no\.|n[º°]|zł|chf|r\$|tk\.?|php|kes|ksh|tsh|ugx))[ \u00a0]?$/iu;

/** India calls post codes PINs, in its own languages as well. */
export const INDIAN_POST_CODE =
  /(?:पिन|পিন|ਪਿੰਨ|પિન|பின்|పిన్|ಪಿನ್|പിൻ|ପିନ)[ -]?[\p{L}\p{M}]{2,6}[^\p{L}\p{M}\p{N}]{1,4}[1-8]\d{5}(?!\d)/u;

/** Contacts of boards, and post codes: India calls them PINs. */
export const BOARD = /gpio|arduino|esp32|raspberry|solder|wiring|jumper|breadboard|pinout|header pin|\badc\b|\bpwm\b/iu;
export const POSTAL =
  /[Dd]eliver|[Dd]ispatch|[Aa]ddress|[Pp]ostal|[Ss]hip(?:ped|ping)? to|[Cc]ourier|डाक|पोस्ट|ডাক|தபால்|అంచె|പോസ്റ്റ്|\b[Rr]oad\b|[Ss]treet|nagar\b|\bIndia\b|[Dd]istrict|\p{Lu}\p{L}{2,20},? \p{Lu}\p{L}{2,20}, (?:\p{Lu}\p{L}{2,20})?[ ]?[-–]?[ ]?(?:PIN|Pin)/u;
