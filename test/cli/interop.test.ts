import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/store/workspace.ts';
import { remember, run } from '../support/command.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

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
  it('writes everything but redacted records, oldest first, one a line', () => {
    const repository = createMemory();
    const { status, stdout, stderr } = run(repository, ['export']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lines(stdout).map(({ id }) => id)).toEqual([
      '7h2c9d4e1f',
      'p8w2m4ta1c',
      'k3v9x2qd7m',
      'mmmmmmmmmm',
      'qqqqqqqqqq',
    ]);
    expect(lines(run(repository, ['export', '--all']).stdout)).toHaveLength(6);
    expect(lines(run(repository, ['export', '--type', 'decision', '--since', '2026-11']).stdout)).toMatchObject([
      { id: 'p8w2m4ta1c' },
    ]);
    expect(lines(run(repository, ['export', '--limit', '1', '--kind', 'observation']).stdout)).toMatchObject([
      { id: 'k3v9x2qd7m' },
    ]);
  });

  it('writes a document for programs and one for people', () => {
    const repository = createMemory();
    const { total, records } = JSON.parse(run(repository, ['export', '--format', 'json']).stdout);
    expect([total, records.length]).toEqual([5, 5]);
    expect(run(createRepository(), ['export', '--format', 'json']).stdout).toBe(
      '{\n  "total": 0,\n  "records": []\n}\n',
    );
    expect(run(repository, ['export', '--format', 'md']).stdout).toBe(`# Memory

## Postgres

decision · 2026-11-19 · \`p8w2m4ta1c\`

## Clock skew

bugfix · 2026-11-20 · \`k3v9x2qd7m\`

It *drifts*.

- 30 seconds
`);
  });

  it('writes a file for its owner alone', () => {
    const repository = createMemory();
    const cwd = join(repository.root, 'below');
    mkdirSync(cwd);
    expect(run(repository, ['export', '--out', 'memory.jsonl'], { cwd })).toEqual({
      status: 0,
      stdout: '',
      stderr: '5 records in memory.jsonl.\n',
    });
    const file = join(cwd, 'memory.jsonl');
    expect(readFileSync(file, 'utf8')).toBe(run(repository, ['export']).stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(run(repository, ['export', '--out', '/nowhere/x'], { cwd })).toMatchObject({ status: 1, stdout: '' });
    expect(run(repository, ['export', '--format', 'xml']).status).toBe(2);
  });
});

describe('git mem import jsonl', () => {
  it('brings an export into another repository, once', () => {
    const [from, to] = [createMemory(), createRepository()];
    const file = join(from.folder, 'memory.jsonl');
    run(from, ['export', '--out', file]);
    expect(run(to, ['import', 'jsonl', file, '--dry-run'])).toEqual({
      ...{ status: 0, stdout: '5 records to import.\n', stderr: 'This was a dry run: nothing was written.\n' },
    });
    expect(run(to, ['import', 'jsonl', file])).toEqual({ status: 0, stdout: '5 records imported.\n', stderr: '' });
    expect(JSON.parse(run(to, ['import', 'jsonl', file, '--json']).stdout)).toEqual({
      imported: 0,
      skipped: 5,
      problems: [],
      dry_run: false,
    });
    const comparable = (text: string) => lines(text).map(({ store, path, trust, freshness, ...rest }) => rest);
    expect(comparable(run(to, ['export']).stdout)).toEqual(comparable(readFileSync(file, 'utf8')));
    expect(run(to, ['search', 'drifting clocks']).stdout).toContain(
      'k3v9 2026-11-20 10:00 bugfix    Clock skew  [private]',
    );
  });

  it('reads standard input, writes to the team with --team, and names bad lines', () => {
    const repository = createRepository();
    const { status, stdout, stderr } = run(repository, ['import', 'jsonl', '-', '--team'], {
      input: '{"title":"One"}\r\nno\n',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '1 record imported.\n',
      stderr: 'line 2: The line is not JSON.\n',
    });
    expect(JSON.parse(run(repository, ['list', '--json']).stdout).records).toMatchObject([
      { title: 'One', store: 'team', trust: 'own' },
    ]);
  });

  it('says what it cannot read', () => {
    const repository = createRepository();
    expect(run(repository, ['import', 'jsonl', 'nowhere.jsonl'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nowhere.jsonl cannot be read'),
    });
    expect(run(repository, ['import', 'jsonl', '.'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('. cannot be read'),
    });
    writeFileSync(join(repository.root, 'binary'), Buffer.from([0xff, 0xfe, 0, 10, 0x80]));
    expect(run(repository, ['import', 'jsonl', 'binary'])).toMatchObject({
      status: 1,
      stdout: '0 records imported.\n',
    });
    expect(run(repository, ['import', 'chroma', 'x']).status).toBe(2);
  });
});
