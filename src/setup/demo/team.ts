import { join } from 'node:path';
import { GitMemError, messageOf } from '../../errors.ts';
import { openGit } from '../../git/git.ts';
import { createEnvironment, write } from './environment.ts';
import { sessionStart } from './recording.ts';

/** Two developers and somebody from outside, each with a clone of one bare repository. */
export type Member = 'ada' | 'ben' | 'mallory';

/** Runs the steps of a demo; the caller decides whether and how to show them. */
export interface Team {
  /** Clones the common repository. */
  clone(who: Member): Promise<void>;
  /**
   * Runs git in a clone, and git-mem as git finds it (`git mem ...`); returns the output. Throws unless it exits with
   * `exitCode`.
   */
  git(who: Member, args: string[], options?: { input?: string; exitCode?: number }): Promise<string>;
  /** Edits a file of a clone. */
  write(who: Member, path: string, content: string): void;
  /** The text injected when the agent of a clone starts. */
  sessionStart(who: Member): Promise<string>;
}

/** Creates the common repository in an empty folder; everything stays inside it. `program` is the git-mem to use. */
export async function createTeam(folder: string, program: string): Promise<Team> {
  const env = createEnvironment(folder, program);
  // For git-mem, which git starts.
  const { XDG_STATE_HOME, GIT_MEM_EXTRACT_PROVIDER } = env;
  const variables = { XDG_STATE_HOME, GIT_MEM_EXTRACT_PROVIDER, GIT_CONFIG_NOSYSTEM: '1' };
  const run = async (cwd: string, args: string[], { input = '', exitCode = 0 } = {}): Promise<string> => {
    let output = '';
    const git = openGit(cwd, env, {
      variables,
      input: () => input,
      errors(error, { exitCode: code, stdOut, stdErr }) {
        output = Buffer.concat([...stdOut, ...stdErr]).toString('utf8');
        return code === exitCode ? undefined : (error ?? new Error(`It ended with ${code}.`));
      },
    });
    try {
      await git.raw(args);
      return output;
    } catch (cause) {
      throw new GitMemError('git', `\`git ${args.join(' ')}\` failed: ${output || messageOf(cause)}`, {
        hint: 'The demo needs git 2.28 or newer.',
        cause,
      });
    }
  };
  await run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'origin.git']);
  return {
    async clone(who) {
      await run(folder, ['clone', '--quiet', join(folder, 'origin.git'), who]);
      await run(join(folder, who), ['config', 'user.name', `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`]);
      await run(join(folder, who), ['config', 'user.email', `${who}@example.com`]);
    },
    git: (who, args, options) => run(join(folder, who), args, options),
    write: (who, path, content) => write(join(folder, who), path, content),
    sessionStart(who) {
      const repository = join(folder, who);
      const payload = { session_id: `session-of-${who}`, cwd: repository, source: 'startup' };
      return sessionStart({ repository, env }, { ...payload, hook_event_name: 'SessionStart' });
    },
  };
}
