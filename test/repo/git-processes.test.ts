import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitAtWork, listedProcesses } from '../../src/git/git-processes.ts';

const checkout = { root: '/repository', gitDir: '/repository/.git' };
const running = (line: string, place?: string) => [
  { pid: '1', parent: '0', words: line.split(' '), ...(place !== undefined && { place }) },
];

describe('a git command that may move HEAD', () => {
  it.each([
    ['git commit -m x', 'git commit is running'],
    ['/usr/lib/git-core/git -c a.b=c -C /elsewhere rebase --continue', 'git rebase is running'],
    ['git-commit', 'git commit is running'],
    ['git log -p', undefined],
    ['git-mem drain', undefined],
    ['git mem drain', undefined],
    ['vim git commit', undefined],
  ])('is told apart from others: `%s`', (line, said) => {
    expect(gitAtWork(checkout, () => running(line, '/repository/src'))).toBe(said);
    expect(gitAtWork(checkout, () => running(line))).toBe(said);
  });

  it('does not count when it is known to run in another checkout', () => {
    expect(gitAtWork(checkout, () => running('git commit', '/repository2'))).toBeUndefined();
  });

  it('is assumed where processes cannot be listed', () => {
    const none = () => {
      throw new Error('no ps');
    };
    expect(gitAtWork(checkout, none)).toBe('running git commands cannot be listed on this system');
  });

  it.runIf(process.platform !== 'win32')('is found by ps, as on macOS', async () => {
    // It reads its input until that ends.
    const child = spawn('git', ['hash-object', '--stdin-paths'], {
      cwd: tmpdir(),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await new Promise((resolve) => child.once('spawn', resolve));
    const found = [...listedProcesses()].find(({ pid }) => pid === String(child.pid));
    expect(found).toEqual({
      pid: String(child.pid),
      parent: String(process.pid),
      words: ['git', 'hash-object', '--stdin-paths'],
    });
    expect(gitAtWork({ root: join(tmpdir(), 'x'), gitDir: '' }, listedProcesses)).toMatch(/^git .* is running$/);
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
  });
});
