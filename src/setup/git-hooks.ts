import { dirname, join, relative, resolve } from 'node:path';
import { type Config, sessionStore } from '../config.ts';
import { type Checkout, textOf } from '../git/locate.ts';
import { runGit } from '../git/objects.ts';
import { below } from '../git/paths.ts';
import { existsSync, realpathSync, statSync } from '../looks.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { readTemplate } from '../templates.ts';
import type { Environment } from '../user-folders.ts';
import { type Place, readText } from './place.ts';
import type { SetupFile } from './setup-file.ts';

const BLOCK = readTemplate('git-hooks/pre-commit');
const MARKED = /^# >>> git-mem >>>.*\n(?:.*\n)*?# <<< git-mem <<<(?:\n|$)/m;

/** Our call where another tool writes the hooks: it must not stop a colleague without git-mem. */
const CALL = 'command -v git-mem >/dev/null 2>&1 || exit 0; git-mem pre-commit';

/** Where our pre-commit hook goes, or why none can be set up: `next` says what to do instead. */
export interface HookPlan {
  place: Place;
  files: SetupFile[];
  next: string[];
}

/** The file that git runs before a commit. Files that other tools generate or other repositories use are left alone. */
export async function preCommitPlan(checkout: Checkout, state: string, env: Environment): Promise<HookPlan> {
  const { root } = checkout;
  const nothing = { place: { root, state }, files: [] };
  const folder = await hooksFolder(checkout, env);
  const inside = within(root, folder);
  const hook = textOf(join(folder, 'pre-commit'));
  const config = managerConfig(root);
  if (config !== undefined) {
    const call = readText(root, config)?.includes('git-mem pre-commit') ? [] : [callFor(config)];
    return { ...nothing, next: [...call, ...toInstall(config === PRE_COMMIT ? 'pre-commit' : 'lefthook', hook)] };
  }
  if (existsSync(join(root, '.husky')) && inside !== '.husky') {
    const plan = planAt({ root, state }, '.husky/pre-commit');
    return { ...plan, next: [...plan.next, ...(inside === '.husky/_' && hook ? [] : toInstall('husky', hook))] };
  }
  if (inside !== undefined) return planAt({ root, state }, `${inside}/pre-commit`);
  // A linked worktree or a submodule: its hooks are in a git directory elsewhere.
  const inGit = within(checkout.commonDir, folder);
  if (inGit !== undefined) return planAt({ root: checkout.commonDir, state }, `${inGit}/pre-commit`);
  const elsewhere = `Git runs the hooks in ${folder}, which serves other repositories too`;
  return { ...nothing, next: [`${elsewhere}: call \`git-mem pre-commit\` in its pre-commit.`] };
}

