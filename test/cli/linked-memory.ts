import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { remember } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, preparedOnce, type TestRepository } from '../support/repository.ts';
import { drop, observationOf } from '../support/written-records.ts';

export const at = (time: string) => ({ generated: { by: 'test', at: time } });

export const SKEW = observationOf({
  id: 'k3v9x2qd7m',
  type: 'bugfix',
  title: 'Tokens from the future are accepted for 30 seconds',
  narrative: 'The verifier of lib allows 30 seconds of clock skew.',
  ...at('2026-11-20T10:00:00Z'),
});
export const OLD = observationOf({
  id: 'p8w2m4ta1c',
  title: 'The clock skew of lib is a minute',
  ...at('2026-10-01T10:00:00Z'),
});

/** A repository whose memory of two records is committed. */
export const createLib = preparedOnce((atEnd) => {
  const lib = createRepository('lib', atEnd);
  commit(lib, drop(lib, SKEW), drop(lib, OLD));
  return lib;
});

export function commit({ git }: TestRepository, ...paths: string[]): string {
  git('add', '--', ...paths);
  git('commit', '--quiet', '-m', 'memory');
  return git('rev-parse', 'HEAD').trim();
}

/** A repository with one record of its own that answers as well as lib's. */
export function createOwn(): TestRepository {
  const own = createRepository('own');
  remember(own, [{ id: '7h2c9d4e1f', title: 'Log lines carry a request id', ...at('2026-11-19T10:00:00Z') }]);
  return own;
}

export const url = (lib: TestRepository) => `file://${lib.root}`;

export async function json(repository: TestRepository, ...args: string[]) {
  const { code, stdout, stderr } = await gitMem(repository, [...args, '--json']);
  return { code, stderr, ...JSON.parse(stdout || '{}') };
}

export type Listed = { id: string; origin?: string };
export const named = (records: Listed[]) => records.map(({ id, origin }) => (origin ? `${origin}:${id}` : id));

/** The one clone that lies below the folder of links. */
export function cloneIn(folder: string): string {
  const clone = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => /clone-[^/]+$/.test(path));
  return join(folder, clone ?? '');
}
