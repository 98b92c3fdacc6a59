import { accept } from '../../../capture/by-hand/acceptance.ts';
import { agentInShell } from '../../../capture/by-hand/saving-agent.ts';
import { refuseTaintedShell } from '../../../capture/by-hand/tainted-session.ts';
import { typeOf } from '../../../memory/record.ts';
import { acceptSettings } from '../../../provenance/settings.ts';
import { counted } from '../../../quantities.ts';
import { fullIds } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { type Command, type Context, define, type Flags } from '../command.ts';
import { shown } from '../print.ts';
import { titleOf } from '../record-table.ts';

export function register(program: Command, context: Context): void {
  const command = define(program, 'trust', 'accept unreviewed records on this clone only')
    .argument('[id...]', 'ids of records or marks, or their first four characters or more')
    .option('--branch', "everything unreviewed in this checkout's .memory/, settings too")
    .jsonAndNotes(`
Unreviewed records are never injected, and unreviewed marks change nothing. What is accepted here counts on this
clone as if it had been written here; the others decide for themselves. An edit makes it unreviewed again.

Examples:
  git mem list --trust unreviewed
  git mem trust k3v9
  git mem trust --branch      all that this branch brings, marks and settings too`)
    .action(async (given: string[], options: Flags<'branch' | 'json'>) => {
      if (options.branch ? given.length > 0 : given.length === 0) command.error('error: give ids, or --branch alone');
      const { workspace } = context.project();
      const what = options.branch ? '--branch' : given.join(' ');
      await refuseTaintedShell(workspace, context.stdin, `git mem trust ${what}`);
      const ids = options.branch ? undefined : new Set(fullIds(workspace, given));
      const by = { isAgent: agentInShell(workspace, context.stdin) !== undefined };
      const { accepted, unreadable } = await accept(workspace, ids, by);
      const settings = options.branch === true && acceptSettings(workspace);
      if (options.json) {
        const folders = foldersOf(workspace);
        const trusted = accepted.map(({ record, entry, trust: was }) => {
          const path = `${folders[entry.store]}/${entry.path}`;
          return { id: record.id, title: titleOf(record), path, kind: record.kind, type: typeOf(record), was };
        });
        return context.json({ trusted, unreadable, settings });
      }
      for (const { record, trust } of accepted) {
        const note = trust === 'edited' ? '  [edited: the default branch has another text]' : '';
        context.stdout.write(`${record.id}  ${shown(typeOf(record)).padEnd(9)} ${shown(titleOf(record))}${note}\n`);
      }
      if (settings) context.say('The settings in .memory/config.yaml count on this clone.');
      if (unreadable > 0) context.say(`${counted(unreadable, 'file')} could not be read: \`git mem check\`.`);
      const count = accepted.length === 0 ? 'Nothing is unreviewed' : `${counted(accepted.length, 'record')} accepted`;
      context.say(`${count} on this clone.`);
    });
}
