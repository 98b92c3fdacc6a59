import { writeMark } from '../../../capture/by-hand/mark.ts';
import { GitMemError } from '../../../errors.ts';
import { withCache } from '../../../index/cache.ts';
import type { Mark, MarkType } from '../../../memory/record.ts';
import { personalIds } from '../../../memory/store/personal.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds, readRecords } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import type { Command, Context, Flags, Texts } from '../command.ts';
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

/** The commands that write one mark, all built alike; `redact` does more. */
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

export function register(program: Command, context: Context): void {
  for (const [type, { ids, about, help }] of Object.entries(VERBS) as [keyof typeof VERBS, Verb][]) {
    const command = program
      .command(type)
      .description(about)
      .argument(`<${ids}...>`, 'ids, or their first four characters or more');
    if (type === 'supersede') command.requiredOption('--by <new>', 'the record that replaces them');
    if (type === 'pin') {
      command.option('--guard <pattern>', 'show it before this file or command (repeat)', each);
      command.option('--ask', 'with --guard: have the person asked, where the agent can');
    }
    command
      .option('--reason <text>', 'why, for the reviewer')
      .option('--json', 'print JSON')
      .notes(help)
      .action(async (given: string[], options: Options) => {
        const named = [...given, ...(options.by === undefined ? [] : [options.by])];
        const personal = personalIds(named);
        const project = personal ? openPersonal(context.env) : context.project();
        const { workspace } = project;
        const ids = await fullIds(workspace, personal ?? named, context.say);
        const [targets, by] = [ids.slice(0, given.length), ids[given.length]];
        const guard = guardOf(options);
        const said = { reason: options.reason ?? '', ...(by !== undefined && { by }), ...(guard && { guard }) };
        const marking = { type, targets, ...said };
        const written = await writeMark(workspace, marking, await markMaking(project, context));
        const folder = personal ? workspace.layout.memory : foldersOf(workspace)[written.store];
        const path = `${folder}/${written.path}`;
        const { found } = await withCache(workspace, (cache) => readRecords(workspace, cache, targets));
        const marked = found.map(({ record }) => ({ id: record.id, title: titleOf(record) }));
        if (options.json) return context.json({ id: written.id, path, marked });
        context.stdout.write(`${written.id}  ${path}\n`);
        const lines = marked.map(({ id, title }) => `\n  ${id}  ${shown(title)}`);
        const which =
          lines.length === 1 ? `: ${shown(marked[0]?.title ?? '')}` : ` ${lines.length} records:${lines.join('')}`;
        context.say(`${DONE[type]}${which}`);
        if (!written.created) context.say('It was there already.');
        if (guard) context.say('It guards once the mark and the record are on the reviewed branch.');
      });
  }
}

type Options = Flags<'ask' | 'json'> & Texts<'by' | 'reason'> & { guard?: string[] };

function guardOf({ guard, ask }: Options): Pick<Mark, 'guards' | 'asks'> | undefined {
  if (guard !== undefined) return { guards: guard, ...(ask && { asks: 'person' as const }) };
  if (!ask) return undefined;
  throw new GitMemError('bad-input', '--ask needs --guard.', {
    hint: 'Name the files or commands before which to ask.',
  });
}
