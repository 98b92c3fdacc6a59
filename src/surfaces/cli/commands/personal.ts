import { resolve } from 'node:path';
import { GitMemError } from '../../../errors.ts';
import { addSettings, initPersonal, remoteOf, syncPersonal } from '../../../exchange/sync/personal.ts';
import type { Synced } from '../../../exchange/sync/sync-folder.ts';
import { withoutUser } from '../../../git/network.ts';
import { openPersonal } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { settleReviewed } from '../../../setup/reviewed-branch.ts';
import type { Command, Context } from '../command.ts';
import { printJson, shown } from '../print.ts';
import { withProgress } from '../progress-bar.ts';
import { printSynced } from '../sync-report.ts';

export function register(program: Command, context: Context): void {
  const personal = program
    .command('personal')
    .description('your personal store: what every agent should know about you, in every repository')
    .option('--json', 'print JSON')
    .notes(`
It is a small repository of its own, outside every project. Its records are injected first at each session start, in at most
150 tokens; they never become part of a project. Where a project's records say otherwise, the project's win.

Examples:
  git mem personal init                                        make it
  git mem add --personal --type preference --title "Answers in two sentences, without a summary"
  git mem list --store personal
  git mem promote k3v9 --to personal                           a copy of a record of this repository
  git mem personal init --remote git@example.com:ada/me.git    share it between your machines
  git mem personal sync`)
    .action(async ({ json = false }: { json?: boolean }) => {
      const { workspace } = openPersonal(context.env);
      const { checkout, stores } = workspace;
      const remote = await remoteOf(checkout, context.env);
      const records = [...stores.team.newest('observation')].length;
      if (json) return printJson(context.stdout, { root: checkout.root, remote: remote ?? null, records });
      const place = remote === undefined ? 'no remote' : shown(withoutUser(remote));
      context.stdout.write(`${shown(checkout.root)}  ${counted(records, 'record')}, ${place}\n`);
    });
  personal
    .command('init')
    .description('make the store, or set its remote')
    .option('--remote <url>', 'a repository of your own that carries it between machines; its records come at once')
    .option('--json', 'print JSON')
    .notes(`
Anybody who may push to the remote can put text before your agents: use one of your own.

Examples:
  git mem personal init
  git mem personal init --remote git@example.com:ada/me.git`)
    .action(async ({ json = false, remote }: { json?: boolean; remote?: string }) => {
      const { checkout, created } = await initPersonal(context.env, remote && addressOf(remote, context.cwd));
      if (!json) {
        const done = created ? 'is your personal store now' : 'is your personal store';
        context.stderr.write(`${shown(checkout.root)} ${done}. Add to it: \`git mem add --personal\`.\n`);
      }
      const { synced, shownRemote } = await sync(context, json);
      if (addSettings(checkout)) await sync(context, json);
      // Its branch is the user's own: what other machines sent counts as theirs, too.
      settleReviewed(openPersonal(context.env).workspace, 'main');
      if (remote !== undefined) printSynced(synced, context, { partner: shownRemote, json });
      else if (json) printJson(context.stdout, { root: checkout.root, created });
    });
  personal
    .command('sync')
    .description('commit what is new, and bring it and the remote together')
    .option('--json', 'print JSON')
    .notes(`
Without a remote it commits. What both sides added stays; nothing is ever forced. No other command uses the network.

Example:
  git mem personal sync`)
    .action(async ({ json = false }: { json?: boolean }) => {
      const { synced, shownRemote } = await sync(context, json);
      printSynced(synced, context, { partner: shownRemote, json });
    });
}

async function sync(context: Context, json: boolean): Promise<{ synced: Synced; shownRemote: string | undefined }> {
  const { workspace, config } = openPersonal(context.env);
  const patterns = config().config.privacy.redact;
  const synced = await withProgress(context, json, (onProgress) =>
    syncPersonal(workspace.checkout, context.env, { patterns, onProgress }),
  );
  const remote = await remoteOf(workspace.checkout, context.env);
  return { synced, shownRemote: remote && withoutUser(remote) };
}

/** A path becomes absolute: the store is elsewhere. Throws bad-input for what git would read as an option. */
function addressOf(remote: string, cwd: string): string {
  if (remote.startsWith('-')) throw new GitMemError('bad-input', `"${shown(remote)}" is not an address.`);
  return /^[a-z][\w+.-]*:\/\/|^[^/]+:/i.test(remote) ? remote : resolve(cwd, remote);
}
