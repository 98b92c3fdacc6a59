import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { openGit } from '../../git/git.ts';
import { type Checkout, locate, readHead } from '../../git/locate.ts';
import { runGit } from '../../git/objects.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { noteOwn } from '../../memory/store/ledger.ts';
import { personalCheckout, personalRoot } from '../../memory/store/personal.ts';
import { workspaceOf } from '../../memory/store/workspace.ts';
import { readTemplate } from '../../templates.ts';
import { dataFolder, type Environment } from '../../user-folders.ts';
import { type Synced, syncFolder } from './sync-folder.ts';

const REMOTE = 'origin';

/** Records and settings; nothing else in the repository is ours. */
const CARRIED = /^(?:config\.yaml|(?:observations|summaries|marks)\/\d{4}-\d\d\/[\w.-]+\.md)$/;

/** Makes the personal store, or leaves it as it is, and sets its remote; throws cannot-write, git. */
export async function initPersonal(
  env: Environment,
  remote: string | undefined,
): Promise<{ checkout: Checkout; created: boolean }> {
  if (dataFolder(env) === undefined) {
    throw new GitMemError('cannot-write', 'There is no home for a personal store.', {
      hint: 'Set HOME, or XDG_DATA_HOME to an absolute path.',
    });
  }
  const root = personalRoot(env);
  const before = personalCheckout(env);
  if (before === undefined) {
    createFolder(root, 0o700);
    if (locate(root)?.root !== root) {
      // The user's templates may hold hooks; the name of the branch is an option only since git 2.28.
      await runGit(root, ['init', '--quiet', '--template='], env);
      await runGit(root, ['symbolic-ref', 'HEAD', 'refs/heads/main'], env);
    }
    createFolder(join(root, '.memory'), 0o700);
  }
  const checkout = before ?? personalCheckout(env);
  if (checkout === undefined) throw new GitMemError('cannot-write', `No repository could be made in ${root}.`);
  if (remote !== undefined) {
    const git = openGit(root, env);
    const isSet = (await remoteOf(checkout, env)) !== undefined;
    await git.raw('remote', isSet ? 'set-url' : 'add', '--', REMOTE, remote);
  }
  return { checkout, created: before === undefined };
}

/** Gives a store its settings, unless it has some, perhaps from its remote; tells whether it did. */
export function addSettings({ root }: Checkout): boolean {
  const settings = join(root, '.memory', 'config.yaml');
  if (existsSync(settings)) return false;
  replaceFile(settings, readTemplate('personal/config.yaml'), 0o644);
  return true;
}

/** The remote's address; undefined if there is none. */
export async function remoteOf({ root }: Checkout, env: Environment): Promise<string | undefined> {
  const all = await openGit(root, env).getRemotes(true);
  return all.find(({ name }) => name === REMOTE)?.refs.fetch;
}

/** Commits what was saved since and, if there is a remote, brings both sides together. Throws git, busy. */
export async function syncPersonal(
  checkout: Checkout,
  env: Environment,
  { patterns, onProgress }: { patterns: string[]; onProgress: (line: string) => void },
): Promise<Synced> {
  const { layout, ledger, format } = workspaceOf(checkout, env);
  const remote = await remoteOf(checkout, env);
  const isCarried = (path: string) => CARRIED.test(path);
  const place = { checkout, folder: layout.memory, prefix: '.memory/', format, mode: 0o644, isCarried };
  const synced = await syncFolder(place, {
    ref: `refs/heads/${readHead(checkout).branch ?? 'main'}`,
    remote: remote === undefined ? undefined : REMOTE,
    subject: 'Personal memory',
    env,
    patterns,
    onProgress,
  });
  if (synced.received.length > 0) noteOwn(ledger, 'team', synced.received);
  // The branch moved and the files are in place: the index follows.
  if (readHead(checkout).commit !== undefined) await openGit(checkout.root, env).raw('reset', '--quiet');
  return synced;
}
