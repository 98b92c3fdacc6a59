import { type Command, Option } from 'commander';
import { GitMemError } from '../errors.ts';
import { KINDS, type Kind } from '../memory/record.ts';
import type { Filter } from '../recall/read.ts';

/** The filters that reading commands share, as commander parsed them. */
export interface FilterOptions {
  type?: string[];
  concept?: string[];
  file?: string[];
  kind?: Kind[];
  since?: string;
  until?: string;
  branch?: string;
  session?: string;
  store?: 'team' | 'private';
  trust?: NonNullable<Filter['trust']>;
  all?: boolean;
  limit: number;
}

/** Adds the shared filters to a command. */
export function addFilters(command: Command, limit: number): Command {
  const list = (value: string, before: string[] = []) => [...before, ...value.split(',').filter(Boolean)];
  return command
    .option('--type <type>', 'only these types (repeat, or separate by commas)', list)
    .option('--concept <concept>', 'only records with one of these concepts', list)
    .option('--file <path>', 'only records that cite this file or folder', list)
    .addOption(
      new Option('--kind <kind>', `only these kinds: ${KINDS.join(', ')}`).argParser(
        (value: string, before: Kind[] = []) => [...before, ...value.split(',').map(kindOf)],
      ),
    )
    .option('--since <date>', 'not before this day or time (2026-11-20, 2026-11)')
    .option('--until <date>', 'not after this day or time')
    .option('--branch <name>', 'only records captured on this branch')
    .option('--session <id>', 'only records of this session (the start of its id is enough)')
    .addOption(new Option('--store <store>', 'only one store').choices(['team', 'private']))
    .addOption(new Option('--trust <trust>', 'only this trust').choices(['reviewed', 'own', 'edited', 'unreviewed']))
    .option('--all', 'superseded, retired and redacted records too')
    .option('--limit <n>', 'at most this many', wholeNumber, limit);
}

/** The filter that the options mean; throws bad-input for a date that is none. */
export function filterOf(options: FilterOptions): Filter {
  return {
    ...(options.kind && { kinds: options.kind }),
    ...(options.type && { types: options.type }),
    ...(options.concept && { concepts: options.concept }),
    ...(options.file && { files: options.file.map((file) => file.replace(/^\.\//, '').replace(/\/+$/, '')) }),
    ...(options.branch && { branch: options.branch }),
    ...(options.session && { session: options.session }),
    ...(options.store && { store: options.store }),
    ...(options.trust && { trust: options.trust }),
    ...(options.since && { since: bound(options.since, 'start') }),
    ...(options.until && { until: bound(options.until, 'end') }),
    ...(options.all && { all: true }),
  };
}

/** The first or last instant that a day, month, year or time names, in UTC. */
function bound(text: string, end: 'start' | 'end'): string {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(text.trim());
  const [, year, month, day, time] = match ?? [];
  if (year !== undefined) {
    const at = time
      ? new Date(time.match(/Z|[+-]\d\d:?\d\d$/) ? text : `${text}Z`)
      : end === 'start'
        ? new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)))
        : new Date(
            Date.UTC(Number(year), month ? Number(month) - (day ? 1 : 0) : 12, day ? Number(day) + 1 : 1) - 1000,
          );
    if (!Number.isNaN(at.getTime())) return `${at.toISOString().slice(0, 19)}Z`;
  }
  throw new GitMemError('bad-input', `"${text}" is not a date.`, {
    hint: 'Write 2026, 2026-11, 2026-11-20 or 2026-11-20T20:05:00Z.',
  });
}

function kindOf(text: string): Kind {
  const singular = text.replace(/^summaries$/, 'summary').replace(/s$/, '');
  const kind = KINDS.find((known) => known === singular);
  if (kind === undefined) {
    throw new GitMemError('bad-input', `"${text}" is not a kind of record.`, {
      hint: `Kinds are ${KINDS.join(', ')}.`,
    });
  }
  return kind;
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new GitMemError('bad-input', `"${text}" is not a whole number.`, { hint: 'For example `--limit 20`.' });
}
