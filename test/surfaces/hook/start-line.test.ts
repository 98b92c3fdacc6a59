import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { hookCall } from '../../support/hook-call.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const EMPTY = "git-mem: this repository's memory is empty so far; there is nothing to search.";
const HOW = 'Records are small files under .memory/ that';

async function setUp(env: Record<string, string> = {}): Promise<TestRepository> {
  const repository = createRepository();
  Object.assign(repository.env, env);
  await repository.call('init', '--yes', '--host', 'claude-code');
  repository.commit('set up');
  return repository;
}

async function startOf(repository: TestRepository, source = 'startup'): Promise<string> {
  const payload = { session_id: 's1', cwd: repository.root, source };
  const reply = await hookCall(repository, 'claude-code', 'SessionStart', payload);
  return reply === '' ? '' : JSON.parse(reply).hookSpecificOutput.additionalContext;
}

/** What saving answers: the server's text, and what the command says beside the id. */
async function saving(repository: TestRepository): Promise<[string, string]> {
  const server = await connectMcpHere({ cwd: repository.root, env: repository.env });
  const title = 'Batches end early on slow disks';
  const { text } = await server.call('save_observation', { title });
  const shell = { ...repository, env: { ...repository.env, CLAUDECODE: '1' } };
  const { stderr } = await gitMem(shell, ['add', '--title', 'Retries back off with jitter after an outage']);
  return [text, stderr];
}

it('says that the memory is empty, until it holds a record', async () => {
  const repository = await setUp();
  expect((await startOf(repository)).split('\n')[0]).toBe(EMPTY);
  expect(await startOf(repository, 'resume')).not.toContain(EMPTY);
  await repository.call('add', '--private', '--title', 'Batches end early on slow disks');
  expect(await startOf(repository)).not.toContain(EMPTY);
});

it('says once that records join the next commit, at the start and when one is saved', async () => {
  const repository = await setUp();
  expect((await startOf(repository)).split(HOW)).toEqual([
    expect.anything(),
    expect.stringMatching(/^ join the next commit/),
  ]);
  const [tool, shell] = await saving(repository);
  expect(shell).toBe('It joins your next commit.\n');
  expect(tool).toMatch(/^Saved \w{10}: \.memory\/\S+, which joins your next commit\. Edit that file to correct it\.$/m);
});

it.each(['commit: manual', 'no hook'])('says that they belong in the commit of the work: %s', async (why) => {
  const repository = await setUp(why === 'no hook' ? {} : { GIT_MEM_COMMIT: 'manual' });
  if (why === 'no hook') rmSync(join(repository.root, '.git/hooks/pre-commit'));
  expect(await startOf(repository)).toContain(`${HOW} belong in the commit of the work.`);
  const [tool, shell] = await saving(repository);
  expect(tool).toContain('which you commit with your work');
  expect(shell).toBe('Commit it with your work.\n');
});

it('says neither where they go to the private store', async () => {
  const repository = await setUp({ GIT_MEM_CAPTURE_DESTINATION: 'private' });
  expect(await startOf(repository)).not.toContain(HOW);
  expect((await saving(repository))[0]).not.toContain('commit');
});
