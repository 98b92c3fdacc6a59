import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';

describe('git mem plugin', () => {
  it('writes the plugin and explains how to try, install and share it, even outside a repository', async () => {
    const repository = createRepository();
    const { code, stdout, stderr } = await gitMem(repository, ['plugin', '--out', "it's new"], {
      cwd: repository.folder,
    });
    expect(code).toBe(0);
    expect(stdout).toBe(`created    .claude-plugin/marketplace.json
created    git-mem/README.md
created    git-mem/.claude-plugin/icon.png
created    git-mem/.claude-plugin/plugin.json
created    git-mem/hooks/hooks.json
created    git-mem/hooks/hook
created    git-mem/hooks/settings.awk
created    git-mem/hooks/launcher
created    git-mem/.mcp.json
created    git-mem/skills/mem-search/SKILL.md
created    git-mem/commands/recall.md
created    git-mem/commands/remember.md
created    git-mem/commands/review.md
created    git-mem/commands/status.md
`);
    const out = `'${repository.folder}/it'\\''s new`;
    expect(stderr).toBe(`
Next:
  1. Try it: claude --plugin-dir ${out}/git-mem'
  2. Install it: claude plugin marketplace add ${out}' && claude plugin install git-mem@git-mem
  3. For a team: push the folder as a repository of its own, whose address your colleagues add instead.
`);
    for (const line of stdout.trim().split('\n')) {
      expect(existsSync(join(repository.folder, "it's new", line.replace('created    ', '')))).toBe(true);
    }
    const again = await gitMem(repository, ['plugin', '--out', "it's new"], { cwd: repository.folder });
    expect(again.stdout).toBe(stdout.replaceAll('created  ', 'unchanged'));
    expect(again.stderr).toBe('\nThe plugin is there already: nothing was changed.\n');
  });

  it('updates what an older version wrote', async () => {
    const repository = createRepository();
    const out = join(repository.folder, 'out');
    await gitMem(repository, ['plugin', '--out', out]);
    const manifest = join(out, 'git-mem/.claude-plugin/plugin.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": ".*"/, '"version": "0.0.1"'));
    const { stdout } = await gitMem(repository, ['plugin', '--out', out]);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('unchanged'))).toEqual([
      expect.stringMatching(/^updated +git-mem\/\.claude-plugin\/plugin\.json$/),
    ]);
  });

  it('refuses to overwrite anything else, and requires a target', async () => {
    const repository = createRepository();
    mkdirSync(join(repository.root, 'git-mem'));
    const refused = await gitMem(repository, ['plugin', '--out', '.']);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Name another folder') });
    writeFileSync(join(repository.root, 'file'), '');
    expect(await gitMem(repository, ['plugin', '--out', 'file'])).toMatchObject({ code: 1, stdout: '' });
    expect((await gitMem(repository, ['plugin'])).code).toBe(2);
  });
});
