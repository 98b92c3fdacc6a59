import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { ciNext, everyCiFile } from '../../src/setup/ci.ts';
import { packageChecksum } from '../../src/setup/package-checksum.ts';
import { packageVersion } from '../../src/templates.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const WORKFLOW = '.github/workflows/git-mem.yml';
const read = ({ root }: TestRepository, path: string) => readFileSync(join(root, path), 'utf8');
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

const DISTIL = '.github/workflows/git-mem-distil.yml';

/** Runs the job that may write, in a clone of the repository, with a remote that takes what it pushes. */
function proposed({ folder, root, env }: TestRepository, script: string, more: Record<string, string>, patch?: string) {
  const place = mkdtempSync(join(folder, 'job-'));
  const run = (command: string, args: string[], cwd = place) =>
    spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  run('git', ['init', '--quiet', '--bare', 'acme/shop.git']);
  run('git', ['-C', 'acme/shop.git', 'config', 'receive.advertisePushOptions', 'true']);
  symlinkSync('shop.git', join(place, 'acme/shop'));
  run('git', ['clone', '--quiet', root, 'clone']);
  if (patch !== undefined) writeFileSync(join(place, 'clone/memory.patch'), patch);
  writeFileSync(join(folder, 'bin/gh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const variables = { ...env, ...more, RUNNER_TEMP: place };
  const { status, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: join(place, 'clone'),
    env: { ...variables, SERVER: `file://${place}`, CI_SERVER_URL: `file://${place}` },
    encoding: 'utf8',
  });
  const pushed = () => {
    const head = run('git', ['-C', 'acme/shop.git', 'for-each-ref', '--format=%(objectname)']).stdout.trim();
    if (head !== '') run('git', ['fetch', '--quiet', join(place, 'acme/shop.git'), head], root);
    return head;
  };
  return { status, stderr, pushed };
}

function githubProposal(repository: TestRepository, patch: string) {
  const { propose } = (load(rendered(DISTIL)) as { jobs: Record<string, Job> }).jobs;
  const PATCH = Buffer.from(patch).toString('base64');
  const more = { PATCH, NUMBER: '42', GH_TOKEN: 't', REPOSITORY: 'acme/shop', BASE: 'main' };
  return proposed(repository, propose?.steps.at(-1)?.run ?? 'exit 9', more);
}

function gitlabProposal(repository: TestRepository, patch: string) {
  const job = (load(rendered('.gitlab/git-mem-distil.yml')) as Record<string, GitLabJob>)['git-mem-propose'];
  const more = {
    GIT_MEM_TOKEN: 't',
    CI_DEFAULT_BRANCH: 'main',
    CI_PROJECT_PATH: 'acme/shop',
    CI_COMMIT_SHORT_SHA: 'abc1234',
  };
  return proposed(repository, job?.script.join('\n') ?? 'exit 9', more, patch);
}

/** No script of a package runs, and only this one is installed. */
const INSTALL = `npm install --global --ignore-scripts --omit=optional git-mem@${packageVersion()}`;

describe('the CI templates', () => {
  it.each(everyCiFile().map((file) => [file.path, file.add(undefined, false)]))(
    '%s is YAML with nothing left to fill in',
    (_, text) => {
      expect(load(text)).toBeTypeOf('object');
      expect(text).not.toMatch(/(?<!\$)\{\{/);
    },
  );

  it('are all rendered', () => {
    expect(readdirSync('templates/ci').sort()).toEqual([
      ...['github-digest.yml', 'github-distil.yml', 'github.yml'],
      ...['gitlab-digest.yml', 'gitlab-distil.yml', 'gitlab.yml'],
    ]);
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

  it('let a model read a discussion in one job, and another one write, which sees neither', () => {
    const workflow = load(rendered(DISTIL)) as { on: object; permissions: object; jobs: Record<string, Job> };
    expect(workflow.on).toEqual({ push: null });
    expect(workflow.permissions).toEqual({});
    const { distil, propose, ...others } = workflow.jobs;
    expect(others).toEqual({});
    expect(distil?.permissions).toEqual({ contents: 'read', issues: 'read', 'pull-requests': 'read' });
    expect(propose?.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    const steps = [...(distil?.steps ?? []), ...(propose?.steps ?? [])];
    for (const { uses, run, with: options } of steps) {
      if (uses) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      if (uses?.startsWith('actions/checkout')) expect(options).toMatchObject({ 'persist-credentials': false });
      // An expression in a script would be replaced before the shell reads it.
      expect(run ?? '').not.toContain('${{');
    }
    expect(JSON.stringify(propose)).not.toMatch(/npm|git-mem distil|ANTHROPIC|secrets\./);
    const jobs = load(rendered('.gitlab/git-mem-distil.yml')) as Record<string, GitLabJob>;
    expect(JSON.stringify(jobs['git-mem-propose'])).not.toMatch(/npm|git-mem distil|ANTHROPIC|GITLAB_TOKEN/);
    expect(JSON.stringify(jobs['git-mem-distil'])).not.toContain('GIT_MEM_TOKEN');
  });

  it.each([
    ['GitHub', githubProposal],
    ['GitLab', gitlabProposal],
  ])('on %s push new records of a patch, and nothing else that it does', (_, propose) => {
    const repository = createRepository();
    repository.write('.memory/observations/2026-10/old.md', 'kept\n');
    repository.write('src/a.ts', 'one\n');
    repository.commit('Start');
    const patchOf = (change: () => void) => {
      repository.git('checkout', '--quiet', '-b', 'proposal');
      change();
      repository.commit('Proposal');
      const patch = repository.git('format-patch', '--stdout', 'main..proposal');
      repository.git('checkout', '--quiet', 'main');
      repository.git('branch', '--quiet', '-D', 'proposal');
      return patch;
    };
    const record = () => repository.write('.memory/observations/2026-11/20261120T200501Z-new-k3v9x2qd7m.md', 'new\n');
    const good = propose(
      repository,
      patchOf(() => {
        record();
        repository.write('src/a.ts', 'evil\n');
        repository.write('.github/workflows/evil.yml', 'on: push\n');
        repository.write('.memory/config.yaml', 'trust: {inject_unreviewed: true}\n');
      }),
    );
    expect(good.status, good.stderr).toBe(0);
    expect(repository.git('diff', '--name-status', 'main', good.pushed())).toBe(
      'A\t.memory/observations/2026-11/20261120T200501Z-new-k3v9x2qd7m.md\n',
    );
    for (const change of [
      () => repository.write('.memory/observations/2026-10/old.md', 'changed\n'),
      () => repository.git('rm', '--quiet', '.memory/observations/2026-10/old.md'),
      () => symlinkSync('/etc/passwd', join(repository.root, '.memory/observations/2026-10/link.md')),
    ]) {
      const bad = propose(repository, patchOf(change));
      expect([bad.status, bad.pushed()]).toEqual([1, '']);
    }
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

  it('call existing commands, in scripts that a shell can parse', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'one');
    for (const command of [
      ['diff', 'HEAD...HEAD', '--format', 'md'],
      ['check', '--base', 'HEAD', '--format', 'github'],
      ['digest', '--since', '7 days ago', '--by', 'area', '--format', 'html'],
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
    expect(scripts.length).toBeGreaterThan(15);
    for (const script of scripts) expect(spawnSync('bash', ['-n'], { input: script }).status, script).toBe(0);
    const node = /<<'SCRIPT'[^\n]*\n(.*)\nSCRIPT/s.exec(scripts.join('\n'))?.[1] ?? '';
    expect(node).toContain('fetch(');
    expect(spawnSync(process.execPath, ['--check', '-'], { input: node }).status).toBe(0);
  });
});

describe('init --ci', () => {
  it.each([
    ['github', [WORKFLOW]],
    ['gitlab', ['.gitlab/git-mem.yml', '.gitlab-ci.yml']],
  ])('writes the files of %s once, and uninstall removes them', async (provider, paths) => {
    const repository = createRepository();
    const run = async () => (await gitMem(repository, ['init', '--yes', '--ci', provider])).stdout;
    expect(await run()).toContain(`created    ${paths[0]}`);
    for (const path of paths) expect(existsSync(join(repository.root, path))).toBe(true);
    expect(await run()).not.toMatch(/created|updated/);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it('writes the jobs beside the review on request only, and includes them in the pipeline', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--ci', 'gitlab']);
    await gitMem(repository, ['init', '--yes', '--ci', 'gitlab', '--distil', '--digest']);
    expect(readdirSync(join(repository.root, '.gitlab')).sort()).toEqual([
      'git-mem-digest.yml',
      'git-mem-distil.yml',
      'git-mem.yml',
    ]);
    expect(read(repository, '.gitlab-ci.yml').match(/local:/g)).toHaveLength(3);
    await gitMem(repository, ['init', '--yes', '--ci', 'github', '--digest']);
    expect(readdirSync(join(repository.root, '.github/workflows')).sort()).toEqual([
      'git-mem-digest.yml',
      'git-mem.yml',
    ]);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readdirSync(repository.root)).toEqual(['.git']);
    expect((await gitMem(repository, ['init', '--distil'])).stderr).toContain('Name the provider too');
  });

  it('leaves an existing pipeline alone, and says what to add to it', async () => {
    const repository = createRepository();
    repository.write('.gitlab-ci.yml', 'test: {script: [make]}\n');
    const { stderr } = await gitMem(repository, ['init', '--yes', '--ci', 'gitlab']);
    expect(read(repository, '.gitlab-ci.yml')).toBe('test: {script: [make]}\n');
    expect(stderr).toContain('Add to .gitlab-ci.yml: "include: - local: .gitlab/git-mem.yml".');
    expect(ciNext('gitlab', () => 'include:\n  - local: .gitlab/git-mem.yml\n')).toHaveLength(1);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readdirSync(repository.root).sort()).toEqual(['.git', '.gitlab-ci.yml']);
  });

  it('keeps a workflow that somebody changed, on init and on uninstall', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--ci', 'github']);
    repository.write(WORKFLOW, 'name: Ours\n');
    expect((await gitMem(repository, ['init', '--yes', '--ci', 'github'])).stdout).toContain('yours, left as it is');
    await gitMem(repository, ['uninstall', '--yes']);
    expect(read(repository, WORKFLOW)).toBe('name: Ours\n');
  });

  it('rejects an unknown provider', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['init', '--ci', 'jenkins']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('github, gitlab') });
  });
});
