import type { CheckReport } from './check.ts';
import type { MemoryDiff } from './diff.ts';
import { type Lettering, sectionsOf, summaryOf } from './diff-outline.ts';
import { collapsible, quoted, quotedAll } from './markdown.ts';
import type { OwnedRecord } from './owners.ts';
import type { Problem } from './problem.ts';

const LETTERING: Lettering = {
  title: ({ id, title, type }) => `${quoted(title)}${type ? ` ${quoted(type)}` : ''} ${quoted(id)}`,
  foreign: quoted,
  list: quotedAll,
};

/** A diff as a comment on a pull request: one line that says it all, the rest folded away. No text of a record acts in it. */
export function diffMarkdown(diff: MemoryDiff): string {
  const sections = sectionsOf(diff, LETTERING).map(({ title, lines, level }) => ({
    ...{ title, entries: lines, isOpen: level === 'error' },
  }));
  const size = diff.size.records === 0 ? [] : [`${files(diff.size.records, 'new ')}, ${diff.size.bytes} bytes.\n`];
  return ['### Memory\n', `${summaryOf(diff)}\n`, collapsible(sections), ...size].join('\n');
}

/** A check as Markdown, with the owners of the records where they were asked for. */
export function checkMarkdown({ ok, checked, problems }: CheckReport, owned: OwnedRecord[] = []): string {
  const line = ({ path, line: at, message, hint }: Problem) =>
    `${quoted(path)}${at === undefined ? '' : `, line ${at}`}: ${quoted(message)} ${hint && quoted(hint)}`.trimEnd();
  const of = (level: Problem['level']) => problems.filter((one) => one.level === level).map(line);
  const owners = owned.map(
    (one) => `${LETTERING.title(one)}: ${one.owners.length > 0 ? quotedAll(one.owners) : 'nobody'}`,
  );
  return [
    '### Memory check\n',
    `${files(checked)}: ${ok ? 'nothing has to be mended' : `${of('error').length} to be mended`}.\n`,
    collapsible([
      { title: 'Errors', entries: of('error'), isOpen: true },
      { title: 'Warnings', entries: of('warn'), isOpen: false },
      { title: 'Owners of the cited files', entries: owners, isOpen: false },
    ]),
  ]
    .filter(Boolean)
    .join('\n');
}

function files(n: number, kind = ''): string {
  return `${n} ${kind}file${n === 1 ? '' : 's'}`;
}
