import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';

it.each([
  ['nothing', '', true],
  ['what the agent reads', '.claude/\n', true],
  ['one file of it', '.mcp.json\n', true],
  ['all of it', '.claude/\n.mcp.json\n.memory/\n', false],
])('names a commit that succeeds where git ignores %s', async (_, ignore, isNamed) => {
  const repository = createRepository();
  repository.write('.gitignore', ignore);
  const { stdout } = await gitMem(repository, ['init', '--yes', '--json', '--host', 'claude-code']);
  const next = (JSON.parse(stdout).next as string[]).filter((line) => line.startsWith('Commit what was written: '));
  expect(next).toHaveLength(isNamed ? 1 : 0);
  for (const line of next) {
    const command = line.slice('Commit what was written: '.length);
    execFileSync('sh', ['-c', command], { cwd: repository.root, env: repository.env, stdio: 'pipe' });
    expect(repository.git('log', '--format=%s').trim()).toBe('Set up git-mem');
  }
});
