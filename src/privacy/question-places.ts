import { isProse } from './phrases.ts';
import type { Place } from './places.ts';
import { isCode, isMask } from './secret-values.ts';
import { hintsOf, stems } from './secret-words.ts';

/** "Security question" in many languages: `_` stands for a space, a mark or nothing. */
const QUESTIONS = stems(`
  security_question secret_question recovery_question challenge_question sicherheitsfrage geheimfrage question_secrète question_de_sécurité
  pregunta_secreta pregunta_de_seguridad pregunta_de_seguretat pregunta_de_seguranza domanda_segreta domanda_di_sicurezza pergunta_secreta pergunta_de_segurança segurtasun-galdera
  секретный_вопрос контрольный_вопрос контрольне_запитання секретне_запитання таємне_запитання контрольне_питання секретне_питання кантрольнае_пытанне таен_въпрос въпрос_за_сигурност безбедносно_прашање
  sigurnosno_pitanje bezbednosno_pitanje tajno_pitanje безбедносно_питање тајно_питање varnostno_vprašanje bezpečnostní_otázka kontrolní_otázka tajná_otázka bezpečnostná_otázka kontrolná_otázka
  pytanie_pomocnicze pytanie_bezpieczeństwa pytanie_zabezpieczające pytanie_kontrolne pytanie_do_konta saugos_klausimas slaptas_klausimas drošības_jautājums slepenais_jautājums turvaküsimus salaküsimus
  turvakysymys säkerhetsfråga hemlig_fråga kontrollfråga sikkerhetsspørsmål hemmelig_spørsmål sikkerhedsspørgsmål hemmeligt_spørgsmål öryggisspurning trygdarspurning beveiligingsvraag geheime_vraag controlevraag veiligheidsvraag sekuriteitsvraag
  biztonsági_kérdés titkos_kérdés întrebare_de_securitate întrebare_secretă întrebarea_de_securitate pyetja_e_sigurisë pyetje_sigurie ερώτηση_ασφαλείας μυστική_ερώτηση güvenlik_sorusu gizli_soru təhlükəsizlik_sualı gizli_sual xavfsizlik_savoli maxfiy_savol howpsuzlyk_soragy
  қауіпсіздік_сұрағы құпия_сұрақ коопсуздук_суроо жашыруун_суроо аюулгүй_байдлын_асуулт нууц_асуулт саволи_махфӣ саволи_амният უსაფრთხოების_კითხვა უსაფრთხოების_შეკითხვა საიდუმლო_კითხვა საკონტროლო_კითხვა անվտանգության_հարց գաղտնի_հարց
  سؤال_الأمان سؤال_الامان السؤال_السري سؤال_سري سؤال_أمني سوال_امنیتی پرسش_امنیتی حفاظتی_سوال سیکیورٹی_سوال خفیہ_سوال امنیتي_پوښتنه حفاظتي_سوال پرسیاری_ئاسایش بىخەتەرلىك_سوئالى שאלת_אבטחה שאלת_ביטחון שאלת_זיהוי
  सुरक्षा_प्रश्न सुरक्षा_सवाल सुरक्षा_प्रश्नः নিরাপত্তা_প্রশ্ন সুৰক্ষা_প্ৰশ্ন সিকিউরিটি_প্রশ্ন સુરક્ષા_પ્રશ્ન સલામતી_પ્રશ્ન ਸੁਰੱਖਿਆ_ਸਵਾਲ ସୁରକ୍ଷା_ପ୍ରଶ୍ନ பாதுகாப்பு_கேள்வி பாதுகாப்புக்_கேள்வி ரகசிய_கேள்வி భద్రతా_ప్రశ్న ಭದ್ರತಾ_ಪ್ರಶ್ನೆ സുരക്ഷാ_ചോദ്യം ආරක්ෂක_ප්‍රශ්නය ආරක්ෂණ_ප්‍රශ්නය
  คำถามรักษาความปลอดภัย คำถามความปลอดภัย คำถามเพื่อความปลอดภัย คำถามลับ คำถามกันลืม ຄຳຖາມຄວາມປອດໄພ ຄຳຖາມລັບ សំណួរសុវត្ថិភាព សំណួរសម្ងាត់ လုံခြုံရေးမေးခွန်း လျှို့ဝှက်မေးခွန်း
  câu_hỏi_bảo_mật câu_hỏi_bí_mật cau_hoi_bao_mat pertanyaan_keamanan pertanyaan_rahasia soalan_keselamatan soalan_rahsia tanong_panseguridad tanong_sa_seguridad swali_la_usalama swali_la_siri umbuzo_wokuphepha tambayar_tsaro su'aasha_amniga የደህንነት_ጥያቄ fanontaniana_fiarovana
  cwestiwn_diogelwch ceist_slándála ceist_tèarainteachd mistoqsija_tas-sigurtà sekureca_demando sekretne_pytanie
  密保问题 密保問題 安全问题 安全問題 安全提示问题 密码提示问题 密碼提示問題 秘密の質問 セキュリティの質問 秘密の合言葉 본인확인_질문 보안_질문 비밀번호_찾기_질문 비밀번호_힌트_질문`);
