import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runGit } from '../../git/objects.ts';
import { GREETING, packageRoot } from '../../templates.ts';
import { type Check, fail, type Machine, ok, SWITCHED_OFF, warn } from '../check.ts';
import { findProgram } from '../program.ts';

const INSTALL = `Install this one where the agent finds it: ${installing(packageRoot())}`;
/** Longest wait for a program's answer, in milliseconds: the one on PATH may be another that never ends. */
const PATIENCE_MS = 10_000;

/** From its folder: the registry may have another program of that name. Copied, because a link breaks when the folder moves. */
export function installing(root: string): string {
  return `npm install --global --install-links "${root}"`;
}

/** Checks whether git runs at all. */
export async function checkGit({ env }: Machine): Promise<Check> {
  const version = (await runGit('.', ['--version'], env))?.trim().replace(/^git version /, '');
  return version ? ok('git', `git ${version}.`) : fail('git', 'git is not on PATH.', 'Install git.');
}

/** Says which Node this is; one that is too old gets no further than `bin`. */
export function checkNode({ node }: Machine): Check {
  return ok('node', `Node ${node}.`);
}

/** Checks whether the hooks will find `git-mem`, and the same version. */
export async function checkProgram({ env, version }: Machine): Promise<Check> {
  const path = findProgram('git-mem', env);
  if (path === undefined) return fail('program', 'git-mem is not on PATH: agents and git do not find it.', INSTALL);
  // The first line of its answer to the launcher.
  const said = (await outputOf(path, ['hook'], { ...env, GIT_MEM_REPLY: '1' }))?.split('\n')[0];
  if (said?.startsWith('git-mem needs Node')) return fail('program', `${path}: ${said}`, 'Agents find the same.');
  const found = (await outputOf(path, ['--version'], env))?.trim();
  if (found === undefined) return fail('program', `${path} does not run.`, INSTALL);
  if (said !== GREETING) {
    const message = `${path} is another program of this name or an older version: the hooks pass none of its output to agents.`;
    return fail('program', message, `Put this git-mem before it on PATH. ${INSTALL}`);
  }
  if (found !== version) {
    return warn('program', `${path} is version ${found}, this is ${version}: the hooks use that one.`, INSTALL);
  }
  return ok('program', `git-mem ${version} at ${path}.`);
}

/** Checks whether git-mem is switched off here. */
export function checkSwitch({ env }: Machine): Check[] {
  if (env.GIT_MEM !== '0') return [];
  return [warn('switch', SWITCHED_OFF, 'Unset GIT_MEM to remember again.')];
}

async function outputOf(path: string, args: string[], env: Machine['env']): Promise<string | undefined> {
  try {
    const answer = promisify(execFile)(path, args, { env, timeout: PATIENCE_MS, shell: path.endsWith('.cmd') });
    answer.child.stdin?.on('error', () => {}).end(); // A program that never reads may have ended already.
    return (await answer).stdout;
  } catch {
    return undefined; // The reason does not matter: a hook would fail in the same way.
  }
}
