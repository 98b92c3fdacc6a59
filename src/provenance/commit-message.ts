/** Fewest words of a sentence, without links, code, mentions and numbers: "Bumps [x](…) from 1.2 to 1.3" has three. */
const FEWEST_WORDS = 4;

/** Longest reason, in characters; it ends with a whole sentence. */
const LONGEST_REASON = 600;

/** A link, a reference to a commit or a discussion, or a mention: in a list, the sign of a generated one. */
const REFERENCE = /\[[^\][\n]{0,300}\]\([^()\n]{0,500}\)|https?:\/\/\S+|(?:^|[\s(])(?:#\d+|@[\w-]+|[0-9a-f]{7,40})\b/g;

/**
 * The sentences in a commit message's body, without trailers, headings, quotes, tables, and items of lists that refer
 * to a commit or discussion, as those of tools do. Empty for a message that explains nothing.
 */
export function sentencesOf(body: string): string[] {
  // What follows a line of dashes was added by a tool, or by a code host below the description.
  const [own = ''] = body
    .replaceAll('\r\n', '\n')
    .replace(/```[\s\S]*?(?:```|$)|<!--[\s\S]*?(?:-->|$)/g, '\n')
    .split(/^-{3,}$/m);
  return withoutTrailers(own)
    .split(/\n{2,}/)
    .flatMap((paragraph) => paragraph.split(/\n(?=[ \t]{0,20}(?:[-*+•]|\d{1,9}[.)])\s)/))
    .filter((part) => !/^\s*(?:[>#|<]|$)/.test(part))
    .filter((part) => !(/^\s*(?:[-*+•]|\d+[.)])\s/.test(part) && part.search(REFERENCE) >= 0))
    .flatMap((part) =>
      part
        .replace(/^\s*[-*+•]\s+/, '')
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?。！？])\s+/u),
    )
    .map((sentence) => sentence.trim())
    .filter(isSentence);
}

/** The same as one text of whole sentences. */
export function reasonIn(body: string): string {
  let reason = '';
  for (const sentence of sentencesOf(body)) {
    if (reason !== '' && reason.length + sentence.length >= LONGEST_REASON) break;
    reason += `${reason === '' ? '' : ' '}${sentence}`;
  }
  return reason;
}

function isSentence(text: string): boolean {
  const words =
    text
      .replace(REFERENCE, ' ')
      .replace(/`[^`]*`/g, ' x ')
      .match(/(?<![\p{L}\p{N}./_-])\p{L}[\p{L}'’]*/gu) ?? [];
  return words.length >= FEWEST_WORDS || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
}

function withoutTrailers(body: string): string {
  const paragraphs = body.trim().split(/\n{2,}/);
  const isTrailers = (paragraph = 'x') => paragraph.split('\n').every((line) => /^(?:[\w-]+: |\s|$)/.test(line));
  while (isTrailers(paragraphs.at(-1))) paragraphs.pop();
  return paragraphs.join('\n\n');
}
