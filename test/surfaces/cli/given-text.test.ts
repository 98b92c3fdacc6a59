import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/surfaces/cli/given-text.ts';
import { runs } from '../../support/trials.ts';

async function read(chunks: Buffer[]): Promise<string[]> {
  const lines: string[] = [];
  const stdin = Readable.from(chunks, { objectMode: false }) as unknown as NodeJS.ReadStream;
  for await (const line of linesOf('-', { stdin, cwd: '/' })) lines.push(line);
  return lines;
}

describe('lines of a stream', () => {
  it.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\r\n\nb\n', ['a', '', 'b']],
    ['a\rb\u2028c\0d\n', ['a\rb\u2028c\0d']],
  ])('%j', async (text, lines) => expect(await read([Buffer.from(text)])).toEqual(lines));

  it('are the same however the stream is chunked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(), async (parts, cut) => {
        const lines = parts.map((part) => part.replace(/[\r\n]/g, ''));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const at = cut % (bytes.length + 1);
        expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(lines);
      }),
      runs(100),
    );
  });
});
