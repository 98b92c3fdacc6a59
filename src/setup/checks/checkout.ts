import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../../git/objects.ts';
import { isSparse } from '../../git/shallow.ts';
import type { Environment } from '../../user-folders.ts';
import { type Check, fail, INIT, ok, type Patient, warn } from '../check.ts';
import { type HostSetup, hostFiles } from '../hosts.ts';
import { LAUNCHER, memoryFiles } from '../memory-files.ts';
import { readText } from '../place.ts';
import { hostsIn } from './hosts.ts';
import { lastEvents } from './last-events.ts';

/** Checks whether git itself can work in the checkout. */
export async function checkRepository(root: string, env: Environment): Promise<Check> {
  const answer = (await runGit(root, ['rev-parse', '--is-inside-work-tree'], env))?.trim();
  if (answer === 'true') return ok('repository', `${root}.`);
  if (answer === 'false') {
    const message = `${root} is a bare repository: nothing can be committed from it.`;
    return warn('repository', message, 'Work in a clone or a worktree of it.');
  }
  return fail('repository', `git does not answer in ${root}.`, 'Run `git status` there to see why.');
}

/** Checks whether the folder and its launcher exist and are of this version. */
export function checkMemory({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  if (!existsSync(workspace.layout.memory)) {
    if (isSparse(workspace.checkout.gitDir)) {
      const message = 'This sparse checkout leaves .memory out: records stay in this clone.';
      return [warn('memory', message, 'Run `git sparse-checkout add .memory`.')];
    }
    return [fail('memory', '.memory is not there: this checkout is not set up.', INIT)];
  }
  const there = ok('memory', '.memory is there.');
  const launcher = readText(root, LAUNCHER);
  if (launcher === undefined) return [there, fail('launcher', `${LAUNCHER} is not there: the hooks do nothing.`, INIT)];
  const isOurs = memoryFiles().every(({ path, missing }) => path !== LAUNCHER || missing(launcher).length === 0);
  const state = `${LAUNCHER} is ${isOurs ? '' : 'not '}the one of this version.`;
  return [there, isOurs ? ok('launcher', state) : warn('launcher', state, INIT)];
}

/** Checks whether git would ignore the files that were set up; ignored files reach no colleague. */
export async function checkIgnored(
  root: string,
  env: Environment,
  hosts: readonly HostSetup[] = hostsIn(root),
): Promise<Check> {
  const settings = hostFiles(hosts).map(({ path }) => path);
  const paths = ['.memory/observations/any.md', LAUNCHER, ...settings.filter((path) => existsSync(join(root, path)))];
  // Exit 1, which gives no output here, means that none is ignored.
  const output = (await runGit(root, ['check-ignore', '-v', '-z', '--stdin'], env, { input: paths.join('\0') })) ?? '';
  const ignored = byPattern(output);
  if (ignored.length === 0) return ok('ignored', 'git sees .memory.');
  const message = `git ignores ${ignored.join(' and ')}: ${ignored.length === 1 ? 'it' : 'they'} will not be committed.`;
  return warn('ignored', message, 'Remove the rule that ignores them if your colleagues should have the memory too.');
}

/** Checks, once a session has reported, whether the files that were set up are tracked: other clones get only committed ones. */
export async function checkCommitted({ workspace: { checkout, layout, env } }: Patient): Promise<Check[]> {
  if (lastEvents(layout).size === 0) return [];
  const paths = [LAUNCHER, ...hostFiles(hostsIn(checkout.root)).map(({ path }) => path)];
  const listed = await runGit(checkout.root, ['ls-files', '-o', '--exclude-standard', '-z', '--', ...paths], env);
  const left = listed?.split('\0').filter(Boolean) ?? [];
  if (left.length === 0) return [];
  const message = `No other clone or worktree has what is not committed: ${left.join(', ')}.`;
  return [warn('committed', message, `Commit it: git add ${left.join(' ')} && git commit -m "Set up git-mem"`)];
}

/** The first path of each ignoring pattern in the output of `check-ignore -v -z`, which names those with `!` too. */
function byPattern(output: string): string[] {
  const first = new Map<string, string>();
  const fields = output.split('\0');
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [source, line, pattern, path] = fields.slice(i, i + 4);
    if (pattern?.startsWith('!')) continue;
    const reason = `because of "${pattern}" (${source}, line ${line})`;
    if (!first.has(reason)) first.set(reason, `${path} ${reason}`);
  }
  return [...first.values()];
}

/** The paths that git ignores, all of them untracked. */
export async function ignoredPaths(root: string, paths: string[], env: Environment): Promise<string[]> {
  // Exit 1, which gives no output here, means that none is ignored.
  const output = (await runGit(root, ['check-ignore', '-z', '--stdin'], env, { input: paths.join('\0') })) ?? '';
  return output.split('\0').filter(Boolean);
}
