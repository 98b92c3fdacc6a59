import { relative, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { typesOf } from '../../capture/extract/mode.ts';
import { GitMemError } from '../../errors.ts';
import type { NamedSource } from '../../exchange/places/reader.ts';
import { withSlashes } from '../../git/paths.ts';
import { withCache } from '../../index/cache.ts';
import { KINDS, MARK_TYPES, STORES } from '../../memory/record.ts';
import { PERSONAL } from '../../memory/store/personal.ts';
import { workspaceAt } from '../../memory/store/workspace.ts';
import { openPersonal, type Project } from '../../project.ts';
import { FRESHNESS, TRUST } from '../../provenance/levels.ts';
import { type Filter, filterFrom } from '../../records/card-filter.ts';
import { DATE_HINT, readDate } from '../../search/dates.ts';
import type { Command, Context, Flags } from './command.ts';
import { type FilterOptions, kinds, wholeNumber, words } from './option-values.ts';

/** The help of `--at`. */
export const AT = 'as of this commit, branch or tag: what the team had then';

/** Adds the filters of every command that reads many records. */
export function addCommonFilters(command: Command): Command {
  return command
    .option('--type <type>', 'only these types (repeat, or separate by commas)', words)
    .option('--at <revision>', AT);
}

/** The option that names one store. */
export function storeOption(): Option {
  return new Option('--store <store>', 'only one store').choices([...STORES, PERSONAL]);
}

/** Adds every filter to a command that lists records; `limit` is its default limit. */
export function addFilters(command: Command, { now, limit }: { now: () => Date; limit: number }): Command {
  const date = (end: 'start' | 'end') => (text: string) => dateGiven(text, end, now());
  return addCommonFilters(command)
    .addOption(storeOption())
    .option('--file <path>', 'only records that cite this file, folder or glob', words)
    .option('--since <date>', 'not before this day or time (2026-11-20, 2026-11, yesterday)', date('start'))
    .option('--until <date>', 'not after this day or time', date('end'))
    .option('--concept <concept>', 'only records with one of these concepts', words)
    .option('--kind <kind>', `only these kinds: ${KINDS.join(', ')}`, kinds)
    .option('--branch <name>', 'only records captured on this branch')
    .option('--session <id>', 'only records of this session (the start of its id is enough)')
    .addOption(new Option('--trust <trust>', 'only this trust').choices(TRUST))
    .addOption(new Option('--freshness <freshness>', 'only this freshness').choices(FRESHNESS))
    .option('--all', 'superseded, retired and redacted records too')
    .option('-n, --limit <n>', 'at most this many', wholeNumber, limit);
}

/** Opens the checkout, as it was with `--at`, or the personal store, which is then the records' origin. */
export async function openReading(context: Context, options: FilterOptions) {
  const isPersonal = options.store === PERSONAL;
  const project = isPersonal ? openPersonal(context.env) : context.project();
  const { checkout } = project.workspace;
  const filter = filterOf(options, { root: checkout.root, cwd: context.cwd });
  if (options.type) await requireTypes(project, options.type);
  const { at } = options;
  const workspace = at === undefined ? project.workspace : await workspaceAt(project.workspace, at);
  return { project: { ...project, workspace }, workspace, filter, ...(isPersonal && { origin: PERSONAL }) };
}

/** A mistyped type would match nothing: throws bad-input for one that neither the settings nor any record has. */
async function requireTypes({ workspace, config }: Project, wanted: string[]): Promise<void> {
  const known = [...typesOf(config().config), 'summary', 'digest', 'prompt', ...MARK_TYPES];
  const unknown = wanted.filter((type) => !known.includes(type));
  if (unknown.length === 0) return;
  // Records may be older than the settings, or come from a tool with its own types.
  return withCache(workspace, async (cache) => {
    const used = await cache.query((index) => new Set([...index.newest()].map(({ card }) => card.type)));
    const wrong = unknown.find((type) => !used.has(type));
    if (wrong === undefined) return;
    throw new GitMemError('bad-input', `No record can have the type "${wrong}".`, {
      hint: `Types are ${[...new Set([...known, ...used])].join(', ')}.`,
    });
  });
}

/** The filter from the options. A file may be relative to the top of the repository or to the current folder. */
function filterOf(options: FilterOptions, { root, cwd }: { root: string; cwd: string }): Filter {
  const namings = (file: string) => {
    const fromHere = withSlashes(relative(root, resolve(cwd, file))) || '.';
    // A path that begins with a dot or a slash is unambiguous.
    return /^\.{0,2}(?:\/|$)/.test(file) || file === fromHere ? [fromHere] : [file, fromHere];
  };
  // The personal store is a repository of its own, whose records are all in its team store.
  const { store, ...rest } = options;
  const file = options.file?.flatMap(namings);
  return filterFrom({ ...rest, ...(store !== PERSONAL && { store }), file });
}

/** Reads a date of the command line; anything else is wrong usage. */
export function dateGiven(text: string, end: 'start' | 'end', now: Date): string {
  const found = readDate(text, end, now);
  if (found === undefined) throw new InvalidArgumentError(DATE_HINT);
  return found;
}

export type OtherOptions = Flags<'allRepositories'>;

/** Makes a command search every repository of the user. `at` names a commit of this one alone. */
export const ALL_REPOSITORIES = new Option(
  '--all-repositories',
  'records of all your repositories too, which `git mem init` set up',
).conflicts('at');

/** Opens the user's other memories, or those of `names`; reports what is gone. Throws bad-input for an unknown name. */
export async function othersFor(
  context: Context,
  { workspace }: Project,
  { allRepositories = false, names = [] }: OtherOptions & { names?: string[] },
): Promise<{ sources: NamedSource[]; close(): void }> {
  if (!allRepositories && names.length === 0) return { sources: [], close() {} };
  const { openPlaces, openSourceCaches } = await import('../../exchange/places/reader.ts');
  const caches = openSourceCaches();
  const isWanted = (name: string) => allRepositories || names.includes(name);
  const { sources, known, notes } = openPlaces(context.env, caches, { besides: workspace, isWanted });
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new GitMemError('bad-input', `There is no other repository called "${unknown}".`, {
      hint: `${known.length > 0 ? `There are ${known.join(', ')}` : 'None is known'}; an id has no colon.`,
    });
  }
  if (known.length === 0) notes.push('No other repository is known: `git mem init` notes each one that it sets up.');
  for (const note of notes) context.say(note);
  return { sources, close: () => caches.close() };
}
