import { relative } from 'node:path';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import { type Redaction, type Repetition, redact } from '../../../capture/by-hand/redact.ts';
import { GitMemError } from '../../../errors.ts';
import { withCache } from '../../../index/cache.ts';
import type { Mark, MarkType } from '../../../memory/record.ts';
import { PERSONAL, personalCheckout, personalIds } from '../../../memory/store/personal.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, readRecords } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Command, type Context, define, type Flags, type Texts } from '../command.ts';
import { each } from '../option-values.ts';
import { shown } from '../print.ts';
import { titleOf } from '../record-table.ts';
import { markMaking } from '../written-record.ts';

interface Verb {
  /** The name of the ids in the help. */
  ids: string;
  about: string;
  help: string;
}

/** The commands that write one mark, all built alike. */
const VERBS: Record<Exclude<MarkType, 'redact'>, Verb> = {
  supersede: {
    ids: 'old',
    about: 'state that a newer record replaces others',
    help: `
Superseded records are not injected and stay in the files; \`git mem list --all\` shows them.
They stay superseded when the newer record is retired: what it replaced did not become true again.
A retired record cannot take the place of others.

Examples:
  git mem supersede k3v9 --by 7h2c
  git mem supersede k3v9 p8w2 --by 7h2c --reason "Measured again."`,
  },
  retire: {
    ids: 'id',
    about: 'state that records no longer hold, and that nothing replaces them',
    help: `
Examples:
  git mem retire k3v9 --reason "The exporter was taken out."
  git mem retire personal:p8w2     one of your personal store`,
  },
  pin: {
    ids: 'id',
    about: 'inject records into every session, however old they are',
    help: `
A retired record cannot be pinned or verified: \`git mem undo\` brings it back first. Nor can a superseded one: mark what
replaced it.

A record with a guard is shown before a matching edit or command, once a session. The pattern is a file, a folder, a glob
such as "*.sql", or the beginning of a command. It counts once the mark and the record are on the reviewed branch, and it
never forbids anything.

Examples:
  git mem pin k3v9
  git mem pin k3v9 --guard "db/migrations/**" --guard "npm publish"
  git mem pin k3v9 --guard "*.lock" --ask     the person is asked first, in Claude Code
  git mem undo k3v9        takes the pin, and every other mark, off again`,
  },
  verify: {
    ids: 'id',
    about: 'state that records were checked and still hold',
    help: `
Examples:
  git mem verify k3v9 --reason "Read against the code of 2.0."`,
  },
  undo: {
    ids: 'id',
    about: 'take back a mark, or every active mark on a record',
    help: `
An undo cannot be undone: repeat what it took back.

Examples:
  git mem undo m4x1        one mark, by its own id
  git mem undo k3v9        all marks on a record`,
  },
};

const DONE = { supersede: 'Superseded', retire: 'Retired', pin: 'Pinned', verify: 'Verified', undo: 'Undone' } as const;

/** Adds a command about some records. */
function addVerb(program: Command, name: string, about: string, ids = 'id'): Command {
  return define(program, name, about)
    .argument(`<${ids}...>`, 'ids, or their first four characters or more')
    .option('--reason <text>', 'why, for the reviewer');
}

/** Opens the repository of the named records, which is the personal store if they have its label; completes the ids. */
async function openNamed(context: Context, given: string[]) {
  const personal = personalIds(given);
  const project = personal ? openPersonal(context.env) : context.project();
  const { workspace } = project;
  const folders = foldersOf(workspace, personal !== undefined);
  const making = await markMaking(project, context);
  const ids = fullIds(workspace, personal ?? given);
  return { isPersonal: personal !== undefined, workspace, folders, making, ids };
}

export function register(program: Command, context: Context): void {
  for (const [type, { ids, about, help }] of Object.entries(VERBS) as [keyof typeof VERBS, Verb][]) {
    const command = addVerb(program, type, about, ids);
    if (type === 'supersede') command.requiredOption('--by <new>', 'the record that replaces them');
    if (type === 'pin') {
      command.option('--guard <pattern>', 'show it before this file or command (repeat)', each);
      command.option('--ask', 'with --guard: have the person asked, where the agent can');
    }
    command.jsonAndNotes(help).action((given: string[], options: MarkOptions) => mark(type, given, options, context));
  }
  addVerb(program, 'redact', 'hide records, and keep their text from being captured again')
    .option('--only', 'leave other records with the same sentences alone')
    .option('--dry-run', 'show what would be hidden, and write nothing')
    .jsonAndNotes(`
Every record of both stores and of your personal one that repeats one of its sentences is hidden with it: the summary of the session, siblings,
prompts. They are listed, and \`--dry-run\` lists them before; to choose, name the ids together with --only. Files that
are not records but contain its words (drafts, an export, a site in the working tree) are listed.

The mark holds salted hashes of the text, sentence by sentence, and none of the text itself. It hides the records on
every branch that has it, and \`git mem check\` refuses a record that repeats them. The files, and git's history,
still hold the text: \`git mem scrub\` shows how to remove it. A secret that was written down has to be changed
whatever else is done.

Examples:
  git mem redact k3v9 --dry-run
  git mem redact k3v9 --reason "Names a customer."
  git mem redact k3v9 p8w2 --only      these two and no other
  git mem scrub                        how to take them out of history`)
    .action((given: string[], options: RedactOptions) => hide(given, options, context));
}

