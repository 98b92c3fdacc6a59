import { join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { type Checkout, locate } from '../../git/locate.ts';
import { existsSync } from '../../looks.ts';
import { dataFolder, type Environment } from '../../user-folders.ts';

/** The label of personal records among those of other memories. */
export const PERSONAL = 'personal';

/** Types of personal observations, besides those of every store. */
export const PERSONAL_TYPES = ['preference', 'habit', 'environment'] as const;

/**
 * The folder of the personal store: a small repository in the user's data folder, outside every project. A path that
 * cannot exist if the user has no home.
 */
export function personalRoot(env: Environment): string {
  return join(dataFolder(env) ?? '/nonexistent', 'personal');
}

/** The checkout of the personal store; undefined if the user has none. */
export function personalCheckout(env: Environment): Checkout | undefined {
  const root = personalRoot(env);
  if (!existsSync(join(root, '.memory'))) return undefined;
  const checkout = locate(root);
  // If the home is a repository itself, that is another one.
  return checkout?.root === root ? checkout : undefined;
}

/**
 * Ids without the personal store's label (`personal:k3v9`); undefined if none has it. Throws bad-input if only some
 * have it, because a mark is about one store.
 */
export function personalIds(ids: readonly string[]): string[] | undefined {
  const label = `${PERSONAL}:`;
  const own = ids.filter((id) => id.startsWith(label));
  if (own.length === 0) return undefined;
  if (own.length === ids.length) return own.map((id) => id.slice(label.length));
  throw new GitMemError('bad-input', 'Personal records and those of this repository cannot be marked together.');
}
