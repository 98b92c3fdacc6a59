import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../user-folders.ts';
import { type Asked, noteAsked } from './asked.ts';

export interface ChildOptions {
  /** Its standard input; without it, the input stays open. */
  input?: string;
  /** Longest time that it may take, in milliseconds; without it, there is no limit. */
  patienceMs?: number | undefined;
  /** The index to use instead of the checkout's. */
  index?: string;
  /** The signal for a child that takes too long; one that writes needs the chance to remove its lock files. */
  ending?: 'SIGKILL' | 'SIGTERM';
}

/** A running git child. */
export interface Child {
  child: ChildProcessByStdio<Writable, Readable, null>;
  /** Its exit code; undefined if it could not be started or was killed. */
  ended: Promise<number | undefined>;
  /** The question, in which its reader notes the output. */
  asked: Asked | undefined;
}

/** The environment for git children: inside a git hook they would inherit a misleading GIT_DIR and GIT_INDEX_FILE. */
export function gitEnvironment(env: Environment): Environment {
  const clean = Object.entries(env).filter(([key]) => !key.startsWith('GIT_') || key === 'GIT_CONFIG_GLOBAL');
  // A partial clone would fetch what it lacks, but nothing here may use the network unasked or prompt for a password.
  const quiet = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return { ...Object.fromEntries(clean), ...quiet };
}

/** Messages are read as UTF-8, whatever encoding the user's terminal wants. */
const UTF_8 = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'i18n.logOutputEncoding', GIT_CONFIG_VALUE_0: 'UTF-8' };

/** Starts one git child; undefined for arguments that cannot be passed: too many, or with a NUL in them. */
export function startGit(
  cwd: string,
  args: readonly string[],
  env: Environment,
  { input, patienceMs, index, ending = 'SIGKILL' }: ChildOptions = {},
): Child | undefined {
  const asked = noteAsked(cwd, args, input);
  // Before version 2.44 git knows no GIT_NO_LAZY_FETCH: there it fails instead of fetching.
  const offline = { GIT_ALLOW_PROTOCOL: 'none' };
  const whole = { ...gitEnvironment(env), ...offline, ...UTF_8, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
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

/** Standard error is no pipe: a background process of a git hook could hold it open for long. */
function spawned(args: readonly string[], options: { cwd: string; env: Environment }) {
  try {
    return spawn('git', args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
