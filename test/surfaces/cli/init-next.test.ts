import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { installProgram } from '../../support/claude-program.ts';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';

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
