import { bareName } from '../slashes.ts';
import type { Database } from './database/database.ts';
import type { Viewer } from './port.ts';
import type { HubFilter } from './port-reading.ts';

/** What every process knows of the repositories: their names and teams. It decides no rights. */
export interface Catalogue {
  /** The repositories of the viewer that a filter leaves. */
  narrowed(viewer: Viewer, filter: HubFilter): Promise<number[]>;
  nameOf(number: number): Promise<string>;
}

interface Entry {
  number: number;
  name: string;
  teams: string[];
}

/** How long a list is good for, in milliseconds: another process may take over a new configuration. */
const FRESH_MS = 5000;

export function catalogue(database: Database): Catalogue {
  let kept: { at: number; entries: Promise<Map<number, Entry>> } | undefined;

  function entries(): Promise<Map<number, Entry>> {
    if (kept === undefined || Date.now() - kept.at > FRESH_MS) {
      const read = async () => {
        const rows = await database.query<Entry>('SELECT number, name, teams FROM repository');
        return new Map(rows.map((row) => [row.number, row]));
      };
      kept = { at: Date.now(), entries: read() };
      // A failure is reported to its caller, and not cached.
      kept.entries.catch(() => {
        kept = undefined;
      });
    }
    return kept.entries;
  }

  return {
    async narrowed({ repositories }, { repository, team }) {
      if (repository === undefined && team === undefined) return [...repositories];
      const all = await entries();
      return repositories.filter((number) => {
        const entry = all.get(number);
        if (entry === undefined) return false;
        return (repository?.includes(entry.name) ?? true) && (team?.some((one) => entry.teams.includes(one)) ?? true);
      });
    },
    async nameOf(number) {
      return (await entries()).get(number)?.name ?? '';
    },
  };
}

/** The part of a filter that the database decides; which repositories is decided before. */
export function conditionsOf({ repository: _, team: __, file, ...same }: HubFilter): object {
  return { ...same, ...(file && { paths: filePatterns(file) }) };
}

/** Longest file, folder or glob of a filter, in characters: the database compares it with every path. */
const LONGEST = 300;

/** Files, folders and globs as `--file` takes them, as regular expressions of PostgreSQL. */
function filePatterns(files: readonly string[]): string[] {
  return files.map((file) => {
    const place = bareName(file.slice(0, LONGEST));
    if (place === '' || place === '.') return '';
    // A glob without a folder matches in any folder; what matches a folder matches everything in it.
    const start = /[*?]/.test(place) && !place.includes('/') ? '(^|/)' : '^';
    return `${start}${expressionOf(place)}(/|$)`;
  });
}

function expressionOf(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|[*?]|[^\w/]/g, (part) => {
    if (part === '**/') return '(.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
}
