import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { itSqlite } from '../support/sqlite.ts';
import { observationOf, put } from '../support/written-records.ts';

/** Modules of Node that take it a tenth of its start to load. */
const EXPENSIVE = ['crypto', 'child_process', 'net', 'stream', 'zlib', 'v8', 'worker_threads', 'http'];

/** Runs git-mem and returns the modules that Node loaded for it: its own by name, files by path. */
function loadedBy(repository: TestRepository, args: string[], input = ''): { builtin: string[]; files: string[] } {
  const preload = join(repository.folder, 'preload.cjs');
  const list = join(repository.folder, 'loaded.json');
  writeFileSync(
    preload,
    `const before = new Set(process.moduleLoadList);
    process.on('exit', () => {
      const builtin = process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.split(' ').at(-1));
      const files = Object.keys(require.cache);
      require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify({ builtin, files }));
    });`,
  );
  expect(run(repository, args, { input, NODE_OPTIONS: `--require "${preload}"` }).status).toBe(0);
  return JSON.parse(readFileSync(list, 'utf8'));
}

function remembering(): TestRepository {
  const repository = createRepository();
  repository.gitMem('init', '--yes');
  put(repository, observationOf({ id: 'aaaaaaaaaa', title: 'The token cache drops entries when two writers race' }));
  repository.gitMem('drain', '--wait');
  return repository;
}

describe('what Node loads', () => {
  it('for an event that is only kept is none of its expensive modules', () => {
    const repository = remembering();
    // With the whole file before the edit, which a drain hashes.
    const tool_response = { originalFile: 'one', oldString: 'one', newString: 'two' };
    const call = { session_id: 's', tool_name: 'Edit', tool_input: {}, tool_response, cwd: repository.root };
    const edit = JSON.stringify(call);
    const captured = loadedBy(repository, ['hook', 'claude-code', 'PostToolUse'], edit);
    expect(captured.builtin.filter((name) => EXPENSIVE.includes(name))).toEqual([]);
  });

  itSqlite.each([
    ['a prompt', ['hook', 'claude-code', 'UserPromptSubmit']],
    ['a list', ['list']],
  ])('for %s is SQLite’s binary, without a search for the package’s files', (_, args) => {
    const repository = remembering();
    const prompt = JSON.stringify({
      session_id: 's',
      prompt_id: 'p',
      prompt: 'the token cache drops entries when two writers race, why?',
    });
    const { files } = loadedBy(repository, args, prompt);
    const ofPackage = files.filter((path) => /better.sqlite3|bindings/.test(path));
    expect(ofPackage).toEqual([expect.stringMatching(/\.node$/)]);
  });

  it('is compiled code of the very command or event', () => {
    const repository = createRepository();
    repository.env.NODE_COMPILE_CACHE = undefined;
    for (const command of ['list', 'status']) repository.gitMem(command);
    const kept = readdirSync(join(repository.env.HOME ?? '', '.cache/git-mem/compiled'));
    expect(kept.map((name) => name.split('-').slice(0, 2).join(' ')).sort()).toEqual(['quick list', 'quick status']);
  });
});
