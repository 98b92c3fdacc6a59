import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { GREETING, readTemplate } from '../../src/templates.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';

const HOOK = '.git/hooks/pre-commit';
const CALL = 'git-mem pre-commit';

async function init(repository: TestRepository, cwd = repository.root) {
  const { code, stdout, stderr } = await gitMem(repository, ['init', '--yes'], { cwd });
  expect(code).toBe(0);
  return stdout + stderr;
}

function hook({ root }: TestRepository, path: string, text: string, mode = 0o755): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
  return text;
}

const read = ({ root }: TestRepository, path: string) => readFileSync(join(root, path), 'utf8');
const uninstall = (repository: TestRepository) => gitMem(repository, ['uninstall', '--yes']);

/** Puts a git-mem on PATH that greets a hook as git-mem does, says how it was called and ends like this. */
function fakeProgram({ folder }: TestRepository, status: number, greeting: string = GREETING): void {
  const script = `#!/bin/sh\n[ -z "$GIT_MEM_REPLY" ] || echo "${greeting}"\necho "git-mem $*" >&2\nexit ${status}\n`;
  writeFileSync(join(folder, 'bin/git-mem'), script);
}

function run({ root, env }: TestRepository, path: string, args: string[] = []) {
  const { status, stdout, stderr } = spawnSync(
    args[0] ?? join(root, path),
    args.length > 0 ? [...args.slice(1), path] : [],
    {
      cwd: root,
      env,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

describe('init', () => {
  it('writes a hook that git runs, once, and uninstall removes it', async ({ repository }) => {
    expect(await init(repository)).toContain(`created    ${HOOK}`);
    expect(read(repository, HOOK)).toBe(`#!/bin/sh\n${readTemplate('git-hooks/pre-commit')}`);
    expect(statSync(join(repository.root, HOOK)).mode & 0o111).not.toBe(0);
    const again = await init(repository);
    expect(again).toContain('nothing was changed');
    expect(again).not.toContain(`git add ${HOOK}`);
    await uninstall(repository);
    expect(existsSync(join(repository.root, HOOK))).toBe(false);
  });

  it.each([
    ['ends with exit', '#!/bin/sh\nset -e\necho mine\nexit 0\n'],
    ['ends with exec', '#!/usr/bin/env bash\nexec echo mine\n'],
    ['has no last line feed', '#!/bin/sh\necho mine'],
    ['has no first line', '# ours\necho mine\n'],
  ])('runs before a hook that %s, which stays and is restored byte for byte', async (_, text) => {
    const repository = createRepository();
    hook(repository, HOOK, text, 0o750);
    await init(repository);
    await init(repository);
    expect(read(repository, HOOK).split(CALL)).toHaveLength(2);
    fakeProgram(repository, 0);
    expect(run(repository, HOOK, ['sh'])).toEqual({ status: 0, stdout: 'mine\n', stderr: 'git-mem pre-commit\n' });
    fakeProgram(repository, 1);
    expect(run(repository, HOOK, ['sh'])).toEqual({ status: 1, stdout: '', stderr: 'git-mem pre-commit\n' });
    fakeProgram(repository, 70);
    expect(run(repository, HOOK, ['sh', '-e'])).toEqual({
      status: 0,
      stdout: 'mine\n',
      stderr: 'git-mem pre-commit\n',
    });
    await uninstall(repository);
    expect(read(repository, HOOK)).toBe(text);
    expect(statSync(join(repository.root, HOOK)).mode & 0o777).toBe(0o750);
  });

  const answers = ['', 'usage: git-mem FILE', `${GREETING}0`];
  it.each(answers)('lets a commit pass when another program named git-mem fails with "%s"', async (said) => {
    const repository = createRepository();
    await init(repository);
    fakeProgram(repository, 1, said);
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'mine');
    expect(run(repository, HOOK).status).toBe(0);
    fakeProgram(repository, 1);
    expect(() => repository.git('commit', '--quiet', '--allow-empty', '-m', 'stopped')).toThrow();
  });

  it('stops a commit of an invalid record, and says why', async ({ repository }) => {
    await init(repository);
    repository.write('.memory/observations/2026-11/bad.md', 'no record');
    repository.git('add', '--all');
    const { code, stdout, stderr } = await gitMem(repository, ['pre-commit'], { env: { GIT_MEM_REPLY: '1' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${GREETING}\n` });
    expect(stderr).toContain('The commit was stopped.');
    expect((await gitMem(repository, ['pre-commit'])).stdout).toBe('');
  });

  it('removes only its own lines from a hook that has changed since', async ({ repository }) => {
    hook(repository, HOOK, '#!/bin/sh\necho mine\n');
    await init(repository);
    hook(repository, HOOK, `${read(repository, HOOK)}echo more\n`);
    await uninstall(repository);
    expect(read(repository, HOOK)).toBe('#!/bin/sh\necho mine\necho more\n');
  });

  it.each([
    ['a program', '#!/usr/bin/env python3\nprint(1)\n'],
    ['no text', '\u007fELF\0\0'],
  ])('leaves alone a hook that is %s, and says what to do', async (_, text) => {
    const repository = createRepository();
    hook(repository, HOOK, text);
    expect(await init(repository)).toContain(
      `${HOOK} is not a shell script and was left alone: call \`${CALL}\` in it.`,
    );
    expect(read(repository, HOOK)).toBe(text);
  });

  it('does not enable a hook that somebody disabled', async ({ repository }) => {
    hook(repository, HOOK, '#!/bin/sh\necho mine\n', 0o644);
    expect(await init(repository)).toContain('is not executable, so git does not run it');
    expect(statSync(join(repository.root, HOOK)).mode & 0o111).toBe(0);
  });

  it("adds itself to husky's hook", async ({ repository }) => {
    repository.git('config', 'core.hooksPath', '.husky/_');
    const text = hook(repository, '.husky/pre-commit', 'npx lint-staged\n', 0o644);
    expect(await init(repository)).toContain('updated    .husky/pre-commit');
    expect(read(repository, '.husky/pre-commit')).toBe(`${readTemplate('git-hooks/pre-commit')}${text}`);
    expect(existsSync(join(repository.root, HOOK))).toBe(false);
    await uninstall(repository);
    expect(read(repository, '.husky/pre-commit')).toBe(text);
  });

  it('goes where core.hooksPath points, if inside the checkout', async ({ repository }) => {
    repository.git('config', 'core.hooksPath', '.githooks');
    expect(await init(repository)).toContain('created    .githooks/pre-commit');
    fakeProgram(repository, 1);
    expect(() => repository.git('commit', '--quiet', '--allow-empty', '-m', 'x')).toThrow();
    await uninstall(repository);
    expect(existsSync(join(repository.root, '.githooks'))).toBe(false);
  });

  it('writes nothing where core.hooksPath serves other repositories too', async ({ repository }) => {
    const folder = join(repository.folder, 'everyones');
    repository.git('config', 'core.hooksPath', folder);
    expect(await init(repository)).toContain(`Git runs the hooks in ${folder}, which serves other repositories too`);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['lefthook.yml', 'Lefthook is configured here. Add to lefthook.yml'],
    ['.pre-commit-config.yaml', 'pre-commit is configured here.'],
  ])('says what to add to %s, whose tool writes the hook itself', async (path, advice) => {
    const repository = createRepository();
    repository.write(path, '');
    expect(await init(repository)).toContain(advice);
    expect(existsSync(join(repository.root, HOOK))).toBe(false);
    expect(read(repository, path)).toBe('');
  });

  it.each([
    ['lefthook.yml', 'lefthook install', 'lefthook run pre-commit\n'],
    ['.pre-commit-config.yaml', 'pre-commit install', '# File generated by pre-commit\n'],
  ])('says of %s that calls it how to install the tool in this clone, once', async (path, command, generated) => {
    const repository = createRepository();
    repository.write(path, `run: ${CALL}\n`);
    const advice = await init(repository);
    expect(advice).not.toContain('Add to');
    expect(advice).toContain(`not installed in this clone, so git does not run its hooks: \`${command}\`.`);
    hook(repository, HOOK, generated);
    expect(await init(repository)).not.toContain(command);
  });

  it('says how to install husky in this clone, once', async ({ repository }) => {
    hook(repository, '.husky/pre-commit', 'npx lint-staged\n');
    expect(await init(repository)).toContain('husky is not installed in this clone');
    repository.git('config', 'core.hooksPath', '.husky/_');
    expect(await init(repository)).toContain('`npx husky`');
    hook(repository, '.husky/_/pre-commit', '. "${0%/*}/h"\n');
    expect(await init(repository)).not.toContain('npx husky');
  });

  it('serves all worktrees from the repository’s hook', async ({ repository }) => {
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'one');
    const linked = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', linked);
    expect(await init(repository, linked)).not.toContain('git add .memory .claude/settings.json .mcp.json hooks');
    expect(read(repository, HOOK)).toContain(CALL);
    await gitMem(repository, ['uninstall', '--yes'], { cwd: linked });
    expect(existsSync(join(repository.root, HOOK))).toBe(false);
  });
});
