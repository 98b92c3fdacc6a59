import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { createEnvironment } from './environment.ts';
import { sessionStart } from './session-start.ts';

/** Two developers and a stranger, each with a clone of one bare repository. */
export type Member = 'ada' | 'ben' | 'mallory';

/** Runs the steps of a demo; the caller decides whether and how to show them. */
export interface Team {
  /** Clones the common repository. */
  clone(who: Member): void;
  /**
   * Runs git in a clone, and git-mem as git finds it (`git mem ...`); returns the output. Throws unless it exits with
   * `exitCode`.
   */
  git(who: Member, args: string[], options?: { input?: string; exitCode?: number }): string;
  /** Edits a file of a clone. */
  write(who: Member, path: string, content: string): void;
  /** The text injected when the agent of a clone starts. */
  sessionStart(who: Member): Promise<string>;
}

/** Creates the common repository in an empty folder; everything stays inside it. `program` is the git-mem to use. */
export function createTeam(folder: string, program: string): Team {
  const env = { ...createEnvironment(folder, program), GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const run = (cwd: string, args: string[], input = '', exitCode = 0): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, input, encoding: 'utf8' });
    if (status === exitCode) return stdout + stderr;
    throw new GitMemError('git', `\`git ${args.join(' ')}\` ended with ${status ?? 'a signal'}: ${stdout}${stderr}`, {
      hint: 'The demo needs git 2.28 or newer.',
    });
  };
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'origin.git']);
  return {
    clone(who) {
      run(folder, ['clone', '--quiet', join(folder, 'origin.git'), who]);
      run(join(folder, who), ['config', 'user.name', `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`]);
      run(join(folder, who), ['config', 'user.email', `${who}@example.com`]);
    },
    git: (who, args, { input, exitCode } = {}) => run(join(folder, who), args, input, exitCode),
    write(who, path, content) {
      const file = join(folder, who, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    sessionStart(who) {
      const repository = join(folder, who);
      const payload = { session_id: `session-of-${who}`, cwd: repository, source: 'startup' };
      return sessionStart({ repository, env }, { ...payload, hook_event_name: 'SessionStart' });
    },
  };
}
