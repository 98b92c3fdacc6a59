import { matchesOf } from './findings.ts';

/** Tells sentences of other languages from English ones by the small words without which no sentence does. */

/** English words that hardly another language has. */
const ENGLISH =
  /(?<![\p{L}\p{N}'’_-])(?:the|this|that|with|and|your|you|have|not|will|when|from|should|which|it[’']s|don[’']t|please|what|because|would|must|cannot|their|they|there|been|after|before|only|use|enter)(?![\p{L}\p{N}_-])/giu;
/** Letters of ASCII only: small words of other languages, and of those that people write in Latin letters. */
const ABROAD = new RegExp(
  `(?<![\\p{L}\\p{N}'’_./-])(?:${`
  ich du der das ist und nicht nit auch noch jetzt mein mach dat wi nu mit dem den kein hab hat
  het een niet ook mijn voor naar van zijn jouw geen maar
  och det att inte som jeg ikke og til fra ditt deg min ja nei eg ikkje seg
  le les des une est pas pour dans sur avec chez vous nous mon ton mais c'est j'ai du au tu te
  el los las una para con por pero mi su ya che es no lo del al que
  o os um uma para com por mas meu minha tb pra da do na eu voce
  il lo gli della di che non per con mio adesso sono ho hai
  pe nu din sau pentru la este am ai sunt
  en els amb dels pel m'he
  non nun a' dau lu lo degun
  jest nie sie na do od za bo ale czy moje juz
  je se ale mi uz si ho na pro pre som sme
  sam smo nije za od evo pa taraba ili ali moja ovo
  ir yra ne bet mano ar un nav bet tas ja
  on ei ole se ja mut no oli niin mun siis ma see sa ning
  az ez nem es van egy hogy meg
  nje dhe ne te i per jo eshte
  sizga siz uni bilan uchun kelgan sizin senin seni men sen biz ol bol
  bir ve bu icin ne da de bana sana var yok oldi bilan uchun va emas ham
  hai ka ki ko kya bhai mera apna nahi hain se mein aur kar
  er ami tumi kore den na eta amar apnar vai
  da machan eka oya mama mage naa epa anna ra ki ku cheppaku eda aanu nte
  ho dai timi mero lai
  ya el 3am dyal howa bta3 fi la ma 7ta khoya
  salam ramze ina be kasi ast baraye
  privet ot nikomu ne eto moi
  re tou einai min to kai mou
  mn za ne na go
  barev chases e im aravis aris ra
  ibu bapak kita kamu anda ambil sama juga lagi
  yang di dan ini itu saya aku kamu gw lo udah sudah jangan ke dari untuk ya nya mas dah
  ang ng sa na ko mo ang ay po ba si yung ni mga kay ti nga iti unsa gani
  la ya ni wa kwa na za usi yako yangu manze
  ka ke le la mo wa o se e ya
  ngu yi lo nga yam yami yakho lami wami
  ny dia aza fa
  biko nke bu ya na
  ita ce kuma ka na
  yava ndachinja kuti uye ndi usa
  hin amma nama keessan kan jecha
  waa ha ka iyo
  ket dal
  bul bi mooy bu
  la yo te na ezali
  an na go agus ar is
  yn yw mae y i
  ha eo an ar
  eta da ez
  tau le o lou sa ni vua kua
  pe ha'e ani
  ama musuq
  e di ta no
  mwen nan sou li pa
  unu betg dar
  lea ale
  mi la de estas por
  est ad nemini
  mn lh
  anh em oi toi ban la cua va khong nha`
    .trim()
    .split(/\s+/u)
    .filter((word, index, all) => word.length > 1 && all.indexOf(word) === index)
    .join('|')})(?![\\p{L}\\p{N}'’_/-])`,
  'giu',
);
/** Words of English, and of code, among those. */
const BOTH = new Set(
  'no on as is an or so do go me to la le da de di in at be by if we us up am ha ho ya mi ma pa ta men per pro den dem mut sat most go te der'.split(
    ' ',
  ),
);
/** Small words of English that few other languages have: two of them outweigh one of another language. */
const WEAK =
  /(?<![\p{L}\p{N}'’_./-])(?:is|was|of|for|to|it|as|or|by|be|all|any|are|can|if|but|new|other|most|may|still|than|then|some|on|at|in|no|an|its|into|out|up|so)(?![\p{L}\p{N}'’_/-])/giu;

/** Creoles and dialects of English, with words of their own. */
const CREOLE =
  /(?<![\p{L}'’])(?:abeg|oga|wetin|dey|wahala|lah|liao|oredi|mek|yuh|dinnae|cannae|wisnae|tae|yer|bilong|olsem|yow)(?![\p{L}'’])/iu;

/** Tells whether a line has small words of English, and not many more of another language. */
export function isEnglish(line: string): boolean {
  const english = wordsOf(line, ENGLISH).length;
  return english > 0 && !CREOLE.test(line) && foreignWords(line) <= 2 * english + 1;
}

/** Tells whether a line is a sentence in another language: letters that English lacks, or small words of another one. */
export function isAbroad(line: string): boolean {
  if (CREOLE.test(line)) return true;
  if (isEnglish(line)) return false;
  if (/[^\x00-\x7f\p{P}\p{S}\p{Z}\p{N}]/u.test(line)) return true;
  const foreign = foreignWords(line);
  return foreign > 1 || (foreign === 1 && wordsOf(line, WEAK).length < 2);
}

function foreignWords(line: string): number {
  return wordsOf(line, ABROAD).filter((word) => !BOTH.has(word)).length;
}

function wordsOf(line: string, words: RegExp): string[] {
  return [...new Set(matchesOf(line, words).map(([word]) => word.toLowerCase()))];
}
