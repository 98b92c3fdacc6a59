import { type SimpleGit, type SimpleGitOptions, simpleGit } from 'simple-git';
import { GitMemError, messageOf } from '../errors.ts';
import type { Environment } from '../user-folders.ts';
import { gitEnvironment, gitProgram } from './child.ts';
import { COMMAND_PATIENCE_MS } from './objects.ts';

/** What one use of git needs beyond the checkout; `abort`, `input` and `errors` are simple-git's. */
export interface GitUse extends Pick<Partial<SimpleGitOptions>, 'abort' | 'input' | 'errors'> {
  /** Settings of the form `user.name=Demo`. */
  config?: string[];
  /** Variables for git and the programs it starts, which otherwise see none of git-mem's. */
  variables?: Environment;
}

/**
 * What simple-git refuses by default: the user's own EDITOR, PAGER or SSH_ASKPASS; our limits on protocols and our
 * empty template; git's program by its path; no file system monitor. All arguments are git-mem's, or come after `--`.
 */
const ALLOWED: NonNullable<SimpleGitOptions['unsafe']> = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCustomBinary: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeEditor: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeTemplateDir: true,
  // Otherwise it sets a variable that git's children inherit, which breaks scripts of the user's own.
  allowAbbreviatedOptions: true,
};

/**
 * Git's porcelain in one checkout, for commands. Hooks, the drain and questions about many objects go through
 * `objects.ts`, which costs one child and no package.
 */
export function openGit(root: string, env: Environment, { variables, ...options }: GitUse = {}): SimpleGit {
  const whole = { ...gitEnvironment(env), ...variables };
  const git = simpleGit({
    baseDir: root,
    ...options,
    binary: gitProgram(env),
    config: ['core.fsmonitor=false', ...(options.config ?? [])],
    unsafe: ALLOWED,
    allowEnvironment: Object.keys(whole),
    maxConcurrentProcesses: 1,
    // Otherwise, after a pause of its own, it would take the output so far for the whole.
    completion: { onExit: false },
  });
  return git.env(whole);
}

/** The limits and listeners of one git command. */
export interface CommandUse extends Pick<GitUse, 'config' | 'variables'> {
  input?: string;
  /** Longest time that it may take, in milliseconds. */
  patienceMs?: number;
  /** Ends it early. */
  signal?: AbortSignal;
  /** Receives the last line of what it writes to standard error. */
  onProgress?: (line: string) => void;
}

/** How much of git's error output is kept, in UTF-16 units: the reason comes last, after the progress. */
const COMPLAINT = 4000;

/** Most that a command may write, in bytes: a server that never stops sending would fill the memory. */
const MOST_OUTPUT = 256 * 1024 * 1024;

/**
 * Runs one git command and returns its standard output. Throws `git` with git's own reason, or when git is missing,
 * takes too long or writes too much.
 */
export async function commandGit(
  root: string,
  args: readonly string[],
  env: Environment,
  { input = '', patienceMs = COMMAND_PATIENCE_MS, onProgress, signal, ...use }: CommandUse = {},
): Promise<string> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(`it took longer than ${patienceMs / 1000} s`), patienceMs);
  let left = MOST_OUTPUT;
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) limit.abort('its output was too large');
  };
  let complaint = '';
  const decoder = new TextDecoder();
  const listen = (chunk: Buffer) => {
    count(chunk);
    complaint = (complaint + decoder.decode(chunk, { stream: true })).slice(-COMPLAINT);
    const line = linesIn(complaint).at(-1);
    if (line !== undefined) onProgress?.(line);
  };
  try {
    const git = openGit(root, env, {
      ...use,
      abort: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
      // As bytes even if empty: otherwise it would leave the input open.
      input: () => Buffer.from(input),
      errors: (error, { exitCode }) =>
        exitCode === 0 ? error : (error ?? new Error(`it exited with code ${exitCode}`)),
    });
    git.outputHandler((_, stdout, stderr) => {
      stdout.on('data', count);
      stderr.on('data', listen);
    });
    return await git.raw([...args]);
  } catch (cause) {
    const lines = linesIn(complaint);
    const said = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0];
    if (signal?.aborted) throw new GitMemError('git', `git ${args[0]} was cancelled.`);
    const reason = limit.signal.aborted ? String(limit.signal.reason) : (said ?? linesIn(messageOf(cause))[0] ?? '');
    // An address may hold a password, so the cause is not passed on.
    throw new GitMemError('git', `git ${args[0]} failed: ${reason.replace(/:\/\/[^/\s]*@/g, '://')}`);
  } finally {
    clearTimeout(timer);
  }
}

function linesIn(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((line) => line.trim() || []);
}
