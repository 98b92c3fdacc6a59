import { join } from 'node:path';
import { GitMemError } from '../errors.ts';
import type { StoreName } from '../memory/record.ts';
import { type Environment, type Layout, layoutOf } from '../repo/layout.ts';
import { type Checkout, locate, objectFormat } from '../repo/locate.ts';
import { openStore, type Store } from './store.ts';

/** One checkout with its places and its two stores. */
export interface Workspace {
  checkout: Checkout;
  layout: Layout;
  env: Environment;
  format: 'sha1' | 'sha256';
  stores: Record<StoreName, Store>;
  /** The list of blobs that this clone wrote itself. */
  ledger: string;
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

/** The workspace of a checkout that was located already. */
export function workspaceOf(checkout: Checkout, env: Environment): Workspace {
  const layout = layoutOf(checkout, env);
  const format = objectFormat(checkout.commonDir);
  const ledger = join(layout.state, 'own');
  const stage = join(layout.state, 'stage');
  const open = (name: StoreName, dir: string) => openStore({ name, dir, stage, ledger, format });
  return {
    checkout,
    layout,
    env,
    format,
    ledger,
    stores: { team: open('team', layout.memory), private: open('private', layout.private) },
  };
}
