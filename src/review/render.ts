import { counted } from '../quantities.ts';
import { cardsMarkdown, headOf } from './card-markdown.ts';
import type { CheckReport } from './check.ts';
import type { MemoryDiff } from './diff.ts';
import { type Lettering, sectionsOf, summaryOf } from './diff-outline.ts';
import { collapsed, collapsible, LONGEST_REPORT, quoted, quotedAll } from './markdown.ts';
import type { OwnedRecord } from './owners.ts';
import type { Problem } from './problem.ts';
import type { RecordCard } from './record-card.ts';

/** Most records named under one file: a comment has to be read, and a central file has many. */
const MOST_TITLES = 10;

const LETTERING: Lettering = {
  title: headOf,
  foreign: quoted,
  list: quotedAll,
};

/**
 * A diff as a comment on a pull request: a one-line summary, what must be fixed, the new and changed observations, the
 * records that the change makes stale, by file, and the rest folded away. No record's text acts as markup in it.
 */
export function diffMarkdown(diff: MemoryDiff, cards: RecordCard[] = []): string {
  const shown = cardsMarkdown(cards);
  const sections = sectionsOf(without(diff, new Set(cards.map(({ item }) => item.id))), LETTERING).map((section) => {
    const { key, title, level } = section;
    const entries = key === 'stale_by_change' ? staleByFile(diff) : section.lines;
    return { title, entries, isOpen: level === 'error' };
  });
  const texts = collapsed(sections, LONGEST_REPORT - shown.length);
  const of = (isOpen: boolean) => texts.filter((_, i) => sections[i]?.isOpen === isOpen).join('\n');
  const size = diff.size.records === 0 ? '' : `${counted(diff.size.records, 'new file')}, ${diff.size.bytes} bytes.\n`;
  return ['### Memory\n', `${summaryOf(diff)}\n`, of(true), shown, of(false), size].filter(Boolean).join('\n');
}

/** The lists without the records that are shown in full. */
function without(diff: MemoryDiff, carded: Set<string>): MemoryDiff {
  const isListed = ({ id }: { id: string }) => !carded.has(id);
  return { ...diff, added: diff.added.filter(isListed), edited: diff.edited.filter(isListed) };
}

/** What happened to each file, with the records that cite it: people who changed a file look for that file. */
function staleByFile({ stale_by_change }: MemoryDiff): string[] {
  const byFile = new Map<string, string[]>();
  for (const one of stale_by_change) {
    for (const file of one.files) byFile.set(file, [...(byFile.get(file) ?? []), LETTERING.title(one)]);
  }
  return [...byFile].map(([file, titles]) => {
    const more = titles.length - MOST_TITLES;
    const lines = [...titles.slice(0, MOST_TITLES), ...(more > 0 ? [`and ${more} more`] : [])];
    return `${quoted(file)}\n${lines.map((title) => `  - ${title}`).join('\n')}`;
  });
}

/** A check as Markdown, with the owners of the records if they were asked for. */
export function checkMarkdown({ ok, checked, problems }: CheckReport, owned: OwnedRecord[] = []): string {
  const line = ({ path, line: at, message, hint }: Problem) =>
    `${quoted(path)}${at === undefined ? '' : `, line ${at}`}: ${quoted(message)} ${hint && quoted(hint)}`.trimEnd();
  const of = (level: Problem['level']) => problems.filter((one) => one.level === level).map(line);
  const owners = owned.map(
    (one) => `${LETTERING.title(one)}: ${one.owners.length > 0 ? quotedAll(one.owners) : 'nobody'}`,
  );
  return [
    '### Memory check\n',
    `${counted(checked, 'file')}: ${ok ? 'nothing has to be fixed' : `${of('error').length} to be fixed`}.\n`,
    collapsible([
      { title: 'Errors', entries: of('error'), isOpen: true },
      { title: 'Warnings', entries: of('warn'), isOpen: false },
      { title: 'Owners of the cited files', entries: owners, isOpen: false },
    ]),
  ]
    .filter(Boolean)
    .join('\n');
}
