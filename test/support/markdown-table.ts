/** The cells of the table whose first line starts with `start`, without the line under its header. */
export function tableIn(markdown: string, start: string): string[][] {
  const lines = markdown.split('\n');
  const from = lines.findIndex((line) => line.startsWith(start));
  const end = lines.findIndex((line, i) => i > from && !line.startsWith('|'));
  return lines
    .slice(from, end)
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim()),
    );
}
