import { join } from 'node:path';
import { expect } from 'vitest';
import { writeClaudeMem } from '../../support/claude-mem.ts';
import { gitMem } from '../../support/command-line.ts';
import { describeSqlite } from '../../support/sqlite.ts';
import { it } from '../../support/with-repository.ts';

describeSqlite('git mem import claude-mem', () => {
  it('plans, and imports with progress on a terminal, each record once', async ({ repository }) => {
    const path = join(repository.folder, 'claude-mem.db');
    writeClaudeMem(path, { project: 'app', observations: 5, root: repository.root });
    const missed = await gitMem(repository, ['import', 'claude-mem', path]);
    expect(missed).toMatchObject({ code: 1, stdout: '' });
    expect(missed.stderr).toContain('Name one with --project: app (6), another (1).');
    const args = ['import', 'claude-mem', path, '--project', 'app'];
    const planned = await gitMem(repository, [...args, '--dry-run']);
    expect(planned).toMatchObject({ code: 0, stdout: '7 records to import.\n' });
    expect(planned.stderr).toBe('This was a dry run: nothing was written.\n');
    const watched = await gitMem(repository, args, { tty: true });
    expect(watched.stderr).toMatch(/\r\x1b\[K(?:\d+ of 7 records|\d+ records read)/);
    expect(await gitMem(repository, args)).toMatchObject({
      code: 0,
      stdout: '0 records imported, 7 there already.\n',
      stderr: '',
    });
  });

  it('keeps no prompts where the settings exclude them', async ({ repository }) => {
    const path = join(repository.folder, 'claude-mem.db');
    writeClaudeMem(path, { project: 'app', observations: 5, root: repository.root });
    const args = ['import', 'claude-mem', path, '--project', 'app', '--team'];
    const { stdout } = await gitMem(repository, args, { env: { GIT_MEM_PRIVACY_PROMPTS: 'off' } });
    expect(stdout).toBe('6 records imported.\n');
    expect(await gitMem(repository, args)).toMatchObject({ stdout: '1 record imported, 6 there already.\n' });
    expect((await gitMem(repository, ['list', '--kind', 'prompt', '--store', 'team', '--json'])).stdout).toContain(
      '"total": 0',
    );
  });
});
