import { Option } from 'commander';
import { promote, promoteToPersonal } from '../../../capture/by-hand/promote.ts';
import { agentInShell } from '../../../capture/by-hand/saving-agent.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { PERSONAL } from '../../../memory/store/personal.ts';
import { openPersonal } from '../../../project.ts';
import { fullIds } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { define, type Register } from '../command.ts';

export const register: Register = (program, context) =>
  define(
    program,
    'promote',
    'copy private records into the team store, to be committed, or records into your personal store',
  )
    .argument('<id...>', 'ids, or their first four characters or more')
    .addOption(new Option('--to <store>', 'where to').choices(['team', PERSONAL]).default('team'))
    .jsonAndNotes(`
The copy has the same id, and secrets are taken out once more. The record itself stays. Prompts are never promoted. In your
personal store a copy has nothing of this repository: no files, branch, commit or session.

Examples:
  git mem list --store private
  git mem promote k3v9 p8w2
  git mem promote k3v9 --to personal`)
    .action(async (given: string[], options: { to: string; json?: boolean }) => {
      const project = context.project();
      const { workspace } = project;
      const cleaner = await project.cleaner(MAX_SCANNED_TEXT);
      const ids = fullIds(workspace, given);
      const by = { cleaner, isAgent: agentInShell(workspace, context.stdin) !== undefined };
      const personal = options.to === PERSONAL ? openPersonal(context.env).workspace : undefined;
      const folder = foldersOf(personal ?? workspace, personal !== undefined).team;
      const copied = personal
        ? await promoteToPersonal(workspace, personal, ids, by)
        : await promote(workspace, ids, by);
      const promoted = copied.map((one) => ({ ...one, path: `${folder}/${one.path}` }));
      const [first] = promoted;
      if (options.json) return context.json({ id: first?.id, path: first?.path, promoted });
      for (const { id, path, created } of promoted) {
        context.stdout.write(`${id}  ${path}\n`);
        if (!created) context.say(`${id} already existed.`);
      }
    });
