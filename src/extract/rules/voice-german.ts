const PARTICIPLE =
  /^(?:\p{Ll}{0,9}ge\p{Ll}{2,}(?:t|en)|\p{Ll}+iert|(?:ver|be|er|ent|zer|über|unter|wieder)\p{Ll}+(?:t|en))$/u;
const NOMINATIVE: Record<string, string> = {
  den: 'der',
  einen: 'ein',
  keinen: 'kein',
  diesen: 'dieser',
  jeden: 'jeder',
  ihren: 'ihr',
};
const THE: Record<string, string> = { '': 'der', e: 'die', en: 'den', em: 'dem', er: 'der', es: 'des' };

/** Says a German sentence in the passive voice: "Ich habe den Cache entfernt" gives "Der Cache wurde entfernt". */
export function neutralGerman(text: string): string {
  const done =
    /^(?:Ich habe|Wir haben|Habe)\s+(?:auch |jetzt |nun |außerdem |dafür |daher |deshalb |zusätzlich )*([^,;:.]{3,300})(.*)$/su.exec(
      text,
    );
  if (done) return passive(done[1] ?? '', done[2] ?? '') ?? text;
  const fronted =
    /^([^,;:.]{3,80}?) (?:habe ich|haben wir) (den|einen|die|das|ein|eine|alle|\p{Lu}\p{L}+|\ue000\d+\ue001)(.*)$/su.exec(
      text,
    );
  if (fronted) return possessive(`${fronted[1]} wurde ${NOMINATIVE[fronted[2] ?? ''] ?? fronted[2]}${fronted[3]}`);
  const doing = /^(?:Ich|Wir)\s+(\p{Ll}{2,})e(n?)\s+(.*)$/su.exec(text);
  if (doing?.[1]) return possessive(`${third(doing[1])} ${doing[3]}`);
  return possessive(text);
}

function passive(clause: string, rest: string): string | undefined {
  const words = clause.trim().split(' ');
  const participle = words.pop() ?? '';
  if (!PARTICIPLE.test(participle) || words.length === 0) return undefined;
  const negated = words.at(-1) === 'nicht' || words.at(-1) === 'noch';
  const [first = '', second = ''] = words;
  const subject = NOMINATIVE[first.toLowerCase()] ?? first;
  const plural =
    /^(?:alle|beide|zwei|drei|vier|fünf|sechs|mehrere|einige|\d+)$/iu.test(first) ||
    (/^(?:die|diese|keine|neue)$/iu.test(first) && /(?:en|s|er|eln)$/u.test(second));
  // A place or a tool at the front is no subject; then the sentence keeps its order and only loses the speaker.
  if (/^(?:in|im|mit|bei|auf|an|am|für|zu|dazu|dort|hier|es|das|sie|ihn)$/iu.test(first)) return undefined;
  const object = objectEnd(words);
  const head = [subject, ...words.slice(1, object)].join(' ');
  const tail = words.slice(object).join(' ');
  return possessive(
    `${head} ${plural ? 'wurden' : 'wurde'} ${tail === '' ? '' : `${tail} `}${participle}${rest}`,
  ).replace(negated ? / {2}/gu : /$^/u, ' ');
}

/** Index of the first word behind the object: a preposition or an adverb. */
function objectEnd(words: string[]): number {
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      /^(?:in|im|ins|mit|bei|auf|an|am|für|zu|zum|zur|nach|von|vom|aus|durch|über|unter|um|als|nicht|noch|auch|so|dort|hier|dafür|daher|damit|wieder|direkt|komplett|vollständig)$/u.test(
        word,
      ),
  );
  return at < 0 ? words.length : at;
}

function third(stem: string): string {
  const capital = stem.charAt(0).toUpperCase() + stem.slice(1);
  return /[td]$/u.test(stem) ? `${capital}et` : `${capital}t`;
}

function possessive(text: string): string {
  return text.replace(/\b([Uu]nser|[Mm]ein)(e[mnrs]?)?(?![\p{L}])/gu, (_, word: string, ending = '') => {
    const article = THE[ending] ?? 'der';
    return /^[UM]/u.test(word) ? article.charAt(0).toUpperCase() + article.slice(1) : article;
  });
}
