import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

describe('git mem capture --stdin', () => {
  it('turns the session in the documentation into a digest, and into no record', async () => {
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

  it('keeps one copy of events that are piped in twice under the same keys', async () => {
    const repository = await prepared();
    const lines = EXAMPLE.trim().split('\n');
    const keyed = lines.map((line, i) => JSON.stringify({ ...JSON.parse(line), key: `event ${i}` })).join('\n');
    const prompts = async () =>
      JSON.parse(await repository.call('list', '--json', '--all', '--kind', 'prompt')).records.length;
    for (const _ of [1, 2]) capture(repository, keyed);
    expect(await prompts()).toBe(1);
    // Without keys nobody can tell.
    capture(repository, EXAMPLE);
    expect(await prompts()).toBe(2);
  });

  it('names lines that are not events, and accepts the others', async () => {
    const repository = await prepared();
    const lines = [
      'no json',
      '[]',
      '{"kind":"talk","session":"s"}',
      '{"kind":"prompt","text":"why?"}',
      '{"kind":"prompt","session":"s","text":"why?","at":"soon"}',
      '{"kind":"tool","session":"s","call":{}}',
      '',
      '{"kind":"prompt","session":"s","text":"why is the importer so slow?"}',
    ];
    const { status, stdout } = capture(repository, lines.join('\n'), '--json');
    expect(status).toBe(1);
    const { events, problems } = JSON.parse(stdout);
    expect(events).toBe(1);
    expect(problems.map(({ line }: { line: number }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(capture(repository, lines.join('\n')).stderr).toContain('Line 3 is not an event: "kind" should be one of');
  });

  it('accepts nothing where there is no memory, or where it is switched off', async () => {
    const bare = createRepository();
    expect(capture(bare, EXAMPLE)).toMatchObject({ status: 1, stderr: expect.stringContaining('git mem init') });
    const repository = await prepared();
    expect(capture({ ...repository, env: { ...repository.env, GIT_MEM: '0' } }, EXAMPLE).status).toBe(0);
    expect(await observations(repository)).toEqual([]);
  });
});
