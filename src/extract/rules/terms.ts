const STOP = new Set(
  (
    'a an the this that these those it its they them their there here and or but nor so if then than because since as of in on at to from by with without for into onto over under after before between through during about against per via ' +
    'is are was were be been being has have had having do does did done can could may might must shall should will would not no never none any all some each every both either neither one two three more most less least many much few other another such own same too very also only just still even yet now again already once ' +
    'which who whom whose what when where why how while until unless though although instead rather otherwise therefore thus hence however ' +
    'code file files line lines change changes changed thing things way use uses used using user make makes made get gets set sets add adds added new old run runs ran work works first second third last next out up down off behave' +
    ' der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren wird werden wurde wurden hat haben hatte im in am an auf aus bei mit nach von vor zu zum zur für über unter durch als wie wenn weil dass damit auch nur noch schon jetzt nun sich es sie er'
  ).split(' '),
);

/** Identifiers of a text: code spans, paths, flags, and words spelt as only code is. Without their backticks and call brackets. */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  const rest = text.replace(/`([^`]{1,200})`/gu, (_, span: string) => {
    for (const word of span.split(/[\s,=]+/u)) enter(found, word);
    return ' ';
  });
  for (const word of rest.split(/[\s,;:()[\]{}"'“”]+/u)) if (looksLikeCode(word)) enter(found, word);
  return found;
}

function enter(found: Set<string>, word: string): void {
  const clean = word.replace(/^[^\p{L}\p{N}_./@-]+|[^\p{L}\p{N}_/]+$/gu, '').replace(/\(.*$/su, '');
  if (clean.length > 1 && clean.length <= 80) found.add(clean);
}

function looksLikeCode(word: string): boolean {
  if (word.length > 80) return false;
  return (
    /^\p{L}[\p{L}\d]*_[\p{L}\d_]+[.,]?$/u.test(word) ||
    /^[a-z]+[A-Z][\p{L}\d]*[.,]?$/u.test(word) ||
    /^[A-Z][a-z\d]+[A-Z][\p{L}\d]*[.,]?$/u.test(word) ||
    /^--?[a-z][\w-]+$/u.test(word) ||
    /^[\w.@-]+(?:\/[\w.@-]+)+[.,]?$/u.test(word) ||
    /^[\w-]+\.(?:[a-z]{1,4}|json|yaml|toml|lock|properties|gradle)[.,]?$/u.test(word)
  );
}

/** Issue keys such as `AB-12` and `#34`. */
export function ticketsIn(text: string): string[] {
  const found = [
    ...text.matchAll(/(?<![\p{L}\p{N}_/-])(?:[A-Z][A-Z\d]{1,9}-\d{1,6}|#\d{1,6})(?![\p{L}\p{N}_-])/gu),
  ].map(([match]) => match);
  return [...new Set(found)].filter(
    (key) => !/^(?:UTF|ISO|SHA|RFC|CVE|HTTP|ES|AES|RSA|MD|TLS|IPV|CWE|ADR|WCAG|X)-/u.test(key),
  );
}

/** Content words of a text, lower-case and lightly stemmed; identifiers come whole and in their parts. */
export function termsIn(text: string): Set<string> {
  const terms = new Set<string>();
  for (const word of text.slice(0, 20_000).split(/[^\p{L}\p{N}_]+/u)) {
    if (word === '' || word.length > 60) continue;
    for (const part of [word, ...word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u)]) {
      const lower = part.toLowerCase();
      if (lower.length > 1 && !STOP.has(lower)) terms.add(stem(lower));
    }
  }
  return terms;
}

/** How many terms of `a` are in `b`. */
export function shared(a: Set<string>, b: Set<string>): number {
  let count = 0;
  for (const term of a) if (b.has(term)) count += 1;
  return count;
}

function stem(word: string): string {
  if (word.length < 5 || /\d/u.test(word))
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  const cut = word.replace(/(?:ies)$/u, 'y').replace(/(?:ations?|ings?|ed|es|er|en|ly|s|e)$/u, '');
  return cut.length >= 3 ? cut : word;
}
