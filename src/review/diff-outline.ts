import { type Author, authorOf, makerWords } from '../memory/author.ts';
import { isContent, type Observation } from '../memory/record.ts';
import { WITHHELD } from '../memory/redaction.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { missingWords } from '../provenance/freshness.ts';
import { codeLinks } from './code-links.ts';
import type { Comparison, MemoryDiff } from './diff.ts';
import type { FieldEdit, Item } from './review-item.ts';

/** How the parts of a line are rendered: the renderer decides how foreign text is made safe and how it looks. */
export interface Lettering {
  title(item: Item): string;
  /** Any other text of a record, a path or an id. */
  foreign(text: string): string;
  list(texts: string[]): string;
  /** A line below a record's own, `label` in our words. */
  under(label: string, text: string): string;
}

/** One list of a diff as people read it. */
export interface DiffSection {
  /** The list's name in the diff. */
  key: keyof MemoryDiff;
  title: string;
  level: 'error' | 'warn' | 'info';
  /** The records behind the lines, in their order. */
  items: (Partial<Item> & { path: string })[];
  lines: string[];
}

/**
 * A diff as sections: what must be fixed, what a person decides, then what is routine; empty ones are left out.
 * Long because it is a list.
 */
export function sectionsOf(diff: MemoryDiff, { title, foreign, list, under }: Lettering): DiffSection[] {
  const place = (item: Item) => foreign(item.path);
  const said = (texts: string[]) => texts.map((text) => under('', text)).join('');
  const change = ({ field, before, after }: FieldEdit) =>
    [before && under(`${field} was`.trim(), before), after && under(`${field} is`.trim(), after)].join('');
  const reason = (text: string) => (text === '' ? '' : `: ${foreign(text)}`);
  const sections: DiffSection[] = [
    section(
      'error',
      'Secrets',
      'secrets',
      diff.secrets,
      (one) => `${foreign(one.kind)} in ${place(one)}, line ${one.line}`,
    ),
    section(
      'error',
      'Invalid records',
      'invalid',
      diff.invalid,
      ({ path, message }) => `${foreign(path)}: ${foreign(message)}`,
    ),
    section(
      'error',
      'Suspicious text',
      'suspicious',
      diff.suspicious,
      (one) => `${place(one)}, line ${one.line}: ${one.message}`,
    ),
    section(
      'error',
      'Removed marks',
      'removed_marks',
      diff.removed_marks,
      (one) => `${title(one)} on ${list(one.about)}`,
    ),
    section(
      'warn',
      'Other files of .memory',
      'other_files',
      diff.other_files,
      (one) => `${foreign(one.path)} ${one.change}${change({ ...one, field: '' })}`,
    ),
    section(
      'warn',
      'Edited by hand',
      'edited',
      diff.edited,
      (one) => `${title(one)}${one.edits.map(change).join('') || `: ${one.changes.join(', ')}`}`,
    ),
    section('warn', 'Deleted', 'deleted', diff.deleted, (one) => `${title(one)}${said(one.texts)}`),
    section(
      'warn',
      'Supersede the same record',
      'disputed',
      diff.disputed,
      (one) => `${title(one)} and ${foreign(one.other_title)} (${foreign(one.other)})`,
    ),
    section(
      'warn',
      'Near-duplicates',
      'duplicates',
      diff.duplicates,
      (one) => `${title(one)} and ${foreign(one.other_title)} (${foreign(one.other)})`,
    ),
    section('warn', 'Made stale by this change', 'stale_by_change', diff.stale_by_change, (one) => {
      if (one.freshness === 'gone') return `${title(one)}: deleted ${list(one.files)}`;
      return `${title(one)}: ${foreign(missingWords(one.missing_names))}`;
    }),
    section('info', 'Added', 'added', diff.added, title),
    section(
      'info',
      'Superseded',
      'superseded',
      diff.superseded,
      (one) => `${title(one)}, by ${list(one.by)}${reason(one.reason)}${said(one.texts)}`,
    ),
    section('info', 'Retired', 'retired', diff.retired, (one) => `${title(one)}${reason(one.reason)}`),
    section('info', 'Redacted', 'redacted', diff.redacted, (one) => `${title(one)}${reason(one.reason)}`),
    section('info', 'Pinned', 'pinned', diff.pinned, (one) => {
      const guards = one.guards.length === 0 ? '' : `, guards ${list(one.guards)}`;
      return `${title(one)}${guards}${reason(one.reason)}`;
    }),
    section('info', 'Verified', 'verified', diff.verified, (one) => `${title(one)}${reason(one.reason)}`),
    section('info', 'Undone', 'undone', diff.undone, (one) => `${title(one)}, by ${list(one.by)}`),
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** The whole diff in one sentence. */
export function summaryOf(diff: MemoryDiff): string {
  const counts = [
    counted(diff.added.length, 'record', 'added'),
    counted(diff.superseded.length, '', 'superseded'),
    counted(diff.retired.length, '', 'retired'),
    counted(diff.edited.length, '', 'edited'),
    counted(diff.deleted.length, '', 'deleted'),
    counted(diff.redacted.length, '', 'redacted'),
    counted(diff.pinned.length, '', 'pinned'),
    counted(diff.verified.length, '', 'verified'),
    counted(diff.duplicates.length, 'near-duplicate', ''),
    counted(diff.stale_by_change.length, '', 'made stale by this change'),
    counted(diff.other_files.length, 'other file', 'changed'),
  ].filter(Boolean);
  const what = counts.length === 0 ? 'No record changes' : counts.join(', ');
  if (diff.ok) return `${what}.`;
  const problems = [
    counted(diff.secrets.length, 'secret', ''),
    counted(diff.invalid.length, 'invalid file', ''),
    counted(diff.suspicious.length, 'suspicious text', ''),
    counted(diff.removed_marks.length, 'removed mark', ''),
  ].filter(Boolean);
  return `${what}. To be fixed: ${problems.join(', ')}.`;
}

function section<T extends DiffSection['items'][number]>(
  level: DiffSection['level'],
  title: string,
  key: DiffSection['key'],
  items: T[],
  line: (item: T) => string,
): DiffSection {
  return { key, title, level, items, lines: items.map(line) };
}

function counted(n: number, noun: string, verb: string): string {
  if (n === 0) return '';
  const nouns = noun && `${noun}${n === 1 ? '' : 's'}`;
  return [String(n), nouns, verb].filter(Boolean).join(' ');
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

/** Most cited files that a card names: a comment on a pull request has few lines for each record. */
const MOST_FILES = 12;

/** The added observations of a comparison, without redacted ones. Two git children. */
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
  return Promise.all(
    chosen.map(async ({ item, record }): Promise<RecordCard> => {
      const texts = (values: string[]) => Promise.all(values.map(safe));
      return {
        item,
        author: authorOf(record),
        by: await safe(makerWords(record.generated)),
        session: await safe(record.session ?? ''),
        narrative: await safe(record.narrative),
        facts: await texts(record.facts),
        files: (await texts(citedBy(record))).map((path) => ({ path, link: links?.files.get(path) })),
        replaces: await Promise.all(
          record.supersedes.map(async (id) => ({ id: await safe(id), title: await safe(titleOf(id)) })),
        ),
      };
    }),
  );
}

function citedBy({ files_modified, files_read }: Observation): string[] {
  return [...new Set([...files_modified, ...files_read])].slice(0, MOST_FILES);
}
