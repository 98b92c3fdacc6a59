import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../src/exchange/bootstrap/history.ts';
import { commitOn, dayAfter } from '../../support/dated-commits.ts';
import { createRepository } from '../../support/repository.ts';

describe('the history', () => {
  it('has each commit with its files, newest first, whatever their names', async () => {
    const repository = createRepository();
    const odd = 'a\tb\n":\u001e0123 ü.txt';
    commitOn(repository, dayAfter(0), 'One\n\nWith a body.', { [odd]: '1\n2\n', '1\t2\tc': 'x\n' });
    commitOn(repository, dayAfter(1), 'Two\u001e\u001f', { [odd]: '1\n', ':100644': 'y\n', '1\t2\tc': undefined });
    const { commits, tree } = await readHistory(repository.root, repository.env, { range: ['HEAD'] });
    expect(commits.map(({ subject, at }) => [subject.slice(0, 3), at])).toEqual([
      ['Two', '2026-01-02T12:00:00Z'],
      ['One', '2026-01-01T12:00:00Z'],
    ]);
    expect(commits[1]?.body).toContain('With a body.');
    const files = commits.map((commit) =>
      commit.files.map(({ path, status, added, removed }) => [path, status, added, removed]),
    );
    expect(files[0]).toEqual(
      expect.arrayContaining([
        [odd, 'M', 0, 1],
        [':100644', 'A', 1, 0],
        ['1\t2\tc', 'D', 0, 1],
      ]),
    );
    expect(files[1]).toEqual(
      expect.arrayContaining([
        [odd, 'A', 2, 0],
        ['1\t2\tc', 'A', 1, 0],
      ]),
    );
    expect([...tree.keys()].sort()).toEqual([':100644', odd].sort());
  });

  it('gives a renamed file its current name', async () => {
    const repository = createRepository();
    const text = 'one line\nand another\nand a third\n';
    commitOn(repository, dayAfter(0), 'Add', { 'old.ts': text });
    commitOn(repository, dayAfter(1), 'Move', { 'old.ts': undefined, 'src/middle.ts': text });
    commitOn(repository, dayAfter(2), 'Move again', { 'src/middle.ts': undefined, 'src/new.ts': text });
    commitOn(repository, dayAfter(3), 'Another of the old name', { 'old.ts': 'something else\n' });
    const { commits } = await readHistory(repository.root, repository.env, { range: ['HEAD'] });
    expect(commits.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['old.ts'],
      ['src/new.ts'],
      ['src/new.ts'],
      ['src/new.ts'],
    ]);
  });

  it('obeys no setting that would change its format or run a program', async () => {
    const repository = createRepository();
    repository.git('config', 'diff.external', 'touch ran');
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'color.ui', 'always');
    repository.git('config', 'diff.renames', 'false');
    commitOn(repository, dayAfter(0), 'One', { 'a.ts': '1\n' });
    commitOn(repository, dayAfter(1), 'Two', { 'a.ts': '2\n' });
    const { commits } = await readHistory(repository.root, repository.env, { range: ['HEAD'] });
    expect(commits.map(({ files }) => files[0]?.path)).toEqual(['a.ts', 'a.ts']);
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});
