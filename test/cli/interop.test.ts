import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BEGIN, END } from '../../src/exchange/export/agents-section.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { writeClaudeMem } from '../support/claude-mem.ts';
import { remember } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { describeSqlite } from '../support/sqlite.ts';

const at = (time: string) => ({ generated: { by: 'test', at: time } });

function createMemory(): TestRepository {
  const repository = createRepository();
  remember(repository, [
    {
      id: 'k3v9x2qd7m',
      type: 'bugfix',
      title: 'Clock skew',
      narrative: 'It *drifts*.',
      facts: ['30 seconds'],
      ...at('2026-11-20T10:00:00Z'),
    },
    {
      id: 'p8w2m4ta1c',
      type: 'decision',
      title: 'Postgres',
      supersedes: ['7h2c9d4e1f'],
      ...at('2026-11-19T10:00:00Z'),
    },
    { id: '7h2c9d4e1f', type: 'decision', title: 'Redis', ...at('2026-10-19T10:00:00Z') },
    { id: 'rrrrrrrrrr', title: 'Taken back', ...at('2026-10-18T10:00:00Z') },
  ]);
  const { stores } = openWorkspace(repository.root, repository.env);
  const mark = { kind: 'mark' as const, type: 'redact' as const, targets: ['rrrrrrrrrr'], reason: '' };
  stores.team.put({ ...mark, id: 'mmmmmmmmmm', ...at('2026-11-20T11:00:00Z') });
  stores.private.put({ kind: 'prompt', id: 'qqqqqqqqqq', text: 'Why is it slow?', ...at('2026-11-20T12:00:00Z') });
  return repository;
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('git mem export', () => {
  it('writes everything except redacted records, oldest first, one per line', async () => {
    const repository = createMemory();
    const { code, stdout, stderr } = await gitMem(repository, ['export']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines(stdout).map(({ id }) => id)).toEqual([
      '7h2c9d4e1f',
      'p8w2m4ta1c',
      'k3v9x2qd7m',
      'mmmmmmmmmm',
      'qqqqqqqqqq',
    ]);
    expect(lines((await gitMem(repository, ['export', '--all'])).stdout)).toHaveLength(6);
    expect(
      lines((await gitMem(repository, ['export', '--type', 'decision', '--since', '2026-11'])).stdout),
    ).toMatchObject([{ id: 'p8w2m4ta1c' }]);
    expect(lines((await gitMem(repository, ['export', '--limit', '1', '--kind', 'observation'])).stdout)).toMatchObject(
      [{ id: 'k3v9x2qd7m' }],
    );
  });

  it('writes one document for programs and one for people', async () => {
    const repository = createMemory();
    const { total, records } = JSON.parse((await gitMem(repository, ['export', '--format', 'json'])).stdout);
    expect([total, records.length]).toEqual([5, 5]);
    expect((await gitMem(createRepository(), ['export', '--format', 'json'])).stdout).toBe(
      '{\n  "total": 0,\n  "records": []\n}\n',
    );
    expect((await gitMem(repository, ['export', '--format', 'md'])).stdout).toBe(`# Memory

## Postgres

decision · 2026-11-19 · \`p8w2m4ta1c\`

## Clock skew

bugfix · 2026-11-20 · \`k3v9x2qd7m\`

It *drifts*.

- 30 seconds
`);
  });

  it('writes a file readable by its owner alone', async () => {
    const repository = createMemory();
    const cwd = join(repository.root, 'below');
    mkdirSync(cwd);
    expect(await gitMem(repository, ['export', '--out', 'memory.jsonl'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: '5 records in memory.jsonl.\n',
    });
    const file = join(cwd, 'memory.jsonl');
    expect(readFileSync(file, 'utf8')).toBe((await gitMem(repository, ['export'])).stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await gitMem(repository, ['export', '--out', '/nowhere/x'], { cwd })).toMatchObject({ code: 1, stdout: '' });
    expect((await gitMem(repository, ['export', '--format', 'xml'])).code).toBe(2);
  });
});

describe('git mem export --format', () => {
  it('okf writes a bundle that imports unchanged', async () => {
    const [from, to] = [createMemory(), createRepository()];
    const bundle = join(from.folder, 'bundle');
    expect(await gitMem(from, ['export', '--format', 'okf', '--out', bundle])).toEqual({
      code: 0,
      stdout: '',
      stderr: `5 records in ${bundle}.\n`,
    });
    expect(await gitMem(to, ['import', 'okf', bundle])).toEqual({
      code: 0,
      stdout: '5 records imported.\n',
      stderr: '',
    });
    const comparable = (text: string) => lines(text).map(({ store, path, trust, freshness, ...rest }) => rest);
    const both = await Promise.all([from, to].map((repository) => gitMem(repository, ['export'])));
    expect(comparable(both[1]?.stdout ?? '')).toEqual(comparable(both[0]?.stdout ?? ''));
    expect(await gitMem(from, ['export', '--format', 'okf'])).toMatchObject({ code: 1 });
    expect(await gitMem(from, ['export', '--format', 'okf', '--out', bundle])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty'),
    });
  });

  it('agents-md keeps a section of AGENTS.md up to date, and removes it again', async () => {
    const repository = createMemory();
    const file = join(repository.root, 'AGENTS.md');
    const update = (...args: string[]) => gitMem(repository, ['export', '--format', 'agents-md', ...args]);
    expect(await update()).toEqual({ code: 0, stdout: '', stderr: '0 pinned records in AGENTS.md, as before.\n' });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '# Rules\r\nTabs.\r\n');
    await gitMem(repository, ['pin', 'p8w2']);
    expect(await update()).toMatchObject({ code: 0, stderr: '1 pinned record in AGENTS.md.\n' });
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith(`# Rules\r\nTabs.\r\n\r\n${BEGIN}\r\n`)).toBe(true);
    expect(text.endsWith(`- **Postgres** (\`p8w2m4ta1c\`)\r\n${END}\r\n`)).toBe(true);
    expect(await update()).toMatchObject({ stderr: '1 pinned record in AGENTS.md, as before.\n' });
    expect(await gitMem(repository, ['import', 'agents-md', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"imported": 1'),
    });
    expect(await update('--out', 'CLAUDE.md', '--type', 'bugfix')).toMatchObject({ code: 0 });
    expect(existsSync(join(repository.root, 'CLAUDE.md'))).toBe(false);
    await gitMem(repository, ['undo', 'p8w2']);
    await update();
    expect(readFileSync(file, 'utf8')).toBe('# Rules\r\nTabs.\r\n');
  });

  it('agents-md never writes through a link that leads out of the repository', async () => {
    const repository = createMemory();
    const outside = join(repository.folder, 'outside.md');
    writeFileSync(outside, 'Mine.\n');
    symlinkSync(outside, join(repository.root, 'AGENTS.md'));
    await gitMem(repository, ['pin', 'p8w2']);
    expect(await gitMem(repository, ['export', '--format', 'agents-md'])).toMatchObject({ code: 1 });
    expect(readFileSync(outside, 'utf8')).toBe('Mine.\n');
  });

  it('claude-mem writes the rows that claude-mem imports', async () => {
    const { stdout } = await gitMem(createMemory(), ['export', '--format', 'claude-mem']);
    const { observations, sessions, prompts, project } = JSON.parse(stdout);
    expect([observations.length, sessions.length, prompts.length, project]).toEqual([3, 1, 1, 'repository']);
    expect(observations[2]).toMatchObject({
      title: 'Clock skew',
      facts: '["30 seconds"]',
      created_at_epoch: Date.parse('2026-11-20T10:00:00Z'),
    });
  });
});

describeSqlite('git mem import claude-mem', () => {
  it('plans, imports with a progress bar on a terminal, and says what was left out', async () => {
    const repository = createRepository();
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
    expect(watched.stderr).toMatch(/\r\x1b\[K\[#*-+\] \d+ of 7 records|\r\x1b\[K\d+ records read/);
    expect(await gitMem(repository, args)).toMatchObject({
      code: 0,
      stdout: '0 records imported, 7 there already.\n',
      stderr: expect.stringMatching(/^Left out: [^\n\r]*observations\.content_hash[^\n\r]*\.\n$/),
    });
  });

  it('keeps no prompts where the settings exclude them', async () => {
    const repository = createRepository();
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

  it('reads standard input, writes to the team with --team, and names bad lines', async () => {
    const repository = createRepository();
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

  it('reports what it cannot read', async () => {
    const repository = createRepository();
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
