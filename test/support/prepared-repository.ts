import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { register } from '../../src/exchange/places/registry.ts';
import { locate } from '../../src/git/locate.ts';
import { removeFolder } from '../../src/setup/demo.ts';
import { createRepository, type TestRepository } from './repository.ts';
import { repositoryTemplate } from './repository-template.ts';
import type { AtEnd } from './set-up.ts';

/**
 * A repository for one test, copied from one that `prepare` builds once per run under a unique name. It is cleaned up
 * like that of `createRepository`.
 */
export async function preparedRepository(
  name: string,
  prepare: (repository: TestRepository) => void | Promise<void>,
  atEnd?: AtEnd,
): Promise<TestRepository> {
  // Beside what every repository is copied from, and removed with it when the run is over.
  const prepared = join(repositoryTemplate(), 'prepared', name);
  if (!existsSync(prepared)) await make(prepared, prepare);
  const repository = createRepository('repository', atEnd);
  cpSync(prepared, repository.folder, { recursive: true, preserveTimestamps: true });
  return repository;
}

/** Gives a repository an empty memory, and notes it for its user as `git mem init` does. */
export function note({ root, env }: TestRepository, at = new Date()): void {
  const checkout = locate(root);
  if (checkout === undefined) throw new Error(`${root} is no repository.`);
  mkdirSync(join(root, '.memory'), { recursive: true });
  register(checkout, env, at);
}

/** A repository in which `git mem init --yes` ran with these arguments. */
export async function initialised(...args: string[]): Promise<TestRepository> {
  const name = ['initialised', ...args].join('-').replaceAll(',', '+');
  const repository = await preparedRepository(name, async ({ call }) => {
    await call('init', '--yes', ...args);
  });
  // The list of the user's repositories names the one that was prepared.
  rmSync(join(repository.folder, 'home/.local/state/git-mem/repositories'), { recursive: true });
  note(repository);
  return repository;
}

async function make(prepared: string, prepare: (repository: TestRepository) => void | Promise<void>): Promise<void> {
  const removals: (() => unknown)[] = [];
  const repository = createRepository('repository', (remove) => removals.push(remove));
  await prepare(repository);
  const parent = join(prepared, '..');
  mkdirSync(parent, { recursive: true });
  const copy = mkdtempSync(join(parent, 'copy-'));
  for (const part of [repository.root, join(repository.folder, 'home')]) {
    cpSync(part, join(copy, basename(part)), { recursive: true, preserveTimestamps: true });
  }
  for (const remove of removals) await remove();
  try {
    renameSync(copy, prepared);
  } catch (error) {
    // Another process prepared the same in the meantime.
    if (!existsSync(prepared)) throw error;
    await removeFolder(copy);
  }
}
