/** Markdown as plain text on one line: links as their text, no emphasis, no fences; code is unquoted but unchanged. */
export function withoutMarkup(text: string): string {
  const plain = text
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gmu, '')
    .replace(/!?\[([^\]]{0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,300}\])?/g, '$1')
    .replace(/[{:]\w{1,30}[}:](?=`)/g, '');
  const emphasis = /\*{1,3}|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu;
  const parts = plain.split('`').map((part, i) => (i % 2 === 1 ? part : part.replace(emphasis, '')));
  return parts.join('').trim();
}
