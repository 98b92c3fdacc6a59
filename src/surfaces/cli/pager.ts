import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runGitNow } from '../../git/objects.ts';
import { findProgram } from '../../setup/program.ts';

/** The output of a command while a person pages through it. */
export interface Pager {
  stream: NodeJS.WriteStream;
  /** Waits until the person quits the pager. */
  finish(): Promise<void>;
}

/** The commands whose output may be longer than a screen. */
const PAGED = new Set(['list', 'search', 'timeline', 'sessions', 'show', 'diff', 'blame', 'why', 'context', 'stats']);

/**
 * Starts the pager that git would use (GIT_PAGER, core.pager, PAGER, less), with git's settings for it; undefined if
 * none is wanted: standard output is not a terminal, the command is short, or the pager is `cat` or missing.
 */
export function startPager(
  { name, directory }: { name?: string; directory: string },
  { env, stdout }: NodeJS.Process,
): Pager | undefined {
  // Only the process's own standard output can be passed on to a child.
  if (stdout.isTTY !== true || stdout.fd !== 1 || name === undefined || !PAGED.has(name)) return undefined;
  const program = pagerProgram(directory, env);
  if (program === undefined) return undefined;
  const child = spawn(program, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env },
  });
  const ended = once(child, 'close');
  child.stdin.on('error', () => {}); // The person quit before the end.
  process.on('SIGINT', () => {}); // Ctrl-C is the pager's, as with git.
  const terminal = { isTTY: true, columns: stdout.columns, rows: stdout.rows };
  return {
    // Commands write to it and ask for its width; they use nothing else of a terminal.
    stream: Object.assign(child.stdin, terminal) as unknown as NodeJS.WriteStream,
    async finish() {
      child.stdin.end();
      await ended;
    },
  };
}

function pagerProgram(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  // Git's own variable goes first, and is not passed on to git. Without git, the command itself reports that.
  const program = (env.GIT_PAGER ?? runGitNow(cwd, ['var', 'GIT_PAGER'], env) ?? '').trim();
  const [name = ''] = program.split(/\s+/);
  return name === '' || name === 'cat' || findProgram(name, env) === undefined ? undefined : program;
}
