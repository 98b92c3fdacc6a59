import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { forAllTests } from '../../support/set-up.ts';
import { createMemory, makeOld } from './searched-memory.ts';

/** For tests that only ask. */
const asked = forAllTests((atEnd) => createMemory(atEnd));

describe('git mem search --stdin', () => {
  it('gives one JSON line for each line, whatever it holds', async () => {
    const queries = ['clock', '', '"a" OR (b* NEAR', 'nul \0 clock', 'cr\r'.trim(), '😀'.repeat(25_000), 'postgres'];
    const { code, stdout, stderr } = await gitMem(asked(), ['search', '--stdin', '--limit', '1'], {
      stdin: `${queries.join('\n')}`,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ query }) => query)).toEqual(queries);
    expect(results.map(({ total }) => total)).toEqual([2, 3, 0, 2, 0, 0, 1]);
    expect(results.every(({ hits }) => hits.length <= 1)).toBe(true);
  });

  it('sees records that are added, changed and removed between two queries', async () => {
    const repository = createMemory();
    const { root, env } = repository;
    const child = spawn(process.execPath, [PROGRAM, 'search', '--stdin'], {
      cwd: root,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (query: string) => {
      child.stdin.write(`${query}\n`);
      return JSON.parse((await answers.next()).value).hits.map(({ id }: { id: string }) => id);
    };
    try {
      expect(await ask('gherkin')).toEqual([]);
      remember(repository, [{ id: 'ggggggggg0', title: 'The gherkin is pickled' }]);
      expect(await ask('gherkin')).toEqual(['ggggggggg0']);
      const { stores } = openWorkspace(root, env);
      // Folders that changed a while ago count as settled: only then are they trusted.
      for (const { dir } of [stores.team, stores.private]) makeOld(dir);
      expect(await ask('gherkin')).toEqual(['ggggggggg0']);
      const [entry] = [...stores.team.newest()].filter(({ id }) => id === 'ggggggggg0');
      const file = join(stores.team.dir, entry?.path ?? '');
      writeFileSync(file, stores.team.read(entry as NonNullable<typeof entry>).text.replace('gherkin', 'cucumber'));
      // A file edited in its place changes no folder, so it may take until all files are looked at again.
      await vi.waitFor(async () => expect(await ask('cucumber')).toEqual(['ggggggggg0']), { timeout: 60_000 });
      rmSync(file);
      expect(await ask('cucumber')).toEqual([]);
    } finally {
      child.stdin.end();
    }
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  });
});
