import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { hookedSession, lastMessage } from '../support/hooked-session.ts';
import { connectMcpHere } from '../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const SECRET = `sk-ant-api03-${'k7Qw'.repeat(24)}-AA`;

const folderOf = ({ root }: TestRepository) => join(root, '.git/git-mem/turns');
const filesOf = (repository: TestRepository) =>
  existsSync(folderOf(repository))
    ? readdirSync(folderOf(repository)).map((name) => join(folderOf(repository), name))
    : [];

/** A session of two turns an hour ago, with a secret and a private passage in the second, drained. */
async function captured(keep?: string, { at = new Date(Date.now() - 3_600_000) } = {}) {
  const repository = createRepository();
  if (keep !== undefined) repository.env.GIT_MEM_CAPTURE_KEEP = keep;
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  repository.commit('Start');
  const session = hookedSession(repository.root, { at });
  session.work('t1', 7);
  session.prompt('t2', `what is ${SECRET} for? <private>my doctor called</private>`);
  session.call('t2', 't2-1', 'Bash', { command: `curl -H "x-api-key: ${SECRET}" localhost` }, { stdout: SECRET });
  session.stop('t2', 'It is the key of the test account.');
  session.end();
  await gitMem(repository, ['drain', '--wait']);
  const { records } = JSON.parse((await gitMem(repository, ['list', '--json', '--kind', 'observation'])).stdout);
  return { repository, id: records[0]?.id as string };
}

describe('capture.keep', () => {
  it('keeps nothing unless it is set', async () => {
    const { repository, id } = await captured();
    expect(filesOf(repository)).toEqual([]);
    const { code, stdout, stderr } = await gitMem(repository, ['why', id, '--turn']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe('Turns are not kept. `git mem config capture.keep 7d` keeps those to come for a week.\n');
  });

  it('keeps redacted turns for their owner alone, and shows the very turn behind a record', async () => {
    const { repository, id } = await captured('7d');
    const files = filesOf(repository);
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(kept).toContain('test account');
    expect(kept).not.toMatch(/k7Qwk7Qw|doctor/);

    const { stdout } = await gitMem(repository, ['why', id, '--turn']);
    expect(stdout).toContain('USER: the importer drops row 7, please find out why and fix it');
    expect(stdout).toContain('$ npm test (exit 1)\nExit code 1\nnot ok 1 - row 7 is kept');
    expect(stdout).toContain('old: LIMIT = 10\nnew: LIMIT = 7');
    expect(stdout).toContain(`AGENT: ${lastMessage(7)}`);
    expect(stdout).not.toContain('test account');
    const { turns } = JSON.parse((await gitMem(repository, ['why', id, '--turn', '--json'])).stdout);
    expect(turns).toMatchObject([{ prompt_number: 1, branch: 'main', reply: lastMessage(7), interrupted: false }]);
    expect(turns[0].calls.map(({ action }: { action: string }) => action)).toEqual(['command', 'edit', 'command']);
  });

  it('is one of the tools of agents where turns are kept, within 1,200 tokens for all', async () => {
    const { repository, id } = await captured('7d');
    await gitMem(repository, ['personal', 'init']);
    const connection = await connectMcpHere({ cwd: repository.root, env: repository.env });
    const list = await connection.client.listTools();
    expect(list.tools.map(({ name }) => name)).toContain('get_turn');
    expect(JSON.stringify(list).length / 4).toBeLessThanOrEqual(1200);
    const { text, data } = await connection.call('get_turn', { id });
    expect(text).toContain('the importer drops row 7, please find out why and fix it\n$ npm test (exit 1)');
    expect(data).toMatchObject({ id, kept: true });
    await connection.close();
  });

  it('leaves the prompt out where prompts are not kept', async () => {
    const repository = createRepository();
    Object.assign(repository.env, { GIT_MEM_CAPTURE_KEEP: '1d', GIT_MEM_PRIVACY_PROMPTS: 'off' });
    const session = hookedSession(repository.root);
    session.work('t1', 7);
    session.end();
    await gitMem(repository, ['drain', '--wait']);
    const [kept = ''] = filesOf(repository).map((file) => readFileSync(file, 'utf8'));
    expect(kept).toContain('npm test');
    expect(kept).not.toContain('please find out');
  });

  it('removes expired turns from the disk with the next drain, and shows none before', async () => {
    const { repository, id } = await captured('2h');
    const [file = '', other = ''] = filesOf(repository);
    const old = new Date(Date.now() - 3 * 3_600_000);
    for (const one of [file, other]) utimesSync(one, old, old);
    expect((await gitMem(repository, ['why', id, '--turn'])).stderr).toContain('turns stay for 2h');
    await gitMem(repository, ['drain', '--wait']);
    expect(filesOf(repository)).toEqual([]);
  });

  it('removes all of them once it is off', async () => {
    const { repository } = await captured('7d');
    repository.env.GIT_MEM_CAPTURE_KEEP = 'off';
    await gitMem(repository, ['drain', '--wait']);
    expect(filesOf(repository)).toEqual([]);
  });

  it('drops a turn with the record that is redacted', async () => {
    const { repository, id } = await captured('7d');
    await gitMem(repository, ['redact', id]);
    expect(filesOf(repository)).toHaveLength(1);
    expect((await gitMem(repository, ['why', id, '--turn'])).stderr).toBe('The record is redacted.\n');
  });

  it('cannot be switched on by a team file', async () => {
    const repository = createRepository();
    repository.write('.memory/config.yaml', 'capture:\n  keep: 7d\n');
    repository.commit('Settings');
    const session = hookedSession(repository.root);
    session.work('t1', 7);
    session.end();
    await gitMem(repository, ['drain', '--wait']);
    expect(filesOf(repository)).toEqual([]);
    const { stdout } = await gitMem(repository, ['doctor', '--json']);
    expect(stdout).toContain('\\"capture.keep\\" is ignored in the team file');
  });
});
