import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { openProject } from '../../project.ts';
import type { Context } from './command.ts';
import type { Pager } from './pager.ts';
import { styler } from './print.ts';

/** When to use colour regardless of the stream; undefined: only on a terminal. */
export type ColorChoice = 'always' | 'never' | undefined;

/** `cwd` may be relative to the working directory; output goes to the pager if there is one. */
export function createContext(
  process: NodeJS.Process,
  { cwd, color, pager }: { cwd: string; color?: ColorChoice; pager?: Pager | undefined },
): Context {
  const { stderr } = process;
  const stdout = pager?.stream ?? process.stdout;
  const env = color === undefined ? process.env : { ...process.env, FORCE_COLOR: color === 'always' ? '1' : '0' };
  const context: Context = {
    cwd: resolve(cwd),
    env,
    // Node opens the stream when it is asked for; few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    style: styler(stdout, env),
    now: () => new Date(),
    project() {
      // A missing folder would resolve to the repository around it: a misspelt -C would silently work on the wrong one.
      if (!existsSync(context.cwd)) {
        throw new GitMemError('bad-input', `There is no directory ${context.cwd}.`, { hint: 'Check what follows -C.' });
      }
      return openProject(context.cwd, env);
    },
    setExitCode(code) {
      process.exitCode = code;
    },
    leave() {
      const exit = () => stdout.write('', () => stderr.write('', () => process.exit()));
      if (pager === undefined) exit();
      else void pager.finish().then(() => process.exit());
    },
  };
  return context;
}
