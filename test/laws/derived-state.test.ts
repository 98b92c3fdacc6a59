import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openProject } from '../../src/project.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { setModel } from '../support/recording-model.ts';
import { snapshot } from '../support/replayed-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** All that may ever lie in `.memory/`. */
const KNOWN =
  /^(README\.md|\.(?:gitattributes|markdownlint\.json|npmignore|prettierrc)|config\.yaml|hook|(observations|summaries|marks)\/\d{4}-\d\d\/\d{8}T\d{6}Z-[a-z0-9-]+\.md)$/;

describe('law: no derived state in tracked files', () => {
  it('the same events give the same bytes, no matter when they are drained', async () => {
    const repository = await prepared();
    const { root, folder } = repository;
    const [memory, state] = [join(root, '.memory'), join(root, '.git/git-mem')];
    cpSync(state, join(folder, 'waiting'), { recursive: true, preserveTimestamps: true });
    const empty = snapshot(memory);

    await drainAt(repository, new Date());
    const written = snapshot(memory);
    expect(Object.keys(written).length).toBeGreaterThanOrEqual(Object.keys(empty).length + 2);

    for (const folder of ['observations', 'summaries']) rmSync(join(memory, folder), { recursive: true });
    rmSync(state, { recursive: true });
    cpSync(join(folder, 'waiting'), state, { recursive: true, preserveTimestamps: true });
    expect(snapshot(memory)).toEqual(empty);
    await drainAt(repository, new Date(Date.now() + 40 * 86_400_000));
    expect(snapshot(memory)).toEqual(written);
  });

  it('reading, searching and watching code changes leave no trace in the checkout', async () => {
    const repository = await prepared();
    await drainAt(repository, new Date());
    repository.commit('Remember');
    expect(Object.keys(snapshot(join(repository.root, '.memory'))).filter((path) => !KNOWN.test(path))).toEqual([]);
    // The anchors of every record are out of date now.
    writeFileSync(join(repository.root, 'src/limit.ts'), 'export const LIMIT = 99;\n');
    repository.git('commit', '--quiet', '--all', '--message', 'Change');
    for (const command of ['list', 'search limit', 'timeline limit', 'context', 'sync --rebuild', 'status', 'doctor']) {
      await repository.call(...command.split(' '));
    }
    expect(repository.git('status', '--porcelain', '--ignored', '--untracked-files=all')).toBe('');
  });
});

/** A set-up repository in whose spool a session of two turns waits. */
async function prepared(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  await setModel(repository);
  const session = hookedSession(repository.root);
  session.work('p1', 40);
  session.work('p2', 50);
  session.end();
  return repository;
}

async function drainAt({ root, env }: TestRepository, now: Date): Promise<void> {
  const { signal } = new AbortController();
  vi.useFakeTimers({ now, toFake: ['Date'] });
  try {
    await openProject(root, env).drain({ all: true, now: true, signal });
  } finally {
    vi.useRealTimers();
  }
}
