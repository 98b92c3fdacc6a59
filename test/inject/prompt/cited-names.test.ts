import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../../src/index/cache.ts';
import { folderTimes } from '../../../src/index/sync-folders.ts';
import { noteNames } from '../../../src/inject/prompt/cited-names.ts';
import { guardsIn } from '../../../src/inject/prompt/guards.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { openRenames } from '../../../src/provenance/renamed-files.ts';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const LATER = Date.now() + 3_600_000;

let repository: TestRepository;

beforeEach(async () => {
  repository = createRepository();
  await repository.call('init', '--yes');
});

let added = 0;
const add = (file: string) => {
  const title = `A limit of ${++added} per second keeps the queue short`;
  return repository.call('add', '--type', 'bugfix', '--title', title, '--file-modified', file);
};
const listPath = () => join(repository.root, '.git', 'git-mem', 'names', '.git');
const lines = () => readFileSync(listPath(), 'utf8').split('\n').filter(Boolean);

/** What a drain does, at a time when all that was changed has settled or (`isYoung`) has not. */
async function note({ isYoung = false } = {}): Promise<void> {
  const { root, env } = repository;
  const workspace = openWorkspace(root, env);
  const time = new Date(Date.now() + (isYoung ? 60_000 : -10_000));
  for (const path of looked()) utimesSync(path, time, time);
  const folders = folderTimes(workspace, LATER);
  if (folders === undefined) throw new Error('The folders never settle.');
  const cache = openCache(workspace);
  const renames = await openRenames(workspace);
  const guards = await guardsIn(workspace);
  await cache.query((index) => noteNames(workspace, { index, renames, folders, guards }));
  cache.close();
}

function looked(): string[] {
  const { root } = repository;
  const places = [join(root, '.memory', 'observations'), join(root, '.git', 'git-mem', 'private', 'observations')];
  const folders = places
    .filter(existsSync)
    .flatMap((place) => [place, ...readdirSync(place).map((name) => join(place, name))]);
  return folders;
}

/** Tells whether the launcher would believe it. */
function isDated(): boolean {
  const listMs = statSync(listPath()).mtimeMs;
  return looked().every((path) => statSync(path).mtimeMs <= listMs);
}

describe('the list of cited names that the launcher reads', () => {
  it('has the names of cited files, and says whether there are any records', async () => {
    await note();
    expect(lines()).toEqual([`git-mem names 1 none ${repository.root}`]);
    await add('src/auth/token.ts');
    await add('Makefile');
    await note();
    expect(lines()[0]).toBe(`git-mem names 1 some ${repository.root}`);
    expect(lines().slice(1).sort()).toEqual(['Makefile', 'token.ts']);
    expect(isDated()).toBe(true);
  });

  it('has the plain ASCII part of other names, and is absent where a name has none', async () => {
    await add('docs/größe des Puffers.md');
    await note();
    expect(lines().slice(1)).toEqual(['Puffers.md']);
    await add('docs/日本');
    await note();
    expect(existsSync(listPath())).toBe(false);
  });

  it('has a word of each reviewed guard, and is absent where a guard has none', async () => {
    await add('src/auth/token.ts');
    const [id = ''] = /^\S+/.exec(await repository.call('list')) ?? [];
    await repository.call('pin', id, '--guard', 'db/migrations/**', '--guard', 'npm publish*now');
    await note();
    expect(lines().slice(1)).toEqual(['token.ts']);
    repository.commit('reviewed');
    await note();
    expect(lines().slice(1).sort()).toEqual(['migrations', 'npm', 'token.ts']);
    await repository.call('pin', id, '--guard', '*.lock');
    repository.commit('reviewed too');
    await note();
    expect(existsSync(listPath())).toBe(false);
  });

  it('has the current names of cited files', async () => {
    repository.write('src/old.ts', 'export const many = "lines";\n'.repeat(20));
    repository.commit('one');
    await add('src/old.ts');
    await note();
    repository.git('mv', 'src/old.ts', 'src/new.ts');
    await note();
    expect(lines().slice(1).sort()).toEqual(['new.ts', 'old.ts']);
  });

  it('reflects a record that a person edited in place', async () => {
    await add('src/one.ts');
    await note();
    const month = join(repository.root, '.memory', 'observations');
    const [file = ''] = readdirSync(month, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    const path = join(month, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('src/one.ts', 'src/two.ts'));
    await note();
    expect(lines().slice(1)).toEqual(['two.ts']);
  });

  it('is dated only once the changes have settled', async () => {
    await add('src/one.ts');
    await note({ isYoung: true });
    expect(isDated()).toBe(false);
    await note();
    expect(isDated()).toBe(true);
  });

  it('is renewed by the hook of the next call, whatever that is about', async () => {
    await add('src/one.ts');
    await note();
    await add('src/two.ts');
    expect(isDated()).toBe(false);
    const before = new Date(Date.now() - 10_000);
    for (const path of looked()) utimesSync(path, before, before);
    await hookCall(repository, 'claude-code', 'PreToolUse', {
      session_id: 's1',
      cwd: repository.root,
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: 'git log' },
    });
    expect(lines().slice(1).sort()).toEqual(['one.ts', 'two.ts']);
    expect(isDated()).toBe(true);
  });
});
