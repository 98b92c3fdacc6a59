import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hostTemplate } from '../../../src/setup/host-template.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { ENGINE } from '../../support/sqlite.ts';
import { it } from '../../support/with-repository.ts';

const CREATED = `created    .memory/README.md
created    .memory/.gitattributes
created    .memory/.npmignore
created    .memory/.prettierrc
created    .memory/.markdownlint.json
created    .memory/config.yaml
created    .memory/hook
created    .claude/settings.json
created    .mcp.json
created    .claude/skills/mem-search/SKILL.md
created    .git/hooks/pre-commit
`;

describe('git mem init', () => {
  it('lists what it wrote on stdout and what to do next on stderr', async ({ repository }) => {
    const { code, stdout, stderr } = await gitMem(repository, ['init']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: CREATED });
    expect(stderr).toBe(`
Next:
  1. Commit what was written: git add .memory .claude/settings.json .mcp.json .claude/skills/mem-search/SKILL.md && git commit -m "Set up git-mem"
  2. Start Claude Code in ${repository.root}, because it runs the hooks of the folder where it is started. It asks once whether you trust them, and the answer it offers first is no; then for the MCP server.
  3. Give it a first memory: \`git mem bootstrap --dry-run\` shows what the files say; \`git mem bootstrap --agent\` prints what to ask of your agent.
  4. Check the set-up with \`git mem doctor\`.
`);
    expect(await gitMem(repository, ['init', '--yes'])).toEqual({
      code: 0,
      stdout: CREATED.replaceAll('created  ', 'unchanged'),
      stderr: '\nThis repository is set up already: nothing was changed.\n',
    });
  });

  it('writes nothing with --dry-run', async ({ repository }) => {
    expect(await gitMem(repository, ['init', '--dry-run'])).toEqual({
      code: 0,
      stdout: CREATED.replaceAll('created', 'create '),
      stderr: '\nThis was a dry run: nothing was written.\n',
    });
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it('works at the top of the worktree when it is started below it', async () => {
    const repository = createRepository("it's here");
    const below = join(repository.root, 'packages/a');
    mkdirSync(below, { recursive: true });
    const { code, stdout, stderr } = await gitMem(repository, ['init', '--json', '--host', 'claude-code'], {
      cwd: below,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ ok: true, dry_run: false, warnings: [] });
    expect(result.files).toContainEqual({ path: '.claude/settings.json', action: 'created' });
    expect(readFileSync(join(repository.root, '.claude/settings.json'), 'utf8')).toBe(
      hostTemplate('hosts/claude-code.json'),
    );
    const [commit] = /git -C .*/.exec(result.next[0]) ?? [''];
    spawnSync('sh', ['-c', commit], { cwd: below, env: repository.env });
    expect(repository.git('log', '--format=%s', '--', '.memory/hook', '.claude')).toBe('Set up git-mem\n');
  });

  it('writes to a linked worktree when it is started there', async ({ repository }) => {
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'Begin');
    const other = join(repository.folder, 'other');
    repository.git('worktree', 'add', '--quiet', other);
    expect((await gitMem(repository, ['init'], { cwd: other })).code).toBe(0);
    expect(existsSync(join(other, '.memory/hook'))).toBe(true);
    expect(existsSync(join(repository.root, '.memory'))).toBe(false);
  });

  it('warns of what would fail later', async ({ repository }) => {
    repository.write('.gitignore', '.memory/\n');
    const { code, stdout, stderr } = await gitMem(repository, ['init', '--json'], { env: { PATH: '/usr/bin:/bin' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).warnings).toEqual([
      expect.objectContaining({ name: 'program', message: 'git-mem is not on PATH: agents and git do not find it.' }),
      expect.objectContaining({
        name: 'ignored',
        message: expect.stringContaining('because of ".memory/" (.gitignore, line 1)'),
      }),
    ]);
    expect((await gitMem(repository, ['init'], { env: { PATH: '/usr/bin:/bin' } })).stderr).toContain(
      '! git-mem is not on PATH',
    );
  });

  it('reports problems in one line and writes nothing', async ({ repository }) => {
    repository.write('.claude/settings.json', '{\n  "model": opus\n}\n');
    const broken = await gitMem(repository, ['init']);
    expect(broken).toMatchObject({ code: 1, stdout: '' });
    expect(broken.stderr).toMatch(
      /^git-mem: \.claude\/settings\.json is not valid JSON: line 2, .*\n.*Nothing was written\.\n$/,
    );
    expect(existsSync(join(repository.root, '.memory'))).toBe(false);
    expect(await gitMem(repository, ['init', '--host', 'claude-code,nobody'])).toMatchObject({ code: 2, stdout: '' });
    const bare = join(repository.folder, 'bare.git');
    repository.git('init', '--quiet', '--bare', bare);
    expect(await gitMem(repository, ['init'], { cwd: bare })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a bare repository'),
    });
    expect(await gitMem(repository, ['init'], { cwd: repository.folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not inside a git checkout'),
    });
  });
});

describe('git mem init in a repository of others', () => {
  it('takes several --host, and says that a server of its name starts another program', async ({ repository }) => {
    const theirs = '{"mcpServers": {"git-mem": {"command": "other-memory", "args": ["serve"]}}}\n';
    repository.write('.mcp.json', theirs);
    const args = ['init', '--host', 'codex', '--host', 'claude-code,gemini-cli', '--no-git-hooks'];
    const { stdout, stderr } = await gitMem(repository, args);
    for (const path of ['.codex/hooks.json', '.claude/settings.json', '.gemini/settings.json'])
      expect(stdout).toContain(`created    ${path}\n`);
    const told = 'The server git-mem in .mcp.json starts another program: Claude Code cannot search by itself.';
    expect(stderr).toContain(told);
    expect((await gitMem(repository, ['doctor'])).stdout).toContain(told);
    await gitMem(repository, ['uninstall', '--yes']);
    expect(readFileSync(join(repository.root, '.mcp.json'), 'utf8')).toBe(theirs);
  });
});

describe('a sparse checkout without .memory', () => {
  it('keeps what is saved in the clone, lets `git add -A` work, and doctor names the way to have it', async ({
    repository,
  }) => {
    await gitMem(repository, ['init', '--yes']);
    repository.write('src/a.ts', 'a\n');
    repository.commit('Set up');
    repository.git('sparse-checkout', 'set', 'src');
    const saved = await gitMem(repository, ['add', '--title', 'The parser keeps blank lines', '--json']);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('.git/git-mem/private') });
    repository.write('src/a.ts', 'b\n');
    repository.git('add', '-A');
    expect(repository.git('status', '--porcelain')).toBe('M  src/a.ts\n');
    const { checks } = JSON.parse((await gitMem(repository, ['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'memory', hint: 'Run `git sparse-checkout add .memory`.' }),
    );
    repository.git('sparse-checkout', 'add', '.memory');
    expect((await gitMem(repository, ['list', '--json'])).stdout).toContain('The parser keeps blank lines');
    expect((await gitMem(repository, ['config', 'capture.destination'])).stdout).toContain('team');
  });
});

describe('git mem uninstall', () => {
  it('removes what init wrote, and does nothing the second time', async ({ repository }) => {
    repository.write('.claude/settings.json', '{"model":"opus"}');
    await gitMem(repository, ['init']);
    expect(await gitMem(repository, ['uninstall', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^restore {4}\.claude\/settings\.json\nremove {5}\.mcp\.json\n/),
      stderr: '\nThis was a dry run: nothing was changed.\n',
    });
    expect(existsSync(join(repository.root, '.memory/hook'))).toBe(true);
    const { code, stdout, stderr } = await gitMem(repository, ['uninstall']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `restored   .claude/settings.json
removed    .mcp.json
removed    .claude/skills/mem-search/SKILL.md
removed    .memory/README.md
removed    .memory/.gitattributes
removed    .memory/.npmignore
removed    .memory/.prettierrc
removed    .memory/.markdownlint.json
removed    .memory/config.yaml
removed    .memory/hook
removed    .git/hooks/pre-commit
`,
      stderr: expect.stringMatching(
        /^\nPrompts, .* stay in \/.*\.git\/git-mem until you delete it\.\n\nCommit this to take git-mem out for everybody\.\n$/,
      ),
    });
    expect(readFileSync(join(repository.root, '.claude/settings.json'), 'utf8')).toBe('{"model":"opus"}');
    expect((await gitMem(repository, ['uninstall', '--yes'])).stderr).toBe(
      'git-mem is not set up here: there is nothing to take out.\n',
    );
  });

  it('leaves records, and says so', async ({ repository }) => {
    await gitMem(repository, ['init']);
    await repository.call('add', '--type', 'decision', '--title', 'Records stay when git-mem goes');
    const { stderr } = await gitMem(repository, ['uninstall', '--yes']);
    expect(stderr).toContain('What is left in .memory is yours: records are never removed.');
    expect(readdirSync(join(repository.root, '.memory'))).toEqual(['observations']);
  });
});

describe('git mem doctor', () => {
  it('finds nothing to fix right after init', async ({ repository }) => {
    await gitMem(repository, ['init']);
    const { code, stdout } = await gitMem(repository, ['doctor', '--json']);
    const { ok, checks } = JSON.parse(stdout);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    const lacking = { name: 'index', message: expect.stringContaining('better-sqlite3 does not load') };
    expect(checks.filter((check: { status: string }) => check.status !== 'ok')).toEqual(
      ENGINE !== 'minisearch' ? [] : [expect.objectContaining(lacking)],
    );
  });

  it('prints what is not in order, the next step below each failure, and exits 1', async ({ repository }) => {
    await gitMem(repository, ['init']);
    rmSync(join(repository.root, '.memory/hook'));
    const { code, stdout } = await gitMem(repository, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ launcher +\.memory\/hook is not there: the hooks do nothing\.\n +→ Run `git mem init`\.\n/,
    );
    expect(stdout).not.toContain('repository');
    expect(stdout).toMatch(/✓ \d+ other checks in order \(--all\)\.\n$/);
    expect((await gitMem(repository, ['doctor', '--all'])).stdout).toContain('✓ repository');
  });

  it('checks the machine where there is no repository', async ({ repository }) => {
    const { code, stdout } = await gitMem(repository, ['doctor', '--json'], { cwd: repository.folder });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks.map(({ name }: { name: string }) => name)).toEqual([
      'git',
      'node',
      'program',
      'repository',
    ]);
  });
});
