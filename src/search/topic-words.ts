import { tokenize, tokenizeWords } from '../index/tokens.ts';

/** One written word of a prompt that tells something about its topic. */
export interface TopicWord {
  whole: string;
  /** For an identifier such as `readFile`, the tokens of those parts that tell something too. */
  parts: string[];
}

/** The distinct words of a text that tell something about its topic, in their order. */
export function topicWords(text: string): TopicWord[] {
  const words = new Map<string, TopicWord>();
  for (const tokens of tokenizeWords(text)) {
    const whole = tokens.at(-1) ?? '';
    const parts = tokens.slice(0, -1).filter(isInformative);
    if (!words.has(whole) && (parts.length > 0 || isInformative(whole))) words.set(whole, { whole, parts });
  }
  return [...words.values()];
}

/** Words needed if only one names a topic: "send a mail to the customer" has enough, "merge hono" does not. */
const AROUND_ONE = 3;

/**
 * Tells whether a text names a topic at all: two words, an identifier, or one word among ordinary ones; and not only
 * words common in any repository.
 */
export function hasTopic(text: string): boolean {
  const words = topicWords(text);
  if (!words.some(({ whole, parts }) => [whole, ...parts].some(isParticular))) return false;
  return words.length > 1 || words.some(isIdentifier) || new Set(wordsInOrder(text)).size >= AROUND_ONE;
}

/** The words of a text in their order, each as its whole token. */
export function wordsInOrder(text: string): string[] {
  return tokenizeWords(text).flatMap((tokens) => tokens.at(-1) ?? []);
}

/**
 * An identifier counts as two words: it is made of them, and nobody writes one by chance. `readme.md` is not one,
 * because both of its words are common in any repository.
 */
export function isIdentifier({ whole, parts }: TopicWord): boolean {
  return parts.some(isParticular) && isParticular(whole);
}

/** Tells whether a token says anything about a topic. */
export function isInformative(token: string): boolean {
  return !COMMON_WORDS.has(token) && !/^(?:\d+|[a-z]|\p{Script=Han}|)$/u.test(token);
}

/** Tells whether a token is particular to few repositories. */
export function isParticular(token: string): boolean {
  return isInformative(token) && !TRADE_WORDS.has(token);
}

// Words that people say to an agent whatever they work on: talk, coding in general, quantities. A match of these says
// nothing about the topic of a record, however rare they are in a store.
// biome-ignore format: word lists read best as running text.
const ENGLISH =
  'able above absolutely across actual actually add advice again against ago agree ahead along already alright also although ' +
  'always among another answer anybody anymore anyone anything anyway appear appreciate approach approve area around ask assume ' +
  'away awesome back bad basic basically become begin behave behavior behaviour believe best better between beyond big bigger bit ' +
  'blank both bottom break bring can\'t cannot care case cause certain choose claim clean clear come common complain complete ' +
  'concern confirm consider continue cool correct cost could couldn\'t couple course current currently daily day decide deep ' +
  'depend describe despite detail didn\'t difference different directly discuss doesn\'t done doubt draw earlier early easy eight ' +
  'either else end enough ensure entire especially even ever every everybody everyone everything everywhere exact exactly ' +
  'excellent except exist explain extra fact fair fall false far fast feel few figure fill final finally find fine finish first ' +
  'five follow following forget form former found four free fresh full fully further future general get give glad go goes going ' +
  'gone good google got great green guess guy hand happen happy hard hasn\'t hate haven\'t head hear hello help here hey hi high ' +
  'hold home hope hour huge hundred idea imagine important impossible improve include indeed info information inside instead ' +
  'interest isn\'t issue keep kind know lack large larger last late later latest leave left less let level lgtm like likely ' +
  'little live long longer look lose lot love low main maintain make manage many matter maybe mean meanwhile mention might mind ' +
  'mine minimal minor minute miss moment month morning move much must need never new next nice night nine nobody none nope normal ' +
  'nothing notice obvious obviously odd offer often okay old one ones onto original other otherwise outside particular party pass ' +
  'past people per perfect perfectly perhaps person pick place plan please plus point possible post potential prefer prepare ' +
  'present pretty prevent previous probably problem proceed proper properly propose purpose put quick quickly quite random rather ' +
  'reach ready real really reason recent red regular relate relevant remain remember repeat reply right said say second see seem ' +
  'self sense seven several share short shorter should shouldn\'t show similar simple simplify simply since single six slow small ' +
  'smaller solution solve somebody somehow someone something sometime sometimes somewhere soon sorry sound special specific ' +
  'specify stand standard stay still stuff suggest suppose sure take talk target task team tell ten term thank thanks the thing ' +
  'think third though thought thousand three thumb till time title today together told tomorrow tonight too top topic total ' +
  'totally touch toward tried trouble true turn twice two understand unless unlike until upon usage use used useful usual usually ' +
  'via visit walk want wasn\'t way week well were whatever whenever wherever whether whole whose win wish within without won\'t ' +
  'wonder world worry worse worth wouldn\'t wow wrong yeah year yep yes yesterday yet zero';
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

// Words of everyday talk that also name the things and steps of any code.
// biome-ignore format: word lists read best as running text.
const CODING =
  'app apply array assign base body box branch bug build button call change check class close code color colour command comment ' +
  'commit compare component config configuration content context convert copy create customer customers data date default define ' +
  'delete design develop diff disable display doc document documentation draft drop edit empty enable entry environment error ' +
  'example expect fail failure feature field file fix folder force format function generate group guide handle hint hit id ignore ' +
  'image implement implementation import index input instance item job join key label language layer library line link list load ' +
  'local log logic machine map mark menu merge message method mode model modify module multiple name note number object open ' +
  'operation option order output package page param parameter parse part path pattern plain pr print process product program ' +
  'project prompt property provide pull push query read record refactor reference release remove rename reorder replace repo ' +
  'report repository request require requirement resource respond response rest restart result return revert review rewrite root ' +
  'row rule run safe sample save scope screen script search section send sentence separate server service session set setting ' +
  'setup side sign size skip sort source space spec split stage start state statement step stop string structure style summarise ' +
  'summarize summary support switch syntax system tab table tag template test text theme tool track trust try type typo undo unit ' +
  'update upgrade user valid value var variable variant verify version view wait warn warning watch website widget window word ' +
  'work working write';

// Words that every repository uses: in at least 3 of 1,000 commits in four of five open-source projects. A match of
// these says a little, but is never enough alone.
// biome-ignore format: word lists read best as running text.
const TRADE =
  'accept access action added address affect allow api argument assert async auth avoid broken bump cache catch chore ci clarify com ' +
  'compatibility condition configure consistent contain core dependency deprecate description detect dev directory duplicate env ' +
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
export const COMMON_WORDS = wordList(`${ENGLISH} ${GERMAN} ${CODING}`);

/** The ones that also name what code is made of: a question with no other words is still about something. */
export const CODING_WORDS = wordList(CODING);

/** The tokens that say little about a topic, because work on any code is full of them. */
export const TRADE_WORDS = wordList(TRADE);
