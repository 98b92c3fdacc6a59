import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { writeClaudeMem } from '../../support/claude-mem.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { describeSqlite } from '../../support/sqlite.ts';
import { it } from '../../support/with-repository.ts';
import { createMemory, lines } from './exported-memory.ts';

describeSqlite('git mem import claude-mem', () => {
  it('plans, imports with progress on a terminal, and says what was left out', async ({ repository }) => {
    const path = join(repository.folder, 'claude-mem.db');
    writeClaudeMem(path, { project: 'app', observations: 5, root: repository.root });
    const missed = await gitMem(repository, ['import', 'claude-mem', path]);
    expect(missed).toMatchObject({ code: 1, stdout: '' });
    expect(missed.stderr).toContain('Name one with --project: app (6), another (1).');
    const args = ['import', 'claude-mem', path, '--project', 'app'];
    const planned = await gitMem(repository, [...args, '--dry-run']);
    expect(planned).toMatchObject({ code: 0, stdout: '7 records to import.\n' });
    expect(planned.stderr).toContain('observations.narrative: narrative\n');
    expect(planned.stderr).toMatch(/^observations\.content_hash: left out: .+\.?$/m);
    const watched = await gitMem(repository, args, { tty: true });
    expect(watched.stderr).toMatch(/\r\x1b\[K(?:\d+ of 7 records|\d+ records read)/);
    expect(await gitMem(repository, args)).toMatchObject({
      code: 0,
      stdout: '0 records imported, 7 there already.\n',
      stderr: expect.stringMatching(/^Left out: [^\n\r]*observations\.content_hash[^\n\r]*\.\n$/),
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

describe('git mem import jsonl', () => {
  it('copies an export into another repository, once', async () => {
    const [from, to] = [createMemory(), createRepository()];
    const file = join(from.folder, 'memory.jsonl');
    await gitMem(from, ['export', '--out', file]);
    expect(await gitMem(to, ['import', 'jsonl', file, '--dry-run'])).toEqual({
      code: 0,
      stdout: '5 records to import.\n',
      stderr: 'This was a dry run: nothing was written.\n',
    });
    expect(await gitMem(to, ['import', 'jsonl', file])).toEqual({
      code: 0,
      stdout: '5 records imported.\n',
      stderr: '',
    });
    expect(JSON.parse((await gitMem(to, ['import', 'jsonl', file, '--json'])).stdout)).toEqual({
      imported: 0,
      skipped: 5,
      problems: [],
      dry_run: false,
    });
    const comparable = (text: string) => lines(text).map(({ store, path, trust, freshness, ...rest }) => rest);
    expect(comparable((await gitMem(to, ['export'])).stdout)).toEqual(comparable(readFileSync(file, 'utf8')));
    expect((await gitMem(to, ['search', 'drifting clocks'])).stdout).toContain(
      'k3v9 2026-11-20 10:00 bugfix    Clock skew  [private]',
    );
  });

  it('reads standard input, writes to the team with --team, and names bad lines', async ({ repository }) => {
    const { code, stdout, stderr } = await gitMem(repository, ['import', 'jsonl', '-', '--team'], {
      stdin: '{"title":"One"}\r\nno\n',
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '1 record imported.\n',
      stderr: 'line 2: The line is not JSON.\n',
    });
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).records).toMatchObject([
      { title: 'One', store: 'team', trust: 'own' },
    ]);
  });

  it('reports what it cannot read', async ({ repository }) => {
    expect(await gitMem(repository, ['import', 'jsonl', 'nowhere.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere.jsonl cannot be read'),
    });
    expect(await gitMem(repository, ['import', 'jsonl', '.'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('. cannot be read'),
    });
    writeFileSync(join(repository.root, 'binary'), Buffer.from([0xff, 0xfe, 0, 10, 0x80]));
    expect(await gitMem(repository, ['import', 'jsonl', 'binary'])).toMatchObject({
      code: 1,
      stdout: '0 records imported.\n',
    });
    expect((await gitMem(repository, ['import', 'chroma', 'x'])).code).toBe(2);
  });
});

it('says what it would have read where it found nothing', async ({ repository }) => {
  mkdirSync(join(repository.root, 'empty'));
  expect(await gitMem(repository, ['import', 'notes', 'empty'])).toEqual({
    code: 0,
    stdout: '0 records imported.\n',
    stderr: 'empty holds none of what `notes` reads: Markdown notes: a file, or a folder of them.\n',
  });
});
