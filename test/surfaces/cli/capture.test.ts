import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

/** The session in the documentation. */
const [, EXAMPLE = ''] = /```jsonl\n([\s\S]*?)```/.exec(readFileSync('docs/sessions.md', 'utf8')) ?? [];

function capture({ root, env }: TestRepository, input: string, ...args: string[]) {
  const options = { cwd: root, env, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'capture', '--stdin', ...args], options);
  return { status, stdout, stderr };
}

async function prepared(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes', '--host', 'claude-code');
  repository.write('src/import.mjs', 'export const idOf = (rows) => rows[0]?.id;\n');
  return repository;
}

async function observations(repository: TestRepository) {
  return JSON.parse(await repository.call('list', '--json', '--kind', 'observation')).records;
}

it('git mem capture --stdin turns the session in the documentation into a digest, and into no record', async () => {
  const repository = await prepared();
  expect(EXAMPLE.trim().split('\n')).toHaveLength(8);
  expect(capture(repository, EXAMPLE)).toMatchObject({ status: 0, stdout: '' });
  const session = JSON.parse(await repository.call('sessions', 'show', 'last', '--json'));
  expect(session).toMatchObject({ session: 's1', state: 'ended', files_modified: ['src/import.mjs'] });
  expect(session.turns).toMatchObject([
    {
      prompt: 'Importing an empty file crashes. Find the cause and fix it.',
      checks: [{ command: 'npm test', passed: true }],
    },
  ]);
  expect(await observations(repository)).toEqual([]);
});
