import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';
import { createMemory, lines } from './exported-memory.ts';

const it = test.extend('repository', () => createMemory());

describe('git mem export', () => {
  it('writes everything except redacted records, oldest first, one per line', async ({ repository }) => {
    const { code, stdout, stderr } = await gitMem(repository, ['export']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines(stdout).map(({ id }) => id)).toEqual([
      '7h2c9d4e1f',
      'p8w2m4ta1c',
      'k3v9x2qd7m',
      'mmmmmmmmmm',
      'qqqqqqqqqq',
    ]);
    const decisions = lines((await gitMem(repository, ['export', '--type', 'decision'])).stdout);
    expect(decisions).toMatchObject([{ id: '7h2c9d4e1f' }, { id: 'p8w2m4ta1c' }]);
  });

  it('writes one document for programs and one for people', async ({ repository }) => {
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

  it('writes a file readable by its owner alone', async ({ repository }) => {
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
