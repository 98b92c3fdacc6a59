import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { accessSync, statSync } from '../looks.ts';
import type { Environment } from '../user-folders.ts';
import { type Asked, noteAsked } from './asked.ts';
import { locate, textOf } from './locate.ts';

export interface ChildOptions {
  /** Its standard input; without it, the input stays open. */
  input?: string;
  /** Longest time that it may take, in milliseconds; no limit without it. */
  patienceMs?: number | undefined;
  /** The caller looks at everything that the answer depends on, so whoever caches it need not ask again. */
  isDeclared?: boolean;
  /** Variables for git, such as the path of another index. */
  variables?: Environment;
  /** The signal for a child that takes too long; one that writes needs the chance to remove its lock files. */
  ending?: 'SIGKILL' | 'SIGTERM';
}

/** A running git child. */
export interface Child {
  child: ChildProcessByStdio<Writable, Readable, null>;
  /** Its exit code; undefined if it could not be started or was killed. */
  ended: Promise<number | undefined>;
  /** The question, where the reader notes the output. */
  asked: Asked | undefined;
}

/** The environment for git children: inside a git hook they would inherit a misleading GIT_DIR and GIT_INDEX_FILE. */
export function gitEnvironment(env: Environment): Environment {
  const clean = Object.entries(env).filter(([key]) => !key.startsWith('GIT_') || key === 'GIT_CONFIG_GLOBAL');
  // A partial clone would fetch what it lacks, but nothing here may use the network unasked or prompt for a password.
  const quiet = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  // An object is what its id says: references that replace objects are ignored.
  return { ...Object.fromEntries(clean), ...quiet, GIT_NO_REPLACE_OBJECTS: '1' };
}

/** Where programs are searched for without a PATH, as in execvp(3). */
const DEFAULT_PATH = process.platform === 'win32' ? '' : '/usr/local/bin:/usr/bin:/bin';

/** The program found for each PATH. */
const programs = new Map<string, string>();

/**
 * Git's program: the first in an absolute folder of PATH. A relative folder, and on Windows any search by name, could find a
 * file of the checkout. Searched once per process, as long as it is there. If there is none, a name that does not exist.
 */
export function gitProgram(env: Environment): string {
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? DEFAULT_PATH;
  const known = programs.get(path);
  if (known !== undefined && isProgram(known)) return known;
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = path.split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (found !== undefined) programs.set(path, found);
  return found ?? 'git-is-not-on-PATH';
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Missing, or not executable for us: a shell would go on searching too.
  }
}

/** Messages are UTF-8 whatever the terminal's encoding, and programs named in the repository's config do not run. */
const SETTINGS: [key: string, value: string][] = [
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['gpg.program', 'gpg'],
  ['gpg.openpgp.program', 'gpg'],
  ['gpg.x509.program', 'gpgsm'],
  ['gpg.ssh.program', 'ssh-keygen'],
];

/** The settings for one command, as variables, which override all files. */
export function settingsFor(cwd: string, args: readonly string[]): Environment {
  const place = ['diff', 'status', 'blame'].some((one) => args.includes(one)) ? locate(cwd) : undefined;
  const files = place ? [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree')] : [];
  const off = files
    .flatMap((file) => filtersIn(file))
    .flatMap((name): typeof SETTINGS => {
      return [`filter.${name}.clean`, `filter.${name}.process`].map((key) => [key, '']);
    });
  // `--git-path` only asks where hooks are, and runs none.
  const general = SETTINGS.filter(([key]) => key !== 'core.hooksPath' || !args.includes('--git-path'));
  const all = [...general, ...off];
  const pairs = all.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(pairs) };
}

/** The filters that a config file, or one that it includes, defines: programs that read changed files. */
function filtersIn(file: string, depth = 0): string[] {
  const text = textOf(file);
  if (text === undefined || depth > 5) return [];
  const sections = [...text.matchAll(/\[\s*filter(?:\s+"((?:[^"\\]|\\.)*)"|\.([^\]\s]+))\s*\]/gi)];
  const names = sections.map(([, quoted, plain = '']) => quoted?.replace(/\\(.)/g, '$1') ?? plain);
  const included = [...text.matchAll(/^\s*(?:\[include[^\]]*\]\s*)?path\s*=\s*"?([^"\n]+)/gim)];
  return [...names, ...included.flatMap(([, path = '']) => filtersIn(resolve(file, '..', path.trim()), depth + 1))];
}

/** Starts one git child; undefined for arguments that cannot be passed: too many, or with a NUL in them. */
export function startGit(
  cwd: string,
  args: readonly string[],
  env: Environment,
  { input, patienceMs, variables, isDeclared = false, ending = 'SIGKILL' }: ChildOptions = {},
): Child | undefined {
  const asked = isDeclared ? undefined : noteAsked(cwd, args, input);
  // Git before 2.44 does not know GIT_NO_LAZY_FETCH; with this it fails instead of fetching.
  const offline = { GIT_ALLOW_PROTOCOL: 'none' };
  const whole = { ...gitEnvironment(env), ...offline, ...settingsFor(cwd, args), ...variables };
  const child = spawned(args, { cwd, env: whole });
  if (child === undefined) return undefined;
  const timer = patienceMs === undefined ? undefined : setTimeout(() => child.kill(ending), patienceMs);
  child.stdin.on('error', () => {}); // If git died early, its exit code says so.
  const ended = new Promise<number | undefined>((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code ?? undefined));
  }).finally(() => clearTimeout(timer));
  if (input !== undefined) child.stdin.end(input);
  return { child, ended, asked };
}

/** Standard error is not piped: a background process of a git hook could hold it open for long. */
function spawned(args: readonly string[], options: { cwd: string; env: Environment }) {
  try {
    return spawn(gitProgram(options.env), args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
