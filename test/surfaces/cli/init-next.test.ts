import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { installProgram } from '../../support/claude-program.ts';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';

it.each([
  ['nothing', '', true],
  ['what the agent reads', '.claude/\n', true],
  ['one file of it', '.mcp.json\n', true],
  ['all of it', '.claude/\n.mcp.json\n.memory/\n', false],
])('suggests a commit that succeeds where git ignores %s', async (_, ignore, isNamed) => {
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

it('suggests no commit of what was committed before', async ({ repository }) => {
  await gitMem(repository, ['init', '--yes', '--host', 'claude-code']);
  repository.commit('Set up git-mem');
  rmSync(join(repository.root, '.git/hooks/pre-commit'));
  repository.write('CHANGES.md', 'Theirs.\n');
  const next = async (...more: string[]) => {
    const { stdout } = await gitMem(repository, ['init', '--yes', '--json', '--host', 'claude-code', ...more]);
    return JSON.parse(stdout).next.join('\n');
  };
  for (const more of [['--dry-run'], []]) expect(await next(...more)).toMatch(/^(?!Commit)/);
  expect(await next('--ci', 'github')).toContain('git add .github/workflows/git-mem.yml &&');
});

it('names each pattern by which git ignores a written file', async ({ repository }) => {
  repository.write('.gitignore', '.claude/\n.mcp.json\n');
  const { stdout, stderr } = await gitMem(repository, ['init', '--yes', '--host', 'claude-code']);
  expect(stdout + stderr).toContain(
    'git ignores .claude/settings.json because of ".claude/" (.gitignore, line 1) and .mcp.json because of ".mcp.json" (.gitignore, line 2): they will not be committed.',
  );
});

it('does not call a file ignored that a pattern takes back in', async ({ repository }) => {
  repository.write('.gitignore', '.claude/*\n!.claude/settings.json\n!.claude/skills\n');
  const { stdout, stderr } = await gitMem(repository, ['init', '--yes', '--host', 'claude-code']);
  expect(stdout + stderr).not.toContain('git ignores');
});

it('logs no error when it tests whether the program answers', async ({ repository }) => {
  await gitMem(repository, ['init', '--yes', '--host', 'claude-code']);
  execFileSync(process.execPath, [PROGRAM, 'hook'], {
    cwd: repository.root,
    env: { ...repository.env, GIT_MEM_REPLY: '1' },
    input: '',
  });
  expect(existsSync(join(repository.root, '.git/git-mem/hook.log'))).toBe(false);
});

it('chooses no model where nothing is asked, and names the command that switches one on', async () => {
  const { GIT_MEM_EXTRACT_PROVIDER: _, ...own } = createRepository().env;
  const { env: codex } = installProgram('codex', 'throw new Error("Nobody asked.")');
  const next = async (more: Record<string, string> = {}) => {
    const repository = createRepository();
    const env = { ...own, HOME: repository.env.HOME ?? '', PATH: `${codex.PATH}:/usr/bin:/bin`, ...more };
    mkdirSync(join(env.HOME, '.codex'), { recursive: true });
    writeFileSync(join(env.HOME, '.codex/auth.json'), '{}');
    return JSON.parse((await gitMem({ ...repository, env }, ['init', '--yes', '--json'])).stdout).next.join('\n');
  };
  expect(await next()).toMatch(/git mem config extract\.provider codex-cli\. No bill: .* tokens/);
  expect(await next({ GIT_MEM_EXTRACT_PROVIDER: 'none' })).not.toContain('extract.provider');
  expect(await next({ ANTHROPIC_API_KEY: 'key' })).not.toContain('extract.provider');
});

it('offers a first memory only where nothing is remembered yet', async ({ repository }) => {
  const next = async (...more: string[]) =>
    JSON.parse((await gitMem(repository, ['init', '--yes', '--json', ...more])).stdout).next.join('\n');
  expect(await next()).toContain('git mem bootstrap');
  await repository.call('add', '--title', 'The importer needs a header row');
  const later = await next('--ci', 'github');
  expect(later).toContain('git-mem.yml');
  expect(later).not.toContain('git mem bootstrap');
});