type MarkOptions = Flags<'ask' | 'json'> & Texts<'by' | 'reason'> & { guard?: string[] };

async function mark(type: keyof typeof VERBS, given: string[], options: MarkOptions, context: Context): Promise<void> {
  const { by: replacing, reason = '', json } = options;
  const { workspace, folders, making, ids } = await openNamed(context, [...given, ...(replacing ? [replacing] : [])]);
  const [targets, by] = [ids.slice(0, given.length), ids[given.length]];
  const guard = guardOf(options);
  const marking = { type, targets, reason, ...(by !== undefined && { by }), ...(guard && { guard }) };
  const { id, path: inStore, store, created } = await writeMark(workspace, marking, making);
  const path = `${folders[store]}/${inStore}`;
  const { found } = await withCache(workspace, (cache) => readRecords(workspace, cache, targets));
  const marked = found.map(({ record }) => ({ id: record.id, title: titleOf(record) }));
  if (json) return context.json({ id, path, marked });
  context.stdout.write(`${id}  ${path}\n`);
  const lines = marked.map((one) => `\n  ${one.id}  ${shown(one.title)}`).join('');
  const which = marked.length === 1 ? `: ${shown(marked[0]?.title ?? '')}` : ` ${marked.length} records:${lines}`;
  context.say(`${DONE[type]}${which}`);
  if (!created) context.say('It already existed.');
  if (guard) context.say('It guards once the mark and the record are on the reviewed branch.');
}

function guardOf({ guard, ask }: MarkOptions): Pick<Mark, 'guards' | 'asks'> | undefined {
  if (guard !== undefined) return { guards: guard, ...(ask && { asks: 'person' as const }) };
  if (!ask) return undefined;
  throw new GitMemError('bad-input', '--ask needs --guard.', {
    hint: 'Name the files or commands before which to ask.',
  });
}

type RedactOptions = Flags<'only' | 'dryRun' | 'json'> & Texts<'reason'>;

async function hide(given: string[], options: RedactOptions, context: Context): Promise<void> {
  const { only = false, dryRun = false, reason = '', json } = options;
  const { isPersonal, workspace, folders, making, ids } = await openNamed(context, given);
  const personal = !isPersonal && personalCheckout(context.env) ? openPersonal(context.env).workspace : undefined;
  const done = await redact(workspace, { ids, reason, only, dryRun, personal }, making);
  const marks = done.marks.map(({ id, path, store }) => ({ id, path: `${folders[store]}/${path}` }));
  const names = namesOf(done, workspace.checkout.root);
  if (json) context.json({ ...marks[0], marks, ...names });
  else for (const { id, path } of marks) context.stdout.write(`${id}  ${path}\n`);
  if (marks.length > 0 && done.marks.every(({ created }) => !created)) context.say('It already existed.');
  talk(names, dryRun, context);
}

/** The parts of records that may still be shown. */
function namesOf({ also, personal, left, copies }: Redaction, root: string) {
  const named = ({ record: { id, kind }, entry: { store } }: Repetition) => ({ id, kind, store });
  const abroad = personal.map((one) => ({ ...named(one), store: PERSONAL }));
  return {
    also: [...also.map(named), ...abroad],
    left: left.map(named),
    copies: copies.map((path) => relative(root, path)),
  };
}

function talk({ also, left, copies }: ReturnType<typeof namesOf>, dryRun: boolean, { stderr }: Context): void {
  const lines = (names: typeof also) => names.map(({ id, kind, store }) => `  ${id}  ${kind}, ${store} store`);
  const parts = [
    ...(also.length > 0 ? [`These repeat it, and ${dryRun ? 'would be' : 'are'} hidden with it:`, ...lines(also)] : []),
    ...(left.length > 0 ? ['These still say it:', ...lines(left)] : []),
    ...(copies.length > 0 ? ['These files contain its text:', ...copies.map((path) => `  ${shown(path)}`)] : []),
    dryRun
      ? 'Nothing was written.'
      : "Its text is still in the files and in git's history: `git mem scrub` shows how to remove it.",
  ];
  stderr.write(`${parts.join('\n')}\n`);
}
