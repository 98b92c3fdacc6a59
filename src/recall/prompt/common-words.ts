import { tokenize } from '../index/tokens.ts';

// Words that people say to an agent whatever they work on: talk, coding in general, quantities. A match of these says
// nothing about the topic of a record, however rare they are in a store.
// biome-ignore format: word lists read best as running text.
const ENGLISH =
  'able above absolutely actual actually add advice again ago agree ahead alright already also although always another answer ' +
  'anybody anymore anyone anything anyway appear appreciate approach approve ask assume away awesome back bad basic basically become ' +
  'begin behave behavior behaviour believe best better big bit blank body both bottom break bring bug build button call cannot care ' +
  'case cause certain change check choose claim clean clear close code come command comment commit common compare complain complete ' +
  'concern confirm consider continue convert cool copy correct cost could couple course create current currently customer daily ' +
  'date day decide deep default define delete depend describe design detail develop diff different difference directly disable ' +
  'discuss doc document documentation done doubt draft draw drop earlier early easy edit either else empty enable end enough ensure ' +
  'entire error especially even ever every everybody everyone everything everywhere exact exactly example excellent except exist expect ' +
  'explain extra fact fail failure fair fall false far fast feature feel few figure file fill final finally find fine finish first fix ' +
  'follow following force forget form former found free fresh full fully function further future general generate get give glad go ' +
  'goes going gone good google got great green guess guy hand handle happen happy hard hate head hear hello help here hey hi high hint hit hold home ' +
  'hope hour huge idea ignore image imagine implement implementation important impossible improve include indeed info information ' +
  'inside instead interest issue item job join keep kind know lack large last late later latest leave left less let level lgtm like ' +
  'likely line link list little live load local log long longer look lose lot love low machine main maintain make manage many mark ' +
  'matter maybe mean meanwhile mention merge message method might mind mine minimal minor minute miss mode model modify moment month ' +
  'morning move much multiple must name need never new next nice night nope nobody none normal note nothing notice number obvious ' +
  'obviously odd offer often okay old one ones open option original other otherwise output outside page part particular party pass ' +
  'past path pattern people per perfect perfectly perhaps person pick place plain plan please plus point possible post potential ' +
  'prefer prepare present pretty prevent previous probably problem proceed process product program project prompt proper properly ' +
  'propose provide pull purpose push put quick quickly quite random rather reach read ready real really reason recent red refactor ' +
  'regular relate release relevant remain remember remove rename reorder repeat replace reply report request require respond response ' +
  'rest restart result return revert review rewrite right root run safe said sample save say screen script search second section see ' +
  'seem self send sense separate server service session set setting several share short should show side sign similar simple simplify ' +
  'simply since single size skip slow small solution solve somebody somehow someone something sometime sometimes somewhere soon sorry sort ' +
  'sound source special specific specify split stage stand standard start state statement stay step still stop stuff style suggest ' +
  'summarise summarize summary support suppose sure switch table take talk target task team tell term test text thank thanks the ' +
  'thing think third though thought three thumb till time title today together told tomorrow tonight too tool top topic total ' +
  'totally touch toward track tried trouble true trust try turn twice two type typo understand undo unit unless until update upgrade ' +
  'usage use used useful user usual usually valid value variable variant verify version via view visit wait walk want warn warning ' +
  'watch way week well were whatever whenever wherever whether whole win wish without wonder word work working world worry worse worth ' +
  'wow write wrong yeah year yep yes yesterday yet zero ' +
  'app apply area array assign base box branch class component config configuration content context customers data display entry ' +
  'environment field folder format group guide id import index input instance key label language layer library logic map menu module ' +
  'object operation order package param parameter parse pr print property query record reference repo repository requirement resource ' +
  'row rule scope sentence setup single space spec start string structure syntax system tab tag template theme track unit user var ' +
  'website widget window color colour bigger smaller larger longer shorter four five six seven eight nine ten hundred thousand';
// biome-ignore format: word lists read best as running text.
const GERMAN =
  'ab aber alle allem allen alles als also am an andere anderen anders auch auf aus bei beide bestimmt besser bin bis bist bitte bleib ' +
  'brauche da dabei dafur dagegen damit danach danke dann dann daran darauf darf darum das dass davon dazu dein deine dem den denn der ' +
  'deren des deshalb die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einfach einmal ' +
  'er erst es etwas euch fang fange fertig fur ganz geh gehen geht genau genauso gerade gern gib gibt gleich gut gute guten habe haben ' +
  'halt hat hatte hier hin hinzu ich ihm ihn ihr ihre im immer in ins ist ja jede jeden jeder jedes jetzt kann kannst kein keine klar ' +
  'klasse klingt kommt konnen konntest lass lauf leider lies los lose mach machen machst macht mal man mehr mein meine mich mir mit moglich ' +
  'muss musst nach nachste nachsten nein neu neue nicht nichts nie noch nochmal nun nur ob oder ohne okay passt perfekt prima prufe ' +
  'prufen schau schon schreib schreibe schritt sehr sei sein seine sich sicher sie sieht sind so sofort soll sollen sollte sonst starte ' +
  'stell stimmt such super teste tests tu tun ubrigens um und uns unser unsere unter versuch versuche viel vielleicht vom von vor ' +
  'wann war waren warte warten warum was weg weil weiter weitere weitermachen welche welcher welches wenn wer werde werden wie wieder ' +
  'wieso will willst wir wird wirklich wo wollen wollte wurde wurden zeig zeige zu zuerst zum zur zuruck zusammen zwei zweite fehler datei ' +
  'dateien andere andern funktioniert ergebnis frage antwort erklare erklar problem beispiel bauen gebaut lauft repariere behebe';

// Words that every repository uses: in at least 3 of 1,000 commits in four of five open-source projects. A match of
// these says a little, but is never enough alone.
// biome-ignore format: word lists read best as running text.
const TRADE =
  'accept access action added address affect allow api argument assert async auth avoid broken bump cache catch chore ci clarify com ' +
  'compatibility condition configure consistent contain core dependency deprecate description detect dev directory doesn\'t isn\'t duplicate env ' +
  'eslint execute exit explicit export expose extend feat flag git github github.com given hook hub http https incorrect init install ' +
  'internal introduce invalid js json limit lint map match md metadata migrate node npm org override package.json plugin pre prefix ' +
  'private readme reduce resolve schema src status strict throw token trailing ts typescript undefined unnecessary unused url using ' +
  'validate workflow www eg ie etc';

/**
 * The tokens of a list of words. Words are tokenized only when a token with the same first two letters is looked up:
 * tokenizing all of them takes longer than a prompt.
 */
function wordList(words: string): { has(token: string): boolean } {
  const text = ` ${words} `;
  const byStart = new Map<string, ReadonlySet<string>>();
  return {
    has(token) {
      if (token === '') return false;
      const start = token.slice(0, 2);
      const tokens = byStart.get(start) ?? new Set(tokenize(wordsFrom(text, start)));
      byStart.set(start, tokens);
      return tokens.has(token);
    },
  };
}

function wordsFrom(text: string, start: string): string {
  let words = '';
  for (let at = text.indexOf(` ${start}`); at >= 0; ) {
    const end = text.indexOf(' ', at + 1);
    words += text.slice(at, end);
    at = text.indexOf(` ${start}`, end);
  }
  return words;
}

/** The tokens that say nothing about a topic, as the index spells them. */
export const COMMON_WORDS = wordList(`${ENGLISH} ${GERMAN}`);

/** The tokens that say little about a topic, because work on any code is full of them. */
export const TRADE_WORDS = wordList(TRADE);
