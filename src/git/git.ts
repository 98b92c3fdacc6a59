import { type SimpleGit, simpleGit } from 'simple-git';
import type { Environment } from '../user-folders.ts';
import { gitEnvironment } from './child.ts';

/** The variables that git needs; EDITOR, PAGER and the like would make simple-git refuse to run. */
const NEEDED = /^(?:GIT_.*|PATH|HOME|USERPROFILE|XDG_CONFIG_HOME|LANG|LC_.*|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i;

/**
 * Git's porcelain in one checkout, for commands. Hooks and questions about many objects go through `objects.ts`,
 * which costs one child and no package. `config` entries have the form `user.name=Demo`.
 */
export function openGit(root: string, env: Environment, config: string[] = []): SimpleGit {
  const defined = Object.entries(gitEnvironment(env)).filter(
    (entry): entry is [string, string] => NEEDED.test(entry[0]) && entry[1] !== undefined,
  );
  // The variables left after filtering are the user's own, and are honoured as git itself would.
  const unsafe = { allowUnsafeConfigPaths: true };
  const allowEnvironment = defined.map(([name]) => name).filter((name) => name.startsWith('GIT_'));
  return simpleGit({ baseDir: root, config, unsafe, allowEnvironment, maxConcurrentProcesses: 1 }).env(
    Object.fromEntries(defined),
  );
}
