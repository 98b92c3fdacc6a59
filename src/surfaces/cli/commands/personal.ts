import { resolve } from 'node:path';
import { GitMemError } from '../../../errors.ts';
import { addSettings, initPersonal, remoteOf, syncPersonal } from '../../../exchange/sync/personal.ts';
import { privateRef, privateRemote, syncPrivate } from '../../../exchange/sync/private.ts';
import type { Synced } from '../../../exchange/sync/sync-folder.ts';
import { withoutUser } from '../../../git/network.ts';
import { parseFileName } from '../../../memory/file-name.ts';
import { openPersonal } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { settleReviewed } from '../../../setup/reviewed-branch.ts';
import { type Command, type Context, define, type Flags, type Texts } from '../command.ts';
import { shown } from '../print.ts';
import { withProgress } from '../progress.ts';

/** Long because it has four commands, each with its help. */
export function register(program: Command, context: Context): void {
  const personal = define(
    program,
    'personal',
    'your personal store: what every agent should know about you, in every repository',
  )
    .jsonAndNotes(`
It is a small repository of its own, outside every project. Its records are injected first at each session start, in at most
150 tokens; they never become part of a project. Where a project's records say otherwise, the project's win.

Examples:
  git mem add --personal --type preference --title "Answers in two sentences, without a summary"
  git mem list --store personal
  git mem promote k3v9 --to personal                           a copy of a record of this repository
  git mem personal init --remote git@example.com:ada/me.git    share it between your machines
  git mem personal sync`)
    .action(async ({ json = false }: Flags<'json'>) => {
      const { workspace } = openPersonal(context.env);
      const { checkout, stores } = workspace;
      const remote = await remoteOf(checkout, context.env);
      const records = [...stores.team.newest('observation')].length;
      if (json) return context.json({ root: checkout.root, remote: remote ?? null, records });
      const place = remote === undefined ? 'no remote' : shown(withoutUser(remote));
      context.stdout.write(`${shown(checkout.root)}  ${counted(records, 'record')}, ${place}\n`);
    });
  define(personal, 'init', 'make the store, or set its remote')
    .option('--remote <url>', 'a repository of your own that carries it between machines; its records come at once')
    .jsonAndNotes(`
Anybody who may push to the remote can put text before your agents: use one of your own.

Example:
  git mem personal init --remote git@example.com:ada/me.git`)
    .action(async ({ json = false, remote }: Flags<'json'> & Texts<'remote'>) => {
      const { checkout, created } = await initPersonal(context.env, remote && addressOf(remote, context.cwd));
      const now = created ? ' now' : '';
      if (!json) context.say(`${checkout.root} is your personal store${now}. Add to it: \`git mem add --personal\`.`);
      const done = await sync(context, json);
      if (addSettings(checkout)) await sync(context, json);
      // The branch is the user's own: what other machines sent counts as reviewed, too.
      settleReviewed(openPersonal(context.env).workspace, 'main');
      if (remote !== undefined) printSynced(done, context, json);
      else if (json) context.json({ root: checkout.root, created });
    });
  define(personal, 'sync', 'commit what is new, and bring it and the remote together')
    .jsonAndNotes(`
Without a remote it commits. What both sides added stays; nothing is ever forced. No other command uses the network.

Example:
  git mem personal sync`)
    .action(async ({ json = false }: Flags<'json'>) => {
      printSynced(await sync(context, json), context, json);
    });
  const own = define(program, 'private', 'your private records of this repository').notes(`
Example:
  git mem private sync     brings them to a remote and from it, where no usual fetch takes them`);
  define(own, 'sync', 'bring them and a reference at a remote together, so that they outlive this clone')
    .argument('[remote]', 'a remote or an address; without it origin')
    .option('--as <name>', 'whose they are; without it from user.email')
    .jsonAndNotes(`
They go to refs/git-mem/private/NAME, which no clone or fetch brings unasked; on another machine the same command brings
them. Prompts are included, with secrets redacted. Anybody who can read the remote can read them, and anybody who may push to
it can add to them: give a remote of your own where that matters.

Example:
  git mem private sync git@example.com:ada/notes.git --as ada`)
    .action(async (given: string | undefined, { as, json = false }: Flags<'json'> & Texts<'as'>) => {
      const { workspace, config } = context.project();
      const place = { ref: await privateRef(workspace, as), remote: await privateRemote(workspace, given) };
      const patterns = config().config.privacy.redact;
      const synced = await withProgress(context, json, (onProgress) =>
        syncPrivate(workspace, { ...place, patterns, onProgress }),
      );
      printSynced({ synced, partner: `${withoutUser(place.remote)} ${place.ref}` }, context, json);
    });
}

/** `partner` is the remote as it may be shown, undefined without one. */
type Sync = { synced: Synced; partner: string | undefined };

async function sync(context: Context, json: boolean): Promise<Sync> {
  const { workspace, config } = openPersonal(context.env);
  const patterns = config().config.privacy.redact;
  const synced = await withProgress(context, json, (onProgress) =>
    syncPersonal(workspace.checkout, context.env, { patterns, onProgress }),
  );
  const remote = await remoteOf(workspace.checkout, context.env);
  return { synced, partner: remote && withoutUser(remote) };
}

/** A path becomes absolute: the store is elsewhere. Throws bad-input for what git would read as an option. */
function addressOf(remote: string, cwd: string): string {
  if (remote.startsWith('-')) throw new GitMemError('bad-input', `"${shown(remote)}" is not an address.`);
  return /^[a-z][\w+.-]*:\/\/|^[^/]+:/i.test(remote) ? remote : resolve(cwd, remote);
}

function printSynced({ synced, partner }: Sync, context: Context, json: boolean): void {
  const { sent, received, removed, held } = synced;
  const idsOf = (paths: string[]) => paths.flatMap((path) => parseFileName(path)?.id ?? []);
  if (held.length > 0) context.setExitCode(1);
  const moved = { sent: idsOf(sent), received: idsOf(received.map(({ path }) => path)), removed: idsOf(removed) };
  if (json) return void context.json({ remote: partner ?? null, ...moved, held: idsOf(held) });
  const done = { [partner === undefined ? 'committed' : 'sent']: sent, received, removed };
  const parts = Object.entries(done).flatMap(([word, { length }]) =>
    length > 0 ? `${counted(length, 'file')} ${word}` : [],
  );
  const place = partner === undefined ? '' : ` (${shown(partner)})`;
  context.stdout.write(`${parts.join(', ') || 'Up to date'}${place}.\n`);
  for (const path of held) context.say(`${path} stays here: it holds what the rules for secrets redact now.`);
  if (held.length > 0) context.say('`git mem redact ID` hides what it says; `git mem scrub` removes it.');
}
