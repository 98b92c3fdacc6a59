import { privateRef, privateRemote, syncPrivate } from '../../../exchange/sync/private.ts';
import { withoutUser } from '../../../git/network.ts';
import type { Command, Context } from '../command.ts';
import { withProgress } from '../progress-bar.ts';
import { printSynced } from '../sync-report.ts';

export function register(program: Command, context: Context): void {
  const own = program
    .command('private')
    .description('your private records of this repository')
    .notes(`
Example:
  git mem private sync     brings them to a remote and from it, where no usual fetch takes them`);
  own
    .command('sync')
    .description('bring them and a reference at a remote together, so that they outlive this clone')
    .argument('[remote]', 'a remote or an address; without it origin')
    .option('--as <name>', 'whose they are; without it from user.email')
    .option('--json', 'print JSON')
    .notes(`
They go to refs/git-mem/private/NAME, which no clone or fetch brings unasked; on another machine the same command brings
them. Prompts are included, with secrets redacted. Anybody who can read the remote can read them, and anybody who may push to
it can add to them: give a remote of your own where that matters.

Examples:
  git mem private sync
  git mem private sync git@example.com:ada/notes.git --as ada`)
    .action(async (given: string | undefined, { as, json = false }: { as?: string; json?: boolean }) => {
      const { workspace, config } = context.project();
      const remote = await privateRemote(workspace, given);
      const ref = await privateRef(workspace, as);
      const patterns = config().config.privacy.redact;
      const synced = await withProgress(context, json, (onProgress) =>
        syncPrivate(workspace, { ref, remote, patterns, onProgress }),
      );
      printSynced(synced, context, { partner: `${withoutUser(remote)} ${ref}`, json });
    });
}
