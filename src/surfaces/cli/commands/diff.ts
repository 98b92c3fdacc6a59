import { isObjectId } from '../../../git/object-id.ts';
import { bytes, counted } from '../../../quantities.ts';
import { DIFF_CODES, diffAnnotations } from '../../../review/annotation.ts';
import { compareMemory, type MemoryDiff } from '../../../review/diff.ts';
import { recordCards, sectionsOf, summaryOf } from '../../../review/diff-outline.ts';
import { rangeOf } from '../../../review/memory-tree.ts';
import { diffMarkdown } from '../../../review/render.ts';
import { type Context, define, type Register } from '../command.ts';
import { oneLine } from '../print.ts';
import { addFormat, printReview, type ReviewOptions } from '../review-format.ts';

const COLOURS = { error: 'red', warn: 'yellow', info: 'cyan' } as const;

export const register: Register = (program, context) =>
  addFormat(
    define(program, 'diff', 'show what a change does to the memory').argument(
      '[range]',
      'A...B since they parted, A..B, or A against the working tree',
    ),
  )
    .option('--exit-code', 'exit 1 with secrets, invalid records, suspicious text or removed marks')
    .notes(`
Without a range: from where HEAD left the default branch to the working tree, committed or not. Marks are shown as they
would count once they are merged, no matter who wrote them.

Examples:
  git mem diff                                  what this branch does
  git mem diff main...HEAD --format md          the same as a comment for a pull request
  git mem diff v1.0..v1.1                       between two releases
  git mem diff origin/main --exit-code          for scripts
  git mem diff main...HEAD --format sarif       for code scanning`)
    .action(async (range: string | undefined, options: ReviewOptions & { exitCode?: boolean }) => {
      const { workspace } = context.project();
      const comparison = await compareMemory(workspace, await rangeOf(workspace, range));
      const { diff } = comparison;
      const cards = options.format === 'md' ? await recordCards(workspace, comparison) : [];
      const forms = {
        json: diff,
        annotations: () => diffAnnotations(diff),
        codes: DIFF_CODES,
        markdown: () => diffMarkdown(diff, cards),
        text: () => printText(diff, context),
      };
      printReview(forms, options, context.stdout);
      if (options.exitCode && !diff.ok) context.setExitCode(1);
    });

function printText(diff: MemoryDiff, { stdout, stderr, style }: Context): void {
  const name = (side: string) => (isObjectId(side) ? side.slice(0, 10) : side);
  stdout.write(`${style('dim', `${name(diff.base)}...${name(diff.head)}`)}\n`);
  const sections = sectionsOf(diff, {
    title: ({ id, title, type = '' }) => {
      // A mark's title begins with its type.
      const kind = title.startsWith(`${type} `) ? '' : `${style('cyan', oneLine(type))} `;
      return `${style('yellow', oneLine(id))} ${kind}${oneLine(title)}`;
    },
    foreign: oneLine,
    list: (texts) => texts.map(oneLine).join(', '),
    under: (label, text) => `\n    ${label && `${style('dim', label)} `}${oneLine(text)}`,
  });
  for (const { title, level, lines } of sections) {
    stdout.write(`\n${style([COLOURS[level], 'bold'], title)} ${style('dim', `(${lines.length})`)}\n`);
    stdout.write(lines.map((text) => `  ${text}\n`).join(''));
  }
  const { records, bytes: size } = diff.size;
  stdout.write(`${sections.length > 0 ? '\n' : ''}${summaryOf(diff)}\n`);
  if (records > 0) stdout.write(`${style('dim', `${counted(records, 'new file')}, ${bytes(size)}.`)}\n`);
  if (!diff.ok) stderr.write('`git mem check` shows how to fix it.\n');
}
