import { GitMemError } from '../../errors.ts';
import { type Checkout, locate, objectFormat } from '../../git/locate.ts';
import { commitNamed } from '../../git/objects.ts';
import type { Environment } from '../../user-folders.ts';
import type { StoreName } from '../record.ts';
import { type Layout, layoutOf } from './layout.ts';
import { ledgerIn } from './ledger.ts';
import { openSource, type RecordFiles } from './source.ts';
import { openStore, type Store } from './store.ts';
import { NO_FILES, revisionFiles } from './tree.ts';

/** One checkout with its places and its two stores. */
export interface Workspace {
  checkout: Checkout;
  layout: Layout;
  env: Environment;
  format: 'sha1' | 'sha256';
  stores: Record<StoreName, Store>;
  /** The clone's ledger, to which it adds. */
  ledger: string;
  /** Ledgers in other state folders: what was written while another folder was in use is this clone's own too. */
  otherLedgers: string[];
  /** The commit whose memory this is; undefined for the checkout as it is. */
  at?: string;
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

/**
 * The team's memory as of a revision, read-only; the private store has no history and is empty. Throws bad-input if the
 * revision names no commit.
 */
export async function workspaceAt(workspace: Workspace, revision: string): Promise<Workspace> {
  const { checkout, env, format, layout } = workspace;
  const commit = await commitNamed(checkout.root, revision, env);
  const files = commit ? await revisionFiles(checkout.root, commit, env) : undefined;
  if (!commit || files === undefined) {
    throw new GitMemError('bad-input', `"${revision}" names no commit.`, {
      hint: 'Give a branch, a tag, a commit or what `git rev-parse` understands, such as HEAD~3.',
    });
  }
  return { ...workspace, stores: readOnlyStores(layout, files, format), at: commit };
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
  throw new GitMemError('bad-input', 'This memory can only be read.');
}
