import { GitMemError } from '../../errors.ts';
import { openGit } from '../../git/git.ts';
import { runGit } from '../../git/objects.ts';
import { noteOwn } from '../../memory/store/ledger.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type CarriedFolder, filesAt, filesOnDisk, type Synced, syncFolder } from './sync-folder.ts';

/** An ordinary fetch or clone brings branches and tags, but none of these. */
const REFS = 'refs/git-mem/private/';

const CARRIED = /^(?:observations|summaries|marks|prompts)\/\d{4}-\d\d\/[\w.-]+\.md$/;

/** The reference that carries a person's private store, named as given or after `user.email`; throws bad-input. */
export async function privateRef({ checkout, env }: Workspace, named: string | undefined): Promise<string> {
  const email = named ?? (await runGit(checkout.root, ['config', '--get', 'user.email'], env))?.trim() ?? '';
  const name = (email.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-');
  if (name !== '') return `${REFS}${name}`;
  throw new GitMemError('bad-input', 'Cannot tell whose private records these are.', {
    hint: 'Give a name with --as NAME, the same on each machine, or set `git config --global user.email`.',
  });
}

/** The remote to use: the one given, `origin`, or the only one; throws bad-input. */
export async function privateRemote({ checkout, env }: Workspace, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const names = (await openGit(checkout.root, env).getRemotes()).map(({ name }) => name);
  const remote = names.includes('origin') ? 'origin' : names.length === 1 ? names[0] : undefined;
  if (remote !== undefined) return remote;
  const message =
    names.length === 0 ? 'This repository has no remote.' : `There are several remotes: ${names.join(', ')}.`;
  throw new GitMemError('bad-input', message, { hint: 'Name one, or give an address: `git mem private sync REMOTE`.' });
}

/** Brings the private store and its reference at a remote together. Throws git, busy. */
export async function syncPrivate(
  workspace: Workspace,
  how: { ref: string; remote: string; patterns: string[]; onProgress: (line: string) => void },
): Promise<Synced> {
  const { env, ledger } = workspace;
  const synced = await syncFolder(placeOf(workspace), { ...how, subject: 'Private memory', env });
  if (synced.received.length > 0) noteOwn(ledger, 'private', synced.received);
  return synced;
}

/** How many private records exist in this clone only, as far as it knows. */
export async function unsyncedCount(workspace: Workspace): Promise<number> {
  const { checkout, env } = workspace;
  const place = placeOf(workspace);
  const here = [...filesOnDisk(place).keys()].filter((path) => !path.startsWith('prompts/'));
  if (here.length === 0) return 0;
  const refs = (await runGit(checkout.root, ['for-each-ref', '--format=%(refname)', REFS], env)) ?? '';
  const trees = refs.split('\n').flatMap((ref) => (ref === '' ? [] : [filesAt(place, ref, env)]));
  const carried = await Promise.all(trees);
  return here.filter((path) => !carried.some((files) => files.has(path))).length;
}

function placeOf({ checkout, layout, format }: Workspace): CarriedFolder {
  const isCarried = (path: string) => CARRIED.test(path);
  return { checkout, folder: layout.private, prefix: '', format, mode: 0o600, isCarried };
}
