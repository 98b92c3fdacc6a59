import { GitMemError } from '../../errors.ts';
import { type Checkout, locate, objectFormat } from '../../git/locate.ts';
import { commitNamed, readBlobs, treeFiles } from '../../git/objects.ts';
import type { Environment } from '../../user-folders.ts';
import type { StoreName } from '../record.ts';
import { type Layout, layoutOf } from './layout.ts';
import { ledgerIn } from './ledger.ts';
import { openSource, type RecordFiles } from './source.ts';
import { openStore, type Store } from './store.ts';

/** One checkout with its places and its two stores. */
export interface Workspace {
  checkout: Checkout;
  layout: Layout;
  env: Environment;
  format: 'sha1' | 'sha256';
  stores: Record<StoreName, Store>;
  /** The clone's ledger, which it appends to. */
  ledger: string;
  /** Ledgers in other state folders: what was written while another folder was in use is this clone's own too. */
  otherLedgers: string[];
  /** The commit whose memory this is; undefined for the checkout itself. */
  at?: string;
  /** For a commit's memory: the checkout it was asked for from, whose redactions count for it too. */
  now?: Workspace;
}

/** Opens the checkout that holds `cwd`; throws not-a-repository. Touches no record. */
export function openWorkspace(cwd: string, env: Environment): Workspace {
  const checkout = locate(cwd);
  if (checkout === undefined) {
    throw new GitMemError('not-a-repository', `${cwd} is not inside a git checkout.`, {
      hint: 'Run `git init` first, or give the place with -C DIR.',
    });
  }
  return workspaceOf(checkout, env);
}

/** The workspace of a checkout that is already located. */
export function workspaceOf(checkout: Checkout, env: Environment): Workspace {
  const layout = layoutOf(checkout, env);
  const format = objectFormat(checkout.commonDir);
  const { state } = layout;
  const open = (name: StoreName, dir: string) => openStore({ name, dir, state, format });
  return {
    checkout,
    layout,
    env,
    format,
    ledger: ledgerIn(state),
    otherLedgers: layout.otherStates.map(ledgerIn),
    stores: { team: open('team', layout.memory), private: open('private', layout.private) },
  };
}

/** The team's memory as of a revision, read-only, without a private store. Throws bad-input if it names no commit. */
export async function workspaceAt(workspace: Workspace, revision: string): Promise<Workspace> {
  const { checkout, env, format, layout } = workspace;
  const commit = await commitNamed(checkout.root, revision, env);
  const files = commit ? await revisionFiles(checkout.root, commit, env) : undefined;
  if (!commit || files === undefined) {
    throw new GitMemError('bad-input', `"${revision}" names no commit.`, {
      hint: 'Give a branch, a tag, a commit or what `git rev-parse` understands, such as HEAD~3.',
    });
  }
  return { ...workspace, stores: readOnlyStores(layout, files, format), at: commit, now: workspace };
}

/** Read-only stores: the team store is made of these files, and the private one is empty. */
function readOnlyStores(layout: Layout, files: RecordFiles, format: 'sha1' | 'sha256'): Record<StoreName, Store> {
  const open = (name: StoreName, dir: string, of: RecordFiles): Store => ({
    ...openSource(name, of, format),
    dir,
    put: refuse,
    putNew: refuse,
  });
  return { team: open('team', layout.memory, files), private: open('private', layout.private, NO_FILES) };
}

/** The same workspace without the private store, for data that leaves the machine. */
export function teamOnly(workspace: Workspace): Workspace {
  const { layout, format, stores } = workspace;
  return { ...workspace, stores: { ...stores, private: readOnlyStores(layout, NO_FILES, format).private } };
}

function refuse(): never {
  throw new GitMemError('bad-input', 'This memory is read-only.');
}

/** The team store's folder in a tree. */
const FOLDER = '.memory';

/** The files of `.memory/` in a revision, with two git children; undefined if there is no such revision. */
async function revisionFiles(root: string, revision: string, env: Environment): Promise<RecordFiles | undefined> {
  const found = await treeFiles(root, revision, FOLDER, env);
  if (found === undefined) return undefined;
  const files = found.map(({ path, blob }) => ({ path: path.slice(FOLDER.length + 1), blob }));
  const blobs = files.map(({ blob }) => blob);
  const contents = await readBlobs(root, blobs, env);
  const byPath = new Map(files.map(({ path, blob }) => [path, contents.get(blob)]));
  const folders = new Map<string, Set<string>>();
  for (const path of byPath.keys()) {
    const parts = path.split('/');
    for (let i = 0; i < parts.length; i++) {
      const folder = parts.slice(0, i).join('/');
      folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[i] ?? ''));
    }
  }
  return {
    names: (folder) => [...(folders.get(folder) ?? [])],
    state(path) {
      const bytes = byPath.get(path);
      // Objects never change, so any time will do.
      return bytes && { isFile: true, size: bytes.length, modifiedMs: 1, changedMs: 1 };
    },
    bytes(path) {
      const bytes = byPath.get(path);
      if (bytes) return bytes;
      throw Object.assign(new Error(`${path} is not in ${revision}.`), { code: 'ENOENT' });
    },
  };
}

const NO_FILES: RecordFiles = {
  names: () => [],
  state: () => undefined,
  bytes(path) {
    throw Object.assign(new Error(`${path} is not there.`), { code: 'ENOENT' });
  },
};