const ANSWERS = stems(`
  answer antwort réponse respuesta resposta risposta răspuns erantzun ответ відповідь адказ отговор одговор odgovor odpověď odpoveď odpowied atsakym atbild vastus vastaus svar antwoord antwurd válasz përgjigj απάντηση
  cevap yanıt cavab javob jogap жауап жооп хариулт ҷавоб პასუხ պատասխան الجواب الإجابة الاجابة إجابة جواب پاسخ ځواب وەڵام جاۋاب תשובה उत्तर जवाब উত্তর জবাব জওয়াব উত্তৰ જવાબ ਜਵਾਬ ਉੱਤਰ ଉତ୍ତର பதில் விடை సమాధానం జవాబు ಉತ್ತರ ഉത്തരം පිළිතුර
  คำตอบ ຄຳຕອບ ចម្លើយ အဖြေ trả_lời đáp_án tra_loi jawaban jawapan sagot jibu impendulo amsa jawaab መልስ valiny ateb freagra freagairt tweġiba respondo wotegroł 答案 回答 答え 答 답변 답`);

const anyOf = (words: readonly string[]) => words.map((word) => word.replaceAll('_', "[ _'’-]{0,2}")).join('|');
/** What is said about an answer instead. */
const SAID =
  /^(?:(?:is )?(?:required|optional|wrong|incorrect|correct|invalid|missing|empty|none|unknown|hidden)|falsch|richtig|fehlt|erforderlich|obligatoire|incorrecte?|obligatori[oa]|incorrect[oa]|correct[oa]|errat[oa]|neplatn\p{L}*|nieprawidłow\p{L}*|wymagan\p{L}*|невер\p{L}*|неправ\p{L}*|обязат\p{L}*|zorunlu|yanlış|غير \p{L}+|错误|錯誤|必填|必須|필수|오류)[.!]?$/iu;

/** Answers to the questions that give back an account: any name or word. */
export const QUESTION_PLACES: readonly Place[] = [
  {
    kind: 'password',
    source: 'accounts: the answer to a security question',
    example: 'Security question: first pet\nAnswer: {password}',
    hints: hintsOf(QUESTIONS),
    pattern: new RegExp(
      `(?:${anyOf(QUESTIONS)})[^\\n]{0,160}?(?:\\n[^\\n]{0,20}?)?(?<!\\p{Script=Latin})(?:${anyOf(ANSWERS)})[^\\n:=：]{0,40}?(?:[:=：]|[ ](?:is|ist|est|es|è|é|är|jest)(?=[ ]))[ \\t]{0,4}["'«„“「]?([^\\s"'»“”|][^\\n"'»“”|」]{1,60})`,
      'giu',
    ),
    accepts: (value) => {
      const answer = value.trim();
      return (
        (answer.length > 3 || /[^\x00-\x7f]{2}/u.test(answer)) &&
        !(answer.length > 7 && isMask(answer)) &&
        !isCode(answer) &&
        !isProse(answer) &&
        !SAID.test(answer) &&
        !/[<>{}[\]…]|\*{2}|_{2}/u.test(answer)
      );
    },
  },
  {
    kind: 'password',
    source: 'accounts: an answer to a question of the usual ones, on the telephone or in a form',
    example: "For verification, what was your mother's maiden name?\nCaller: {password}",
    hints: [
      'maiden name',
      'first pet',
      'first school',
      'first car',
      'childhood',
      'favourite teacher',
      'favorite teacher',
    ],
    pattern:
      /(?:verif|security|identity|identif|confirm)[^\n]{0,60}(?:maiden name|first (?:pet|school|car)|childhood (?:friend|nickname|street)|favou?rite teacher)[^\n]{0,20}\?\n(?!agent)\p{L}{2,12}:[ ](?:(?:it was|that was|it's|that's|um|uh),? ){0,2}(\p{Lu}[^\n]{2,40}?)(?=[.,]?[ \t]{0,8}(?:\n|$))/giu,
    accepts: (value) =>
      !isProse(value.toLowerCase()) && !/^(?:sorry|what|pardon|yes|no|hello|sure|okay)\b/iu.test(value),
  },
];
