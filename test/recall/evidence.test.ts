import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/memory/id.ts';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { connectMcpHere } from '../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const ID = 'k3v9x2qd7m';
const LINES = ['export const LIMIT = 30;', 'export const RETRIES = 4;', 'export const PAUSE_MS = 250;', ''].join('\n');

/** What says that the limit was raised. */
function raised() {
  return {
    id: ID,
    type: 'bugfix',
    title: 'The limit is 30 because the importer sends 25 rows',
    files_modified: ['src/limit.ts'],
    anchors: { 'src/limit.ts': blobId(LINES, 'sha1') },
    generated: { by: 'claude-code/2.1.0', at: new Date().toISOString() },
  };
}

/** A repository in which a record says that it changed src/limit.ts, which lies there uncommitted. */
function setUp(fields: Partial<Parameters<typeof observationOf>[0]> = {}): TestRepository {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.git('add', '.');
  repository.git('commit', '-qm', 'Start');
  repository.write('src/limit.ts', LINES);
  put(repository, observationOf({ ...raised(), ...fields }));
  return repository;
}

async function evidenceOf(repository: TestRepository, id = ID): Promise<string> {
  const { records } = JSON.parse((await gitMem(repository, ['show', id, '--json'])).stdout);
  return records[0].evidence;
}

const commit = (repository: TestRepository, ...words: string[]) => repository.git('commit', '-qam', words.join(' '));

