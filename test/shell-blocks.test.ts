import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createReader, MARKS, type Mark, type Reader } from './support/reader.ts';

/** What a reader copies into a terminal has to work: each page's blocks run in their order in one repository. */
const PAGES = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

interface Block {
  line: number;
  commands: string[];
  /** Where it runs, as the comment before it says. */
  marks: Mark[];
  /** Why no test can run it, as the comment before it says. */
  never: string | undefined;
}

const pages = PAGES.map((page) => {
  const text = readFileSync(page, 'utf8');
  return { page, files: filesIn(text), blocks: blocksIn(text) };
}).filter(({ blocks }) => blocks.length > 0);

it('runs every block but the one that starts containers', () => {
  const all = pages.flatMap(({ page, blocks }) =>
    blocks.map((block) => ({ ...block, where: `${page}:${block.line}` })),
  );
  const never = all.filter((block) => block.never !== undefined);
  const notHere = all.filter((block) => block.never === undefined && lackOf(block) !== undefined);
  const left = [...never, ...notHere].map((block) => `\n  ${block.where}: ${lackOf(block)}`);
  console.log(`${all.length} shell blocks in README.md and docs/, ${left.length} not run:${left.join('')}`);
  expect(never.map(({ where, commands }) => [where, commands.every((one) => one.startsWith('docker '))])).toEqual([
    [expect.stringMatching(/^docs\/hub\.md:/), true],
  ]);
});

describe.each(pages)('$page', ({ page, files, blocks }) => {
  let reader: Reader | undefined;
  afterAll(() => reader?.close());

  for (const block of blocks) {
    const lack = lackOf(block);
    if (lack !== undefined) it.skip(`line ${block.line}: ${lack}`);
    else {
      it(`line ${block.line}`, async () => {
        reader ??= await createReader(files);
        await reader.begin(block.marks);
        for (const command of block.commands) {
          const { code, output } = await reader.run(command);
          expect(code, `${page}:${block.line}: ${command}\n${output}`).toBe(0);
        }
      });
    }
  }
});

/** Why a block does not run here. */
function lackOf({ never, marks }: Block): string | undefined {
  return never ?? marks.map((mark) => MARKS[mark]()).find((lack) => lack !== undefined);
}

function blocksIn(text: string): Block[] {
  const pattern = /(?:<!-- (run|not run): (.+?) -->\n)?```(?:sh|console|bash)\n([\s\S]*?)```/g;
  return [...text.matchAll(pattern)].map(({ 1: kind, 2: comment = '', 3: body = '', index }) => ({
    line: text.slice(0, index).split('\n').length,
    marks: kind === 'run' ? comment.split(', ').map(asMark) : [],
    never: kind === 'not run' ? comment : undefined,
    commands: body
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#\s.*$/, '').trim())
      .filter((line) => line !== ''),
  }));
}

function asMark(word: string): Mark {
  const mark = Object.keys(MARKS).find((known): known is Mark => known === word);
  if (mark === undefined) throw new Error(`No block can be marked "${word}".`);
  return mark;
}

/** The files that a page shows, which begin with a comment that is their name. */
function filesIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/```yaml\n(# ([\w.-]+\.yaml)\n[\s\S]*?)```/g)].map(([, body = '', name = '']) => [name, body]),
  );
}