/** Where git looks for hooks. Git itself is asked only if a settings file may change that, because a session start waits. */
async function hooksFolder({ root, gitDir, commonDir }: Checkout, env: Environment): Promise<string> {
  const { HOME: home = '', GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM = '/etc/gitconfig' } = env;
  const usual = [join(home, '.gitconfig'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')];
  const users = GIT_CONFIG_GLOBAL === undefined ? usual : [GIT_CONFIG_GLOBAL];
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree'), ...users, GIT_CONFIG_SYSTEM];
  const isGiven = env.GIT_CONFIG_COUNT !== undefined || env.GIT_CONFIG_PARAMETERS !== undefined;
  const isOpen =
    isGiven || process.platform === 'win32' || files.some((file) => /hookspath|\[include/i.test(textOf(file) ?? ''));
  const answer = isOpen ? (await runGit(root, ['rev-parse', '--git-path', 'hooks'], env))?.trim() : undefined;
  return resolve(root, answer || join(commonDir, 'hooks'));
}

/** Whether what sessions save joins the next commit automatically; undefined where it is never committed. */
export async function joinsCommit(
  { checkout, layout, env }: Pick<Workspace, 'checkout' | 'layout' | 'env'>,
  config: Pick<Config, 'capture' | 'commit'>,
): Promise<boolean | undefined> {
  if (sessionStore(config) === 'private') return undefined;
  return config.commit === 'stage' && (await lackOfHook(checkout, layout.state, env)) === undefined;
}

/** What to do so that git's pre-commit hook calls git-mem; undefined where it does. */
export async function lackOfHook(checkout: Checkout, state: string, env: Environment): Promise<string | undefined> {
  const { place, files, next } = await preCommitPlan(checkout, state, env);
  if (next[0] !== undefined) return next[0];
  const isSet = files.every(({ path, missing }) => missing(readText(place.root, path) ?? '').length === 0);
  return isSet ? undefined : 'Run `git mem init`.';
}

function planAt(place: Place, path: string): HookPlan {
  const text = readText(place.root, path);
  const mode = statSync(join(place.root, path), { throwIfNoEntry: false })?.mode;
  const isHusky = path.startsWith('.husky/');
  if (text !== undefined && !isShell(text, isHusky)) {
    const next = `${path} is not a shell script and was left alone: call \`git-mem pre-commit\` in it.`;
    return { place, files: [], next: [next] };
  }
  // A hook that somebody disabled by its mode stays disabled; husky ignores the mode.
  const isOff = mode !== undefined && (mode & 0o100) === 0 && !isHusky;
  const next = isOff ? [`${path} is not executable, so git does not run it: chmod +x it if you want it.`] : [];
  return { place, files: [hookFile(path, mode === undefined)], next };
}

/** A hook with our block in it, after the first line, because the script below may exit anywhere. */
function hookFile(path: string, executable: boolean): SetupFile {
  return {
    path,
    executable,
    add(current) {
      if (current === undefined) return `#!/bin/sh\n${BLOCK}`;
      if (MARKED.test(current)) return current.replace(MARKED, () => BLOCK);
      const end = current.startsWith('#!') ? current.indexOf('\n') + 1 || current.length : 0;
      const first = current.slice(0, end);
      return `${first}${first === '' || first.endsWith('\n') ? '' : '\n'}${BLOCK}${current.slice(end)}`;
    },
    remove(current) {
      const rest = current.replace(MARKED, '');
      return rest !== current && /^(?:#!.*\s*)?$/.test(rest) ? undefined : rest;
    },
    missing: (current) => (current.includes(BLOCK) ? [] : ['pre-commit']),
  };
}

const PRE_COMMIT = '.pre-commit-config.yaml';

/** The settings file of a tool that writes the hook itself. */
function managerConfig(root: string): string | undefined {
  const lefthook = ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml', 'lefthook.toml'];
  return [...lefthook, PRE_COMMIT].find((name) => existsSync(join(root, name)));
}

/** What to add to the settings of such a tool. */
function callFor(config: string): string {
  if (config !== PRE_COMMIT) {
    return `Lefthook is configured here. Add to ${config}, under pre-commit, commands: git-mem: {run: '${CALL}'}`;
  }
  const hook = `{id: git-mem, name: git-mem, entry: sh -c '${CALL}', language: system, pass_filenames: false, always_run: true}`;
  return `pre-commit is configured here. Add to .pre-commit-config.yaml: - {repo: local, hooks: [${hook}]}`;
}

const INSTALL = { 'pre-commit': 'pre-commit install', lefthook: 'lefthook install', husky: 'npx husky' };

/** What to run where git's own hook does not call the tool: its settings are committed, but each clone installs it. */
function toInstall(tool: keyof typeof INSTALL, hook: string | undefined): string[] {
  if (hook?.includes(tool) || hook?.includes('git-mem pre-commit')) return [];
  return [`${tool} is not installed in this clone, so git does not run its hooks: \`${INSTALL[tool]}\`.`];
}

/** Without a shebang, husky and git both run a script with sh. */
function isShell(text: string, isHusky: boolean): boolean {
  const first = text.split('\n', 1)[0] ?? '';
  if (text.includes('\0')) return false;
  return first.startsWith('#!') ? /\b(?:ba|da|z|k|a)?sh\b/.test(first) : isHusky || /^(?:\s*#|\s*$)/.test(first);
}

const within = (outer: string, folder: string) => below(real(outer), real(folder));

/** Resolves links as far as the path exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path); // It does not exist yet: its parent shows where it would be.
    return parent === path ? path : join(real(parent), relative(parent, path));
  }
}
