import { canonical } from './canonical.ts';
import { idOf } from './id.ts';
import type { Kind, MemoryRecord } from './record.ts';

/** Folder of each kind inside a store. */
export const FOLDERS: Record<Kind, string> = {
  observation: 'observations',
  summary: 'summaries',
  mark: 'marks',
  prompt: 'prompts',
};

const MONTH = /^(?:1970-01|(?:199\d|20\d\d)-(?:0[1-9]|1[0-2]))$/;

/**
 * Whether a folder may hold a month of records. Other folders are not read: a branch may add any number of them, and
 * each listed folder costs every hook some 40 microseconds. There are 1,321 possible months, including the one for
 * records without a time.
 */
export function isMonth(name: string): boolean {
  return MONTH.test(name);
}

/** Every name that `isMonth` allows. */
export function allMonths(): string[] {
  const years = Array.from({ length: 110 }, (_, i) => 1990 + i);
  return ['1970-01', ...years.flatMap((year) => MONTHS_OF_YEAR.map((month) => `${year}-${month}`))];
}

const MONTHS_OF_YEAR = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];

/** What a record's file name says about it, without opening the file. */
export interface FileName {
  /** ISO 8601, UTC, whole seconds. */
  time: string;
  id: string;
  /** The words between time and print: the title's, or for a mark its type and first target. */
  slug: string;
}

/**
 * The record's path inside its store: `observations/2026-11/20261120T200501Z-words-of-the-title-9d4e-k3v9x2qd7m.md`.
 * Different content has a different path, even under the same id and time: two branches that word one thing differently
 * (each on its own commit, or an event extracted twice) would otherwise add one path with two contents, which git
 * cannot merge.
 */
export function storePath(record: MemoryRecord): string {
  return canonicalPath(canonical(record));
}

/** As `storePath`, for a record that is already canonical. */
export function canonicalPath(record: MemoryRecord): string {
  const time = wholeSeconds(record.generated.at).replace(/[-:]/g, '');
  // Four characters of a hash over the whole record.
  const print = idOf(JSON.stringify(record)).slice(0, 4);
  const name = [time, slugOf(record), print, record.id].filter(Boolean).join('-');
  return `${FOLDERS[record.kind]}/${time.slice(0, 4)}-${time.slice(4, 6)}/${name}.md`;
}

/** Reads a record's file name; undefined when it is not one. */
export function parseFileName(path: string): FileName | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(?:(.*)-)?([0-9a-hjkmnp-tv-z]{10})\.md$/.exec(name);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, words = '', id = ''] = match;
  // Names that people chose have no print; a last word of four such letters is then taken for one, which does no harm.
  const slug = words.replace(/(^|-)[0-9a-hjkmnp-tv-z]{4}$/, '');
  return { time: `${year}-${month}-${day}T${hour}:${minute}:${second}Z`, slug, id };
}

/** Parses a mark's slug, which names its type, its first target and whether it has more. */
export function parseMarkSlug(slug: string): { type: string; target: string; more: boolean } | undefined {
  const match = /^([a-z]+)-([0-9a-hjkmnp-tv-z]{10})(-and-\d+)?$/.exec(slug);
  return match === null ? undefined : { type: match[1] ?? '', target: match[2] ?? '', more: match[3] !== undefined };
}

/** The id at the end of a record's file name, without parsing the name; any text for another file. */
export function idInName(name: string): string {
  return name.slice(-13, -3);
}

const PLAIN_MARK =
  /^\d{8}T\d{6}Z-(?!pin-|undo-)[a-z]+-([0-9a-hjkmnp-tv-z]{10})(?:-[0-9a-hjkmnp-tv-z]{4})?-[0-9a-hjkmnp-tv-z]{10}\.md$/;

/**
 * The only record that a mark is about, by its bare file name; undefined for pins, for undos, for marks on several
 * records, and for names that do not say.
 */
export function soleTarget(name: string): string | undefined {
  return PLAIN_MARK.exec(name)?.[1];
}

/** A time as ISO 8601 in UTC with whole seconds; 1970 if it is invalid, or not within 1990 to 2099. */
export function wholeSeconds(time: Date | string): string {
  const date = typeof time === 'string' ? new Date(time) : time;
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return MONTH.test(iso.slice(0, 7)) ? `${iso.slice(0, 19)}Z` : '1970-01-01T00:00:00Z';
}

function slugOf(record: MemoryRecord): string {
  switch (record.kind) {
    case 'observation':
    case 'summary':
      return slug(record.title);
    case 'mark': {
      const more = record.targets.length - 1;
      // A target comes from a file or a request, so it need not be an id.
      return `${record.type}-${slug(record.targets[0] ?? '')}${more > 0 ? `-and-${more}` : ''}`;
    }
    case 'prompt':
      return `prompt-${record.prompt_number ?? 0}`;
    default:
      return record satisfies never;
  }
}

/** Most characters of a title in a file name: with folder, time and id the path has 125; Windows allows 260. */
const SLUG_LENGTH = 60;

/** Lower-case ASCII words joined by hyphens, cut between words; empty for a title without Latin letters. */
function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let text = '';
  for (const word of words) {
    if (text.length + word.length + 1 > SLUG_LENGTH) break;
    text = text === '' ? word : `${text}-${word}`;
  }
  return text || (words[0] ?? '').slice(0, SLUG_LENGTH);
}

/** A record's path as a pattern that names the file by its id alone, because the words in it are the title's. */
export function nameless(path: string): string {
  const [slash, dash] = [path.lastIndexOf('/'), path.lastIndexOf('-')];
  return dash > slash ? `${path.slice(0, slash + 1)}*${path.slice(dash)}` : path;
}

/** A day, for the clocks of other machines. */
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

/** The latest believable time (ISO 8601) of a record: a later one is invented, or comes from a wrong clock. */
export function latestTime(nowMs: number): string {
  return new Date(nowMs + CLOCK_SKEW_MS).toISOString();
}
