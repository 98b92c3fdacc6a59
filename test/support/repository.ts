import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../src/setup/demo.ts';
import { PROGRAM } from './program.ts';
import { repositoryTemplate } from './repository-template.ts';

/** A real repository in a temporary folder of its own. */
export interface TestRepository {
  folder: string;
  root: string;
  /** Environment of everything that runs in it: own home, git-mem on PATH, no key. */
  env: Record<string, string | undefined>;
  git(...args: string[]): string;
  /** Commits everything that lies in the checkout. */
  commit(this: Pick<TestRepository, 'git'>, message: string): void;
  /** Runs a command of git-mem within this process and gives its standard output; rejects when it fails. */
  call(...args: string[]): Promise<string>;
  /** The same with the built program in a process of its own, where that is what is tested; throws when it fails. */
  gitMem(...args: string[]): string;
  write(path: string, content: string): void;
}

/** `atEnd` says when it is removed: at the end of the test, unless one repository serves several tests. */
export function createRepository(
  name = 'repository',
  atEnd: (remove: () => void) => void = (remove) => onTestFinished(remove),
): TestRepository {
  const folder = ownFolder(atEnd);
  const template = repositoryTemplate();
  cpSync(join(template, '.git'), join(folder, name, '.git'), { recursive: true });
  for (const beside of ['home', 'bin']) cpSync(join(template, beside), join(folder, beside), { recursive: true });
  return repositoryIn(folder, name);
}

/**
 * Gives each test a copy of a repository that `make` prepares once in each process: with its objects in one pack a copy
 * costs what one git command does. Nothing in it may hold its own path, as linked worktrees do.
 */
export function preparedOnce(make: (atEnd: (remove: () => void) => void) => TestRepository): () => TestRepository {
  let original: TestRepository | undefined;
  return () => {
    if (original === undefined) {
      original = make((remove) => process.once('exit', remove));
      original.git('repack', '-a', '-d', '-q');
    }
    const folder = ownFolder((remove) => onTestFinished(remove));
    cpSync(original.folder, folder, { recursive: true, preserveTimestamps: true });
    return repositoryIn(folder, basename(original.root));
  };
}

function ownFolder(atEnd: (remove: () => void) => void): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-test-')));
  atEnd(() => removeFolder(folder));
  return folder;
}

function repositoryIn(folder: string, name: string): TestRepository {
  const [root, home, bin] = [join(folder, name), join(folder, 'home'), join(folder, 'bin')];
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_COMPILE_CACHE: join(repositoryTemplate(), 'compiled'),
    GIT_MEM_EXTRACT_PROVIDER: 'none',
    // No remote says which branch was reviewed; a clone's branch of this name is meant where there is one.
    GIT_MEM_TRUST_BRANCH: 'main',
  };
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    folder,
    root,
    env,
    call: (...args) => callIn({ root, env }, args),
    git: (...args) => run('git', args),
    commit,
    gitMem: (...args) => run(process.execPath, [PROGRAM, ...args]),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
  };
}

/** `TestRepository.commit`, of a copy with a git of its own too. */
export function commit(this: Pick<TestRepository, 'git'>, message: string): void {
  this.git('add', '--all');
  this.git('commit', '--quiet', '--message', message);
}

/** `TestRepository.call` for a repository; the command line is loaded by the tests that use it. */
export async function callIn(place: Pick<TestRepository, 'root' | 'env'>, args: string[]): Promise<string> {
  const { gitMem } = await import('./command-line.ts');
  const { code, stdout, stderr } = await gitMem(place, args);
  if (code !== 0) throw new Error(`git-mem ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}
