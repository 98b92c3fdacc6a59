import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../src/demo/remove-folder.ts';
import { PROGRAM } from './program.ts';

/** A real repository in a temporary folder of its own. */
export interface TestRepository {
  folder: string;
  root: string;
  /** Environment of everything that runs in it: own home, git-mem on PATH, no key. */
  env: Record<string, string | undefined>;
  git(...args: string[]): string;
  /** Runs git-mem and gives its standard output; throws when it exits with another code than 0. */
  gitMem(...args: string[]): string;
  write(path: string, content: string): void;
}

/** `atEnd` says when it is removed: at the end of the test, unless one repository serves several tests. */
export function createRepository(
  name = 'repository',
  atEnd: (remove: () => void) => void = (remove) => onTestFinished(remove),
): TestRepository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-test-')));
  atEnd(() => removeFolder(folder));
  const root = join(folder, name);
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const dir of [root, home, bin]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, 'git-mem'), 0o755);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_MEM_EXTRACT_PROVIDER: 'rules',
  };
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const repository: TestRepository = {
    folder,
    root,
    env,
    git: (...args) => run('git', args),
    gitMem: (...args) => run(process.execPath, [PROGRAM, ...args]),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
  };
  repository.git('init', '--quiet');
  return repository;
}
