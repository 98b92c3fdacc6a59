import { type SimpleGit, type SimpleGitOptions, simpleGit } from 'simple-git';
import type { Environment } from '../user-folders.ts';
import { gitEnvironment } from './child.ts';

/** The variables that git needs; EDITOR, PAGER and the like would make simple-git refuse to run. */
const NEEDED = /^(?:GIT_.*|PATH|HOME|USERPROFILE|XDG_CONFIG_HOME|LANG|LC_.*|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i;

/** What one use of git needs beyond the checkout; `input` and `errors` are those of simple-git. */
export interface GitUse extends Pick<Partial<SimpleGitOptions>, 'input' | 'errors'> {
  /** Settings of the form `user.name=Demo`. */
  config?: string[];
  /** Variables for the programs that git starts, which see none of git-mem's otherwise. */
  variables?: Environment;
}

/**
 * Git's porcelain in one checkout, for commands. Hooks and questions about many objects go through `objects.ts`,
 * which costs one child and no package.
 */
export function openGit(root: string, env: Environment, { variables = {}, ...options }: GitUse = {}): SimpleGit {
  const needed = Object.entries(gitEnvironment(env)).filter(([name]) => NEEDED.test(name));
  const defined = [...needed, ...Object.entries(variables)].filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  // The variables left after filtering are the user's own, and are honoured as git itself would.
  const unsafe = { allowUnsafeConfigPaths: true };
  const allowEnvironment = defined.map(([name]) => name).filter((name) => name.startsWith('GIT_'));
  return simpleGit({ baseDir: root, ...options, unsafe, allowEnvironment, maxConcurrentProcesses: 1 }).env(
    Object.fromEntries(defined),
  );
}