describe('the evidence of a record', () => {
  it('is claimed until its change is committed, and verified for as long as the change is there', async () => {
    const repository = setUp();
    expect(await evidenceOf(repository)).toBe('claimed');
    commit(repository, 'Raise the limit');
    expect(await evidenceOf(repository)).toBe('verified');
    repository.write('src/limit.ts', `// How much is sent at once.\n${LINES.replace('250', '300')}`);
    commit(repository, 'Pause longer');
    expect(await evidenceOf(repository)).toBe('verified');
    repository.write('src/limit.ts', 'export const LIMITS = readLimits();\n');
    commit(repository, 'Read the limits');
    expect(await evidenceOf(repository)).toBe('claimed');
  });

  it('is undone where git reverted the change, which a session start no longer tells', async () => {
    const repository = setUp();
    commit(repository, 'Raise the limit');
    const told = async () => JSON.parse((await gitMem(repository, ['context', '--json'])).stdout);
    expect((await told()).records.map(({ id }: { id: string }) => id)).toEqual([ID]);
    repository.git('revert', '--no-edit', 'HEAD');
    expect(await evidenceOf(repository)).toBe('undone');
    const { records, dropped } = await told();
    expect(records).toEqual([]);
    expect(dropped).toEqual([{ id: ID, reason: 'its change was reverted' }]);
    // What was found out stays.
    const found = observationOf({ ...raised(), id: 'p8w2m4ta1c', type: 'discovery' });
    put(repository, found);
    expect((await told()).records.map(({ id }: { id: string }) => id)).toEqual([found.id]);
  });

  it('is not proven by content that was committed before the work', async () => {
    const repository = setUp();
    commit(repository, 'Raise the limit');
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
    put(repository, observationOf({ ...raised(), id: 'p8w2m4ta1c', generated: { by: 'test', at: later } }));
    expect(await evidenceOf(repository, 'p8w2m4ta1c')).toBe('claimed');
  });

  it('is not proven by what was committed shortly before its session began', async () => {
    const repository = setUp();
    commit(repository, 'Raise the limit');
    const session = hookedSession(repository.root, { at: new Date(Date.now() + 60_000) });
    session.work('t1', 7);
    session.end();
    await gitMem(repository, ['drain', '--wait']);
    const of = {
      ...raised(),
      prompt_number: 2,
      generated: { by: 'test', at: new Date(Date.now() + 120_000).toISOString() },
    };
    put(repository, observationOf({ ...of, id: 'a1aaaaaaaa', session: session.id }));
    put(repository, observationOf({ ...of, id: 'b2bbbbbbbb', session: 'unknown' }));
    expect(await evidenceOf(repository, 'a1aaaaaaaa')).toBe('claimed');
    expect(await evidenceOf(repository, 'b2bbbbbbbb')).toBe('verified');
  });

  it('is verified by a mark, and unknown for a record that is hidden', async () => {
    const repository = setUp({ files_modified: [], anchors: {} });
    expect(await evidenceOf(repository)).toBe('claimed');
    await gitMem(repository, ['verify', ID]);
    expect(await evidenceOf(repository)).toBe('verified');
    await gitMem(repository, ['retire', ID]);
    expect(await evidenceOf(repository)).toBeUndefined();
  });

  it('comes from the session: a check that failed passes after an edit, or the edit is restored', async () => {
    const repository = createRepository();
    repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
    repository.git('add', '.');
    repository.git('commit', '-qm', 'Start');
    const session = hookedSession(repository.root, { at: new Date('2026-11-20T20:00:00Z') });
    session.work('t1', 7);
    const file_path = `${repository.root}/src/limit.ts`;
    session.prompt('t2', 'try a limit of 90');
    session.call('t2', 't2-1', 'Edit', { file_path, old_string: '7', new_string: '90' }, { filePath: file_path });
    session.stop('t2', 'Tried.');
    session.prompt('t3', 'no, take that back');
    session.call('t3', 't3-1', 'Bash', { command: 'git checkout -- src/limit.ts' }, { stdout: '', stderr: '' });
    session.stop('t3', 'Restored.');
    session.end();
    await gitMem(repository, ['drain', '--wait']);
    const of = { session: session.id, type: 'change', files_modified: ['src/limit.ts'] };
    const saved = [
      observationOf({ ...of, id: 'a1aaaaaaaa', title: 'Rows are kept now', prompt_number: 1 }),
      observationOf({ ...of, id: 'b2bbbbbbbb', title: 'The limit is 90', prompt_number: 2 }),
      observationOf({ ...of, id: 'c3cccccccc', title: 'A limit of 90 fails', prompt_number: 2, type: 'discovery' }),
      observationOf({ ...of, id: 'd4dddddddd', title: 'Nothing is proven here', prompt_number: 3 }),
    ];
    for (const record of saved) put(repository, record);
    const all = await Promise.all(saved.map(({ id }) => evidenceOf(repository, id)));
    // The edit of the first turn was restored too: that it had passed no longer counts.
    expect(all).toEqual(['undone', 'undone', 'claimed', 'claimed']);
  });

  it('is said at a session start as far as the session shows it', async () => {
    const repository = createRepository();
    repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
    repository.commit('Start');
    const session = hookedSession(repository.root, { at: new Date('2026-11-20T20:00:00Z') });
    session.work('t1', 7);
    const edit = { file_path: `${repository.root}/src/pause.ts`, old_string: '7', new_string: '90' };
    session.prompt('t2', 'pause for 90 ms');
    session.call('t2', 't2-1', 'Edit', edit, { filePath: edit.file_path });
    session.stop('t2', 'Done.');
    session.prompt('t3', 'no, take that back');
    session.call('t3', 't3-1', 'Bash', { command: 'git checkout -- src/pause.ts' }, { stdout: '', stderr: '' });
    session.stop('t3', 'Restored.');
    session.end();
    await gitMem(repository, ['drain', '--wait']);
    const of = { session: session.id, type: 'bugfix', files_modified: ['src/limit.ts'] };
    put(
      repository,
      observationOf({ ...of, id: 'a1aaaaaaaa', title: 'Rows beyond the tenth are kept', prompt_number: 1 }),
    );
    put(repository, observationOf({ ...of, id: 'b2bbbbbbbb', title: 'The pause is 90 ms long', prompt_number: 2 }));
    put(repository, observationOf({ ...of, id: 'c3cccccccc', title: 'The parser rereads its tail', prompt_number: 3 }));
    const { text, dropped } = JSON.parse((await gitMem(repository, ['context', '--json'])).stdout);
    expect(text).toMatch(/Rows beyond the tenth are kept \(\d+t\) \[verified\]/);
    expect(text).toMatch(/The parser rereads its tail \(\d+t\)\n/);
    expect(dropped).toContainEqual({ id: 'b2bbbbbbbb', reason: 'its session took the change back' });
  });

  it('is listed, filtered, and told to agents', async () => {
    const repository = setUp();
    put(repository, observationOf({ id: 'p8w2m4ta1c', title: 'The proxy may be slow' }));
    commit(repository, 'Raise the limit');
    const { stdout } = await gitMem(repository, ['list', '--evidence']);
    expect(stdout).toMatch(/The limit is 30 .*\[verified/);
    expect(stdout).toMatch(/The proxy may be slow +\[claimed/);
    expect((await gitMem(repository, ['list'])).stdout).not.toContain('claimed');
    const only = async (evidence: string) => {
      const { total, records } = JSON.parse(
        (await gitMem(repository, ['list', '--evidence', evidence, '--json'])).stdout,
      );
      return [total, ...records.map((one: Record<string, string>) => [one.id, one.evidence])];
    };
    expect(await only('verified')).toEqual([1, [ID, 'verified']]);
    expect(await only('claimed')).toEqual([1, ['p8w2m4ta1c', 'claimed']]);
    expect(await only('undone')).toEqual([0]);
    const server = await connectMcpHere({ ...repository, cwd: repository.root });
    const { data, text } = await server.call('get_observations', { ids: [ID, 'p8w2'] });
    await server.close();
    expect(data.records.map((one: Record<string, string>) => one.evidence)).toEqual(['verified', 'claimed']);
    expect(text).toContain('evidence: claimed only');
  });
});
