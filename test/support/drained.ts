import { join } from 'node:path';
import { test } from 'vitest';
import type { DrainReport } from '../../src/capture/drain/drain-options.ts';
import { countEvents } from '../../src/capture/spool/spool.ts';
import { decode } from '../../src/memory/codec.ts';
import type { MemoryRecord, Observation, Summary } from '../../src/memory/record.ts';
import { openProject } from '../../src/project.ts';
import { hookedSession } from './hooked-session.ts';
import { setModel } from './recording-model.ts';
import { snapshot } from './replayed-session.ts';
import { createRepository, preparedOnce, type TestRepository } from './repository.ts';

/** Path of a record inside its store. */
const RECORD = /^\w+\/\d{4}-\d\d\/.*\.md$/;

const committed = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  repository.write('.memory/config.yaml', '');
  repository.write('.gitignore', '.worktrees\n');
  repository.commit('start');
  return repository;
});

/** A repository with one file, these settings of the team and no events, and a model that makes a record of each edit. */
export async function modelled(config = ''): Promise<TestRepository> {
  const repository = committed();
  if (config !== '') {
    repository.write('.memory/config.yaml', config);
    repository.commit('settings');
  }
  await setModel(repository);
  return repository;
}

/** A test that may ask for such a repository, and for a session in it. */
export const it = test
  .extend('repository', () => modelled())
  .extend('session', ({ repository }) => hookedSession(repository.root));

/** Drains as a hook does; undefined where another drain is at work. */
export function drained({ root, env }: TestRepository, { all = false } = {}): Promise<DrainReport | undefined> {
  return openProject(root, env).drain({ all, now: false, signal: new AbortController().signal });
}

export function state({ root }: TestRepository): string {
  return join(root, '.git/git-mem');
}

/** Paths of all records, those of the private store below `private/`. */
export function recordFiles(repository: TestRepository): string[] {
  return Object.keys(recordContents(repository));
}

export function recordContents(repository: TestRepository): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [prefix, store] of [
    ['', join(repository.root, '.memory')],
    ['private/', join(state(repository), 'private')],
  ] as const) {
    for (const [path, text] of Object.entries(snapshot(store))) if (RECORD.test(path)) found[prefix + path] = text;
  }
  return found;
}

/** Observations of the team. */
export function observations(repository: TestRepository): Observation[] {
  return observationsIn(join(repository.root, '.memory'));
}

export function observationsIn(store: string): Observation[] {
  return recordsIn(store).filter((record) => record.kind === 'observation');
}

/** Summaries of the team. */
export function summaries(repository: TestRepository): Summary[] {
  return recordsIn(join(repository.root, '.memory')).filter((record) => record.kind === 'summary');
}

export function digestsOf(repository: TestRepository): Summary[] {
  return privately(repository).flatMap((record) =>
    record.kind === 'summary' && record.type === 'digest' ? [record] : [],
  );
}

export function promptsOf(repository: TestRepository): MemoryRecord[] {
  return privately(repository).filter(({ kind }) => kind === 'prompt');
}

function privately(repository: TestRepository): MemoryRecord[] {
  return recordsIn(join(state(repository), 'private'));
}

function recordsIn(store: string): MemoryRecord[] {
  const files = Object.entries(snapshot(store)).filter(([path]) => RECORD.test(path));
  return files.map(([path, text]) => decode(text, path));
}

/** All that git-mem wrote anywhere, once nothing is left in the spool. */
export function everything(repository: TestRepository): string {
  if (countEvents(state(repository)).pending > 0) throw new Error('Events wait in the spool.');
  const files = { ...snapshot(join(repository.root, '.memory')), ...snapshot(state(repository)) };
  return Object.entries(files).flat().join('\n');
}
