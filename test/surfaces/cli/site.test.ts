import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';
import { drop, observationOf } from '../../support/written-records.ts';

describe('git mem site', () => {
  it('writes one page, and lists what is in it', async ({ repository }) => {
    remember(repository, [{ id: idOf('site', '1') }]);
    drop(repository, observationOf({ id: idOf('site', '2') }));
    const { code, stdout, stderr } = await gitMem(repository, ['site', '--out', 'public', '--json']);
    expect(code).toBe(0);
    const path = join(repository.root, 'public', 'index.html');
    expect(JSON.parse(stdout)).toEqual({ path, bytes: readFileSync(path).length, records: 1 });
    expect(stderr).toBe('1 record left out, because nobody has reviewed them.\n');
    expect((await gitMem(repository, ['site', '--out', 'public'])).stdout).toMatch(
      /^public\/index\.html: 1 record, \d+ KB\.\n$/,
    );
  });

  it('shows the memory at a commit', async ({ repository }) => {
    remember(repository, [{ id: idOf('site', '1') }]);
    repository.commit('One');
    remember(repository, [{ id: idOf('site', '2') }]);
    const told = await gitMem(repository, ['site', '--out', 'public', '--at', 'HEAD', '--json']);
    expect(JSON.parse(told.stdout).records).toBe(1);
  });

  it('does not overwrite a page that it did not write', async ({ repository }) => {
    mkdirSync(join(repository.root, 'docs'));
    writeFileSync(join(repository.root, 'docs', 'index.html'), 'Mine.');
    const { code, stderr } = await gitMem(repository, ['site', '--out', 'docs']);
    expect(code).toBe(1);
    expect(stderr).toContain('was not written by git-mem');
    expect(readFileSync(join(repository.root, 'docs', 'index.html'), 'utf8')).toBe('Mine.');
  });

  it('asks for a target', async ({ repository }) => {
    const { code, stderr } = await gitMem(repository, ['site']);
    expect(code).toBe(2);
    expect(stderr).toContain('--out');
    expect(existsSync(join(repository.root, 'index.html'))).toBe(false);
  });
});
