import { expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { setModel } from '../../support/recording-model.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('repository', () => setUp());

const ID = '65939976-74e7-49bb-921b-c8315e7665e8';
const DONE = '2026-11-20T20:00:00Z';

function setUp(): TestRepository {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.commit('Start');
  return repository;
}

/** A session that fixes, commits and ends. */
function finished(repository: TestRepository): void {
  const session = hookedSession(repository.root, { at: new Date(DONE) });
  session.report('SessionStart', { source: 'startup' });
  session.work('t1', 7);
  session.prompt('t2', 'commit it');
  repository.write('src/limit.ts', 'export const LIMIT = 8;\n');
  repository.git('commit', '-qam', 'Raise the limit');
  session.call('t2', 't2-1', 'Bash', { command: 'git commit -am "Raise the limit"' }, { stdout: '', stderr: '' });
  session.stop('t2', 'Committed.');
  session.end();
}

async function listed(repository: TestRepository, ...args: string[]) {
  await gitMem(repository, ['drain', '--wait']);
  return JSON.parse((await gitMem(repository, ['sessions', '--json', ...args])).stdout);
}

it('a timeline of a session has all that it left, on the command line and over MCP', async ({ repository }) => {
  await setModel(repository);
  finished(repository);
  const quiet = hookedSession(repository.root, { id: 'quiet-1-session', at: new Date('2026-11-19T10:00:00Z') });
  quiet.work('q1', 5);
  quiet.end();
  await listed(repository);
  const { items } = JSON.parse((await gitMem(repository, ['timeline', '65939976', '--json'])).stdout);
  expect(items.length).toBeGreaterThan(0);
  expect(items.every(({ session }: { session: string }) => session === ID)).toBe(true);
  const server = await connectMcpHere({ ...repository, cwd: repository.root });
  const { data } = await server.call('timeline', { anchor: ID });
  await server.close();
  expect(data.items).toHaveLength(items.length);
});
