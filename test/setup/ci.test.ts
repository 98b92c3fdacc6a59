import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect } from 'vitest';
import { ciNext, everyCiFile, packageChecksum } from '../../src/setup/ci.ts';
import { packageVersion } from '../../src/templates.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';

const WORKFLOW = '.github/workflows/git-mem.yml';
const rendered = (path: string) =>
  everyCiFile()
    .find((file) => file.path === path)
    ?.add(undefined, false) ?? '';

interface Job {
  permissions: object;
  needs?: string;
  if?: string;
  steps: { uses?: string; run?: string; with?: object }[];
}

interface GitLabJob {
  before_script?: string[];
  script: string[];
}

/** No script of a package runs, and only this one is installed. */
const INSTALL = `npm install --global --ignore-scripts --omit=optional git-mem@${packageVersion()}`;

describe('the CI templates', () => {
  const cases = everyCiFile().map((file) => [file.path, file.add(undefined, false)]);
  it.each(cases)('%s is YAML with nothing left to fill in', (_, text) => {
    expect(load(text)).toBeTypeOf('object');
    expect(text).not.toMatch(/(?<!\$)\{\{/);
  });

  it('are all rendered', () => {
    expect(readdirSync('templates/ci').sort()).toEqual(['github.yml', 'gitlab.yml']);
  });

  it('read a GitHub pull request without write permission, and comment without running anything from it', () => {
    const text = rendered(WORKFLOW);
    const workflow = load(text) as { on: object; permissions: object; jobs: Record<string, Job> };
    expect(workflow.on).toEqual({ pull_request: null });
    expect(workflow.permissions).toEqual({});
    const { read, comment, ...others } = workflow.jobs;
    expect(others).toEqual({});
    expect(read?.permissions).toEqual({ contents: 'read' });
    expect(comment?.permissions).toEqual({ 'pull-requests': 'write' });
    expect(comment?.needs).toBe('read');
    const steps = read?.steps ?? [];
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    const checkout = steps.findIndex(({ uses }) => uses?.startsWith('actions/checkout'));
    expect(steps.findIndex(({ run }) => run?.includes(INSTALL))).toBe(checkout - 1);
    expect(steps[checkout]?.with).toMatchObject({ 'persist-credentials': false, 'fetch-depth': 0 });
    expect(steps.at(-1)?.run).toBe('git-mem check --base "$BASE" --format github');
    // What may write sees a finished text, and runs neither git-mem nor anything that is checked out.
    expect(comment?.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
    for (const { uses, run } of comment?.steps ?? [])
      expect(uses ?? run).not.toMatch(/checkout|npm|git-mem (?:diff|check)/);
    // An expression in a script would be replaced before the shell reads it.
    for (const { run } of [...steps, ...(comment?.steps ?? [])]) expect(run ?? '').not.toContain('${{');
  });

  it('read a GitLab merge request in one job, and pass the other job’s token to nothing from it', () => {
    const { 'git-mem': reading, 'git-mem-note': note } = load(rendered('.gitlab/git-mem.yml')) as Record<
      string,
      GitLabJob
    >;
    expect(reading?.before_script?.join('\n')).toContain(INSTALL);
    expect(reading?.script.join('\n')).not.toContain('TOKEN');
    expect(note).toMatchObject({ variables: { GIT_STRATEGY: 'none' }, environment: { name: 'git-mem/note' } });
    expect(note?.script.join('\n')).not.toMatch(/npm|git-mem (?:diff|check)/);
  });

  it.each([
    ['GitHub', () => (load(rendered(WORKFLOW)) as { jobs: Record<string, Job> }).jobs.read?.steps[1]?.run],
    [
      'GitLab',
      () => (load(rendered('.gitlab/git-mem.yml')) as Record<string, GitLabJob>)['git-mem']?.before_script?.[0],
    ],
  ])('install on %s the version that wrote them, and nothing else', (_, script) => {
    const { folder, root, env } = createRepository();
    const place = join(folder, 'modules/git-mem');
    for (const name of ['LICENSE', 'README.md', 'SECURITY.md', 'package.json', 'templates', 'dist']) {
      cpSync(name, join(place, name), { recursive: true, filter: (path) => !path.startsWith('dist/bench-') });
    }
    mkdirSync(join(place, 'node_modules/other'), { recursive: true });
    writeFileSync(join(place, 'node_modules/other/index.js'), 'other\n');
    writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n[ "$1" = root ] && echo '${join(folder, 'modules')}'\nexit 0\n`);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const install = () =>
      spawnSync('bash', ['-e', '-c', script() ?? 'exit 9'], {
        cwd: root,
        env: { ...env, CHECKSUM: packageChecksum() },
        encoding: 'utf8',
      });
    expect(install()).toMatchObject({ status: 0, stdout: '' });
    writeFileSync(join(place, 'dist/more.cjs'), 'evil();\n');
    expect(install()).toMatchObject({ status: 1, stdout: expect.stringContaining('is not what this') });
  });

  it('call existing commands, in scripts that a shell can parse', async ({ repository }) => {
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'one');
    for (const command of [
      ['diff', 'HEAD...HEAD', '--format', 'md'],
      ['check', '--base', 'HEAD', '--format', 'github'],
    ])
      expect((await gitMem(repository, command)).code).toBe(0);
    const paths = everyCiFile().map(({ path }) => path);
    const jobs = paths
      .filter((path) => path.startsWith('.gitlab/'))
      .flatMap((path) => Object.values(load(rendered(path)) as Record<string, GitLabJob>));
    const workflows = paths.filter((path) => path.startsWith('.github/')).map((path) => load(rendered(path)));
    const scripts = [
      ...jobs.flatMap(({ script, before_script = [] }) => [...before_script, ...script]),
      ...(workflows as { jobs: Record<string, Job> }[]).flatMap(({ jobs }) =>
        Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run ?? '')),
      ),
    ];
    expect(scripts.length).toBeGreaterThan(5);
    for (const script of scripts) expect(spawnSync('bash', ['-n'], { input: script }).status, script).toBe(0);
    const node = /<<'SCRIPT'[^\n]*\n(.*)\nSCRIPT/s.exec(scripts.join('\n'))?.[1] ?? '';
    expect(node).toContain('fetch(');
    expect(spawnSync(process.execPath, ['--check', '-'], { input: node }).status).toBe(0);
  });
});

it('says nothing of an include that a GitLab pipeline has', () => {
  expect(ciNext('gitlab', () => 'include:\n  - local: .gitlab/git-mem.yml\n')).toHaveLength(1);
});
