import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { createEnvironment } from './environment.ts';
import { sessionStart } from './session-start.ts';

/** Two developers, and somebody whom nobody knows, each with a clone of one bare repository. */
export type Member = 'ada' | 'ben' | 'mallory';

/** How a demo's steps are done; whether and how they are shown is the caller's. */
export interface Team {
  /** Clones the common repository. */
  clone(who: Member): void;
  /**
   * Runs git in a clone, and git-mem as git finds it (`git mem ...`); gives what it prints. Throws where it does not exit
   * with `exitCode`.
   */
  git(who: Member, args: string[], options?: { input?: string; exitCode?: number }): string;
  /** Edits a file of a clone. */
  write(who: Member, path: string, content: string): void;
  /** What the agent of a clone gets at its start. */
  sessionStart(who: Member): Promise<string>;
}

/** Makes the common repository in an empty folder; everything stays in there. `program` is the git-mem to use. */
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
