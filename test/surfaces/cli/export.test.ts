import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
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
