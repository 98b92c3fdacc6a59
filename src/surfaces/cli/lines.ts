import type { Readable } from 'node:stream';

/**
 * The lines of a stream, without their line feeds; only line feeds end a line, because the text may contain any other
 * character. A line is yielded as soon as it is complete, and the last one even without a line feed.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const parts: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) {
    const [first = '', ...rest] = String(chunk).split('\n');
    parts.push(first);
    for (const next of rest) {
      yield complete(parts);
      parts.length = 0;
      parts.push(next);
    }
  }
  if (parts.some((part) => part !== '')) yield complete(parts);
}

function complete(parts: string[]): string {
  const line = parts.join('');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
