import { withoutMarkup } from '../../memory/without-markup.ts';

/**
 * The first sentences of Markdown texts in plain text, on one line, at most `max` characters; a first sentence longer
 * than that is cut at a word.
 */
export function leadingText(texts: string[], max: number): string {
  const sentences = texts
    .map((text) =>
      withoutMarkup(text.slice(0, max * 20))
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
    .flatMap((text) => text.split(/(?<=[.!?]) |(?<=[。！？])/u));
  let taken = '';
  for (const sentence of sentences) {
    const longer = taken === '' ? sentence : `${taken} ${sentence}`;
    if (longer.length > max) break;
    taken = longer;
  }
  return taken === '' ? cut(sentences[0] ?? '', max) : taken;
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const part = text.slice(0, max - 1);
  const space = part.lastIndexOf(' ');
  const words = space > max / 2 ? part.slice(0, space) : part;
  // Cutting may leave half of a surrogate pair at the end.
  return `${words.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}
