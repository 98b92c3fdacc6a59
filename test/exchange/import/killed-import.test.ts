import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { readEverything } from '../../../src/records/read.ts';
import { writeClaudeMem } from '../../support/claude-mem.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { describeSqlite } from '../../support/sqlite.ts';

const OBSERVATIONS = 900;
/** Three batches, of which one at least is not written when the import is killed. */
const RECORDS = OBSERVATIONS + OBSERVATIONS / 20 + OBSERVATIONS / 5;

function stored({ root, env }: TestRepository): number {
  return openWorkspace(root, env).stores.private.ids().length;
}

/** Kills an import as soon as some of its records are there. */
async function killMidway(repository: TestRepository): Promise<void> {
  const { root, env } = repository;
  const child = spawn(process.execPath, [PROGRAM, 'import', 'claude-mem'], { cwd: root, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const watching = setInterval(() => {
    if (stored(repository) > 0) child.kill('SIGKILL');
  }, 1);
  await ended;
  clearInterval(watching);
}

describeSqlite('a killed import', () => {
  // Above 20 s under load: a thousand records are cleaned of secrets, most of them twice.
  it('leaves complete records only, and the next one neither loses nor doubles any', async () => {
    const repository = createRepository();
    const folder = join(repository.folder, 'home', '.claude-mem');
    mkdirSync(folder);
    const plan = { project: 'repository', observations: OBSERVATIONS, root: repository.root };
    writeClaudeMem(join(folder, 'claude-mem.db'), plan);
    await killMidway(repository);
    const before = await readEverything(openWorkspace(repository.root, repository.env));
    expect(before.problems).toEqual([]);
    expect(before.records.length).toBe(stored(repository));
    expect(before.records.length).toBeGreaterThan(0);
    expect(before.records.length).toBeLessThan(RECORDS);
    const { imported, skipped, problems } = JSON.parse(await repository.call('import', 'claude-mem', '--json'));
    expect({ imported, skipped, problems }).toEqual({
      imported: RECORDS - before.records.length,
      skipped: before.records.length,
      problems: [],
    });
    const after = await readEverything(openWorkspace(repository.root, repository.env));
    expect(after.problems).toEqual([]);
    expect(new Set(after.records.map(({ record }) => JSON.stringify(record.extra?.source))).size).toBe(RECORDS);
    expect(stored(repository)).toBe(RECORDS);
  });
});
