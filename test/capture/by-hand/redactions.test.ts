import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/capture/drain/session-state.ts';
import { gitMem } from '../../support/command-line.ts';
import { drained } from '../../support/drained.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { setModel } from '../../support/recording-model.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

describe('redacted text', () => {
  it('is not captured again by the drain in any record, prompt or summary, and each case is counted and logged', async () => {
    const repository = await prepared();
    finished(repository);
    const first = await drained(repository);
    expect(first?.redacted).toBeUndefined();
    await redactAll(repository);

    finished(repository, 'another-session');
    const second = await drained(repository);
    expect(second).toMatchObject({ pending: 0, written: [] });
    // The observation and its summary: the digest leaves out the sentences alone.
    expect(second?.redacted).toBeGreaterThanOrEqual(1);
    const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
    expect(records).toEqual([]);
    expect(JSON.stringify(records)).not.toContain('cuts every batch');
    const log = readFileSync(join(repository.root, '.git/git-mem/hook.log'), 'utf8');
    expect(log).toMatch(/observation \w{10} dropped: the mark \w{10} redacted what it says/);
    expect(log).not.toContain('row 40');
    // What later turns of that session are shown, and its summary is made of, does not hold it either.
    const state = readSession(join(repository.root, '.git/git-mem'), 'another-session');
    expect(state?.earlier).toEqual([]);
    expect(JSON.stringify(state?.summary)).not.toContain('cuts every batch');
  });

  it('leaves other turns alone, except for a fact that both contain', async () => {
    const repository = await prepared();
    finished(repository);
    const [id = ''] = (await drained(repository))?.written ?? [];
    const list = async () => JSON.parse((await gitMem(repository, ['list', '--kind', 'observation', '--json'])).stdout);
    const facts = async () => (await list()).records[0].facts;
    const session = hookedSession(repository.root, { id: 'another-session' });
    expect(await facts()).toEqual([expect.stringContaining('failed first, then passed')]);
    await gitMem(repository, ['redact', id]);
    session.prompt('p2', 'the exporter drops the last row, please fix it');
    session.failure('p2', 'p2-1', 'npm test', 'not ok 1 - the last row is kept');
    const edit = { file_path: join(repository.root, 'src/limit.ts'), old_string: '10', new_string: '11' };
    session.call('p2', 'p2-2', 'Edit', edit, {});
    session.call('p2', 'p2-3', 'Bash', { command: 'npm test' }, { stdout: 'ok 1 - the last row is kept', stderr: '' });
    session.stop(
      'p2',
      'Fixed: the exporter in `src/limit.ts` stopped one row early because its loop compared with `<`.',
    );
    session.end();
    expect((await drained(repository))?.written).toHaveLength(2);
    expect(await facts()).toEqual([]);
  });

  it('is captured again once the redaction is undone', async () => {
    const repository = await prepared();
    finished(repository);
    const [id = ''] = (await drained(repository))?.written ?? [];
    await gitMem(repository, ['redact', id]);
    await gitMem(repository, ['undo', id]);
    finished(repository, 'another-session');
    const report = await drained(repository);
    expect(report?.written).toHaveLength(2);
    expect(report?.redacted).toBeUndefined();
  });
});

/** A session of one turn that is over. */
function finished({ root }: TestRepository, id = 'one'): void {
  const session = hookedSession(root, { id });
  session.work('p1', 40);
  session.end();
}

async function prepared(): Promise<TestRepository> {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  repository.commit('start');
  repository.write('.memory/config.yaml', '');
  await setModel(repository);
  return repository;
}

async function redactAll(repository: TestRepository): Promise<void> {
  const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
  for (const { id } of records) expect((await gitMem(repository, ['redact', id])).code).toBe(0);
}
