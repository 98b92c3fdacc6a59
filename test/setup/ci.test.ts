import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { CI_PROVIDERS, ciFiles, ciNext } from '../../src/setup/ci.ts';
import { packageVersion } from '../../src/templates.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const WORKFLOW = '.github/workflows/git-mem.yml';
const read = ({ root }: TestRepository, path: string) => readFileSync(join(root, path), 'utf8');
const rendered = (path: string) =>
  CI_PROVIDERS.flatMap(ciFiles)
    .find((file) => file.path === path)
    ?.add(undefined, false) ?? '';

describe('the CI templates', () => {
  it.each(CI_PROVIDERS.flatMap(ciFiles).map((file) => [file.path, file.add(undefined, false)]))(
    '%s is YAML with nothing left to fill in',
    (_, text) => {
      expect(load(text)).toBeTypeOf('object');
      expect(text).not.toMatch(/(?<!\$)\{\{/);
    },
  );

  it('are all rendered', () => {
    expect(readdirSync('templates/ci').sort()).toEqual(['github.yml', 'gitlab-include.yml', 'gitlab.yml']);
  });

  it('give GitHub no more rights than a comment needs, and run nothing of the pull request', () => {
    const text = rendered(WORKFLOW);
    const workflow = load(text) as {
      on: object;
      permissions: object;
      jobs: { memory: { steps: { uses?: string; run?: string; with?: object; if?: string }[] } };
    };
    expect(workflow.on).toEqual({ pull_request: null });
    expect(workflow.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    const { steps } = workflow.jobs.memory;
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    const checkout = steps.findIndex(({ uses }) => uses?.startsWith('actions/checkout'));
    const install = steps.findIndex(({ run }) => run === `npm install --global git-mem@${packageVersion()}`);
    expect(install).toBeGreaterThanOrEqual(0);
    expect(install).toBeLessThan(checkout);
    expect(steps[checkout]?.with).toMatchObject({ 'persist-credentials': false, 'fetch-depth': 0 });
    // An expression in a script would be replaced before the shell reads it.
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
    expect(steps.find(({ run }) => run?.includes('gh api'))?.if).toBe(
      'github.event.pull_request.head.repo.full_name == github.repository',
    );
    expect(steps.at(-1)?.run).toBe('git-mem check --base "$BASE" --format github');
  });

  it('call commands that exist, in scripts that a shell understands', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'one');
    for (const command of [
      ['diff', 'HEAD...HEAD', '--format', 'md'],
      ['check', '--base', 'HEAD', '--format', 'github'],
    ])
      expect((await gitMem(repository, command)).code).toBe(0);
    const job = load(rendered('.gitlab/git-mem.yml')) as { 'git-mem': { script: string[] } };
    const workflow = load(rendered(WORKFLOW)) as { jobs: { memory: { steps: { run?: string }[] } } };
    const scripts = [...job['git-mem'].script, ...workflow.jobs.memory.steps.map(({ run }) => run ?? '')];
    expect(scripts.length).toBeGreaterThan(6);
    const { spawnSync } = await import('node:child_process');
    for (const script of scripts) expect(spawnSync('bash', ['-n'], { input: script }).status, script).toBe(0);
    const node = /<<'SCRIPT'[^\n]*\n(.*)\nSCRIPT/s.exec(job['git-mem'].script.join('\n'))?.[1] ?? '';
    expect(node).toContain('fetch(');
    expect(spawnSync(process.execPath, ['--check', '-'], { input: node }).status).toBe(0);
  });
});

describe('init --ci', () => {
  it.each([
    ['github', [WORKFLOW]],
    ['gitlab', ['.gitlab/git-mem.yml', '.gitlab-ci.yml']],
  ])('writes the files of %s once, and uninstall takes them out', async (provider, paths) => {
    const repository = createRepository();
    const run = async () => (await gitMem(repository, ['init', '--yes', '--ci', provider])).stdout;
    expect(await run()).toContain(`created    ${paths[0]}`);
    for (const path of paths) expect(existsSync(join(repository.root, path))).toBe(true);
    expect(await run()).not.toMatch(/created|updated/);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it('leaves a pipeline that is there alone, and says what to add to it', async () => {
    const repository = createRepository();
    repository.write('.gitlab-ci.yml', 'test: {script: [make]}\n');
    const { stderr } = await gitMem(repository, ['init', '--yes', '--ci', 'gitlab']);
    expect(read(repository, '.gitlab-ci.yml')).toBe('test: {script: [make]}\n');
    expect(stderr).toContain('Add the job to .gitlab-ci.yml: "include: - local: .gitlab/git-mem.yml".');
    expect(ciNext('gitlab', () => 'include:\n  - local: .gitlab/git-mem.yml\n')).toHaveLength(1);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readdirSync(repository.root).sort()).toEqual(['.git', '.gitlab-ci.yml']);
  });

  it('keeps a workflow that somebody changed, at both ends', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--ci', 'github']);
    repository.write(WORKFLOW, 'name: Ours\n');
    expect((await gitMem(repository, ['init', '--yes', '--ci', 'github'])).stdout).toContain('yours, left as it is');
    await gitMem(repository, ['uninstall', '--yes']);
    expect(read(repository, WORKFLOW)).toBe('name: Ours\n');
  });

  it('refuses a provider that it does not know', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['init', '--ci', 'jenkins']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('github, gitlab') });
  });
});
