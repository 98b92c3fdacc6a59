import type { Command } from 'commander';
import { promote } from '../../../capture/by-hand/promote.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { fullIds } from '../../../recall/query/records.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import type { Context } from '../context.ts';
import { printJson } from '../print.ts';

/** `git mem promote`: copies private records into the team store. */
export function register(program: Command, context: Context): void {
  program
    .command('promote')
    .description('copy private records into the team store, to be committed')
    .argument('<id...>', 'ids, or their first four characters or more')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The copy has the same id, and secrets are taken out once more. The private record stays. Prompts are never promoted.

Examples:
  git mem list --store private
  git mem promote k3v9 p8w2`,
    )
    .action(async (given: string[], options: { json?: boolean }) => {
      const { workspace, config } = context.project();
      const cleaner = createCleaner(config().config.privacy.redact, MAX_SCANNED_TEXT);
      const copied = await promote(workspace, fullIds(workspace, given), { cleaner });
      const promoted = copied.map((one) => ({ ...one, path: `${foldersOf(workspace).team}/${one.path}` }));
      const [first] = promoted;
      if (options.json) return printJson(context.stdout, { id: first?.id, path: first?.path, promoted });
      for (const { id, path, created } of promoted) {
        context.stdout.write(`${id}  ${path}\n`);
        if (!created) context.stderr.write(`${id} was there already.\n`);
      }
    });
}
