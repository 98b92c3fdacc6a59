import { type Author, authorOf, makerWords } from '../memory/author.ts';
import { isContent, type Observation } from '../memory/record.ts';
import { WITHHELD } from '../memory/redaction.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { missingWords } from '../provenance/freshness.ts';
import { counted } from '../quantities.ts';
import { codeLinks } from './code-links.ts';
import type { Comparison, MemoryDiff } from './diff.ts';
import type { FieldEdit, Item } from './review-item.ts';

/** How the parts of a line are rendered: the renderer decides how foreign text is made safe and how it looks. */
export interface Lettering {
  title(item: Item): string;
  /** Any other text of a record, a path or an id. */
  foreign(text: string): string;
  list(texts: string[]): string;
  /** A line below a record's own; `label` is our own text. */
  under(label: string, text: string): string;
}

/** A list of a diff: what its lines are about. */
type ListKey = {
  [K in keyof MemoryDiff]: MemoryDiff[K] extends { path: string }[] ? K : never;
}[keyof MemoryDiff];
type Lists = { [K in ListKey]: MemoryDiff[K][number][] };

/** One list of a diff as people read it. */
export interface DiffSection {
  key: ListKey;
  title: string;
  level: 'error' | 'warn' | 'info';
  /** The records behind the lines, in their order. */
  items: (Partial<Item> & { path: string })[];
  lines: string[];
}

