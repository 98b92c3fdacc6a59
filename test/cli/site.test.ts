import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { remember, run } from '../support/command.ts';
import { createRepository } from '../support/repository.ts';
import { drop, observationOf } from '../support/written-records.ts';

describe('git mem site', () => {
  it('writes one page, and says what is in it', () => {
    const repository = createRepository();
    remember(repository, [{ id: idOf('site', '1') }]);
    drop(repository, observationOf({ id: idOf('site', '2') }));
    const { status, stdout, stderr } = run(repository, ['site', '--out', 'public', '--json']);
    expect(status).toBe(0);
    const path = join(repository.root, 'public', 'index.html');
    expect(JSON.parse(stdout)).toEqual({ path, bytes: readFileSync(path).length, records: 1 });
    expect(stderr).toBe('1 record left out, because nobody has reviewed them: --all-trust includes such.\n');
    expect(run(repository, ['site', '--out', 'public']).stdout).toMatch(/^public\/index\.html: 1 record, \d+ KB\.\n$/);
  });

  it('shows a commit as it was', () => {
    const repository = createRepository();
    remember(repository, [{ id: idOf('site', '1') }]);
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '-m', 'One');
    remember(repository, [{ id: idOf('site', '2') }]);
    const told = run(repository, ['site', '--out', 'public', '--at', 'HEAD', '--json']);
    expect(JSON.parse(told.stdout).records).toBe(1);
  });

  it('leaves a page alone that it did not write', () => {
    const repository = createRepository();
    mkdirSync(join(repository.root, 'docs'));
    writeFileSync(join(repository.root, 'docs', 'index.html'), 'Mine.');
    const { status, stderr } = run(repository, ['site', '--out', 'docs']);
    expect(status).toBe(1);
    expect(stderr).toContain('was not written by git-mem');
    expect(readFileSync(join(repository.root, 'docs', 'index.html'), 'utf8')).toBe('Mine.');
  });

  it('asks where to write', () => {
    const repository = createRepository();
    const { status, stderr } = run(repository, ['site']);
    expect(status).toBe(2);
    expect(stderr).toContain('--out');
    expect(existsSync(join(repository.root, 'index.html'))).toBe(false);
  });
});
