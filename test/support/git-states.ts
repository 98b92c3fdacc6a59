import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locate } from '../../src/git/locate.ts';
import { filesBelow } from './files-below.ts';
import { createRepository, preparedOnce, type TestRepository } from './repository.ts';

/** A repository with one commit of two files. */
export const committedBase = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  repository.write('a.txt', 'one\ntwo\nthree\n');
  repository.write('b.txt', 'b\n');
  repository.commit('base');
  return repository;
});

/**
 * All that a user has in a checkout beside its memory, in git's own words; and the lock files that lie about. `of` limits
 * what is staged to these paths.
 */
export function standing(
  { root, env, git }: TestRepository,
  of: string[] = [],
): Record<string, unknown> & { head: string } {
  const checkout = locate(root);
  if (checkout === undefined) throw new Error(`${root} is no checkout.`);
  const { gitDir, commonDir } = checkout;
  const outside = ['--', '.', ':!.memory'];
  const status = git('status', '--porcelain=v2', '--untracked-files=all', '-z').split('\0');
  return {
    head: headWithoutMemory(git),
    branch: readFileSync(join(gitDir, 'HEAD'), 'utf8'),
    staged: git('diff', '--cached', '--binary', '--no-ext-diff', ...of),
    unstaged: git('diff', '--binary', '--no-ext-diff', ...of),
    status: status.filter((line) => !line.startsWith('? .memory/')),
    index: git('ls-files', '--stage', '-v', ...outside),
    refs: git('for-each-ref', '--format=%(refname) %(objectname)')
      .split('\n')
      .filter((line) => !line.startsWith(readFileSync(join(gitDir, 'HEAD'), 'utf8').slice(5).trim())),
    files: filesBelow(root)
      .filter((path) => !/^\.git(?:\/|$)/.test(path))
      .map((path) => `${path} ${readFileSync(join(root, path), 'latin1')}`),
    locks: locks({ root }),
    scratch: existsSync(join(commonDir, 'git-mem/stage')) ? readdirSync(join(commonDir, 'git-mem/stage')) : [],
    config: git('config', '--list'),
    home: env.HOME,
  };
}

/** The lock files of git that lie about in a checkout. */
export function locks({ root }: Pick<TestRepository, 'root'>): string[] {
  const checkout = locate(root);
  const folders = new Set([checkout?.gitDir ?? root, checkout?.commonDir ?? root]);
  return [...folders].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.lock')),
  );
}

/** The newest commit that is not one of memory; nothing on an unborn branch. */
function headWithoutMemory(git: TestRepository['git']): string {
  try {
    const [commit = '', parent = '', subject = ''] = git('log', '-1', '--format=%H%n%P%n%s').split('\n');
    return subject.startsWith('memory:') ? parent : commit;
  } catch {
    return '';
  }
}