/** A diff as sections: what must be fixed, what a person decides, then what is routine; empty ones are left out. */
export function sectionsOf(diff: MemoryDiff, { title, foreign, list, under }: Lettering): DiffSection[] {
  const lists: Lists = diff;
  const of =
    (level: DiffSection['level']) =>
    <K extends ListKey>(key: K, name: string, line: (item: Lists[K][number]) => string): DiffSection => {
      const items: Lists[K][number][] = lists[key];
      return { key, title: name, level, items, lines: items.map(line) };
    };
  const [error, warn, info] = [of('error'), of('warn'), of('info')];
  const place = ({ path, line }: { path: string; line: number }) => `${foreign(path)}, line ${line}`;
  const said = (texts: string[]) => texts.map((text) => under('', text)).join('');
  const change = ({ field, before, after }: FieldEdit) =>
    [before && under(`${field} was`.trim(), before), after && under(`${field} is`.trim(), after)].join('');
  const because = (one: Item & { reason: string }) => (one.reason === '' ? '' : `: ${foreign(one.reason)}`);
  const pair = (one: Item & { other: string; other_title: string }) =>
    `${title(one)} and ${foreign(one.other_title)} (${foreign(one.other)})`;
  const sections = [
    error('secrets', 'Secrets', (one) => `${foreign(one.kind)} in ${place(one)}`),
    error('invalid', 'Invalid records', (one) => `${foreign(one.path)}: ${foreign(one.message)}`),
    error('suspicious', 'Suspicious text', (one) => `${place(one)}: ${one.message}`),
    error('removed_marks', 'Removed marks', (one) => `${title(one)} on ${list(one.about)}`),
    warn('other_files', 'Other files of .memory', (one) => {
      return `${foreign(one.path)} ${one.change}${change({ ...one, field: '' })}`;
    }),
    warn('edited', 'Edited by hand', (one) => {
      return `${title(one)}${one.edits.map(change).join('') || `: ${one.changes.join(', ')}`}`;
    }),
    warn('deleted', 'Deleted', (one) => `${title(one)}${said(one.texts)}`),
    warn('disputed', 'Supersede the same record', pair),
    warn('duplicates', 'Near-duplicates', pair),
    warn('stale_by_change', 'Made stale by this change', (one) => {
      const why = one.freshness === 'gone' ? `deleted ${list(one.files)}` : foreign(missingWords(one.missing_names));
      return `${title(one)}: ${why}`;
    }),
    info('added', 'Added', title),
    info('superseded', 'Superseded', (one) => `${title(one)}, by ${list(one.by)}${because(one)}${said(one.texts)}`),
    info('retired', 'Retired', (one) => `${title(one)}${because(one)}`),
    info('redacted', 'Redacted', (one) => `${title(one)}${because(one)}`),
    info('pinned', 'Pinned', (one) => {
      return `${title(one)}${one.guards.length === 0 ? '' : `, guards ${list(one.guards)}`}${because(one)}`;
    }),
    info('verified', 'Verified', (one) => `${title(one)}${because(one)}`),
    info('undone', 'Undone', (one) => `${title(one)}, by ${list(one.by)}`),
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

type Count = [key: ListKey, noun: string, verb: string];

const CHANGES: Count[] = [
  ['added', 'record', 'added'],
  ['superseded', '', 'superseded'],
  ['retired', '', 'retired'],
  ['edited', '', 'edited'],
  ['deleted', '', 'deleted'],
  ['redacted', '', 'redacted'],
  ['pinned', '', 'pinned'],
  ['verified', '', 'verified'],
  ['duplicates', 'near-duplicate', ''],
  ['stale_by_change', '', 'made stale by this change'],
  ['other_files', 'other file', 'changed'],
];
const PROBLEMS: Count[] = [
  ['secrets', 'secret', ''],
  ['invalid', 'invalid file', ''],
  ['suspicious', 'suspicious text', ''],
  ['removed_marks', 'removed mark', ''],
];

/** The whole diff in one sentence. */
export function summaryOf(diff: MemoryDiff): string {
  const told = (counts: Count[]) => {
    const parts = counts.flatMap(([key, noun, verb]) => {
      const n = diff[key].length;
      return n === 0 ? [] : [[noun ? counted(n, noun) : n, verb].join(' ').trim()];
    });
    return parts.join(', ');
  };
  const what = told(CHANGES) || 'No record changes';
  return diff.ok ? `${what}.` : `${what}. Must be fixed: ${told(PROBLEMS)}.`;
}

/** A new observation for a person to judge, without detected secrets. */
export interface RecordCard {
  item: Item;
  author: Author;
  /** Who or what wrote it, according to the record. */
  by: string;
  session: string;
  narrative: string;
  facts: string[];
  /** The cited files, with an address for each that exists at the head. */
  files: { path: string; link: string | undefined }[];
  replaces: { id: string; title: string }[];
}

/** Maximum cited files on a card: a comment on a pull request has few lines for each record. */
const MOST_FILES = 12;

/** The added observations of a comparison, without redacted ones. Up to three git processes. */
export async function recordCards(workspace: Workspace, comparison: Comparison): Promise<RecordCard[]> {
  const { diff, head, base, safe, isWithheld } = comparison;
  const chosen = diff.added.flatMap((item) => {
    const record = head.byId.get(item.id)?.record;
    return record?.kind === 'observation' && !isWithheld(item.id) ? [{ item, record }] : [];
  });
  const cited = chosen.flatMap(({ record }) => citedBy(record));
  const links = await codeLinks(workspace, diff.head === 'worktree' ? 'HEAD' : diff.head, cited);
  const titleOf = (id: string) => {
    const replaced = head.byId.get(id)?.record ?? base.byId.get(id)?.record;
    if (isWithheld(id)) return WITHHELD;
    return replaced && isContent(replaced) ? replaced.title : '';
  };
  const texts = (values: string[]) => Promise.all(values.map(safe));
  const cards = chosen.map(async ({ item, record }): Promise<RecordCard> => {
    const replaces = record.supersedes.map(async (id) => ({ id: await safe(id), title: await safe(titleOf(id)) }));
    return {
      item,
      author: authorOf(record),
      by: await safe(makerWords(record.generated)),
      session: await safe(record.session ?? ''),
      narrative: await safe(record.narrative),
      facts: await texts(record.facts),
      files: (await texts(citedBy(record))).map((path) => ({ path, link: links?.files.get(path) })),
      replaces: await Promise.all(replaces),
    };
  });
  return Promise.all(cards);
}

function citedBy({ files_modified, files_read }: Observation): string[] {
  return [...new Set([...files_modified, ...files_read])].slice(0, MOST_FILES);
}
