import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../git/locate.ts';
import { runGit } from '../../git/objects.ts';
import { isSparse } from '../../git/shallow.ts';
import { objectIn } from '../../json.ts';
import { matchesGlob } from '../../memory/glob.ts';
import type { Environment } from '../../user-folders.ts';
import { type Check, fail, INIT, ok, type Patient, warn } from '../check.ts';
import { type HostSetup, hostFiles } from '../hosts.ts';
import { LAUNCHER, memoryFiles } from '../memory-files.ts';
import { readText } from '../place.ts';
import { hostsIn, lastEvents } from './hosts.ts';

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

/** Checks, once a session was heard, whether what was set up is in git's index: other clones have only what is committed. */
export async function checkCommitted({ workspace: { checkout, layout, env } }: Patient): Promise<Check[]> {
  if (lastEvents(layout).size === 0) return [];
  const paths = [LAUNCHER, ...hostFiles(hostsIn(checkout.root)).map(({ path }) => path)];
  const listed = await runGit(checkout.root, ['ls-files', '-o', '--exclude-standard', '-z', '--', ...paths], env);
  const left = listed?.split('\0').filter(Boolean) ?? [];
  if (left.length === 0) return [];
  const message = `No other clone or worktree has what is not committed: ${left.join(', ')}.`;
  return [warn('committed', message, `Commit it: git add ${left.join(' ')} && git commit -m "Set up git-mem"`)];
}

/** The output of `check-ignore -v -z`, with the first path of each pattern that ignores: it also names those with `!`. */
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

/** The paths that git ignores; none of them is tracked. */
export async function ignoredPaths(root: string, paths: string[], env: Environment): Promise<string[]> {
  // Exit 1, which gives no output here, means that none is ignored.
  const output = (await runGit(root, ['check-ignore', '-z', '--stdin'], env, { input: paths.join('\0') })) ?? '';
  return output.split('\0').filter(Boolean);
}

/** `.memory` leaves these out by files of its own. */
const GUARDED = ['npm pack', 'git archive'];

/**
 * Ways to publish a whole checkout. `leftOut` gives the patterns of what each leaves out, the last match counting;
 * undefined where the repository does not publish so.
 */
const WAYS: { name: string; leftOut(read: (path: string) => string): string[] | undefined; hint: string }[] = [
  {
    name: 'npm pack',
    leftOut(read) {
      const { name, version, files, private: isPrivate } = objectIn(read('package.json')) ?? {};
      if (!name || !version || isPrivate === true || files !== undefined) return undefined;
      return linesOf(read('.npmignore') || read('.gitignore'));
    },
    hint: 'List what to publish under "files" in package.json, or add them to .npmignore.',
  },
  {
    name: 'cargo package',
    leftOut(read) {
      const manifest = read('Cargo.toml');
      if (!/^\[package\]/m.test(manifest) || /^(?:publish\s*=\s*false|include\s*=)/m.test(manifest)) return undefined;
      return listIn(manifest, 'exclude');
    },
    hint: 'Add them to `exclude` under [package] in Cargo.toml.',
  },
  {
    name: 'The sdist of Hatch',
    leftOut(read) {
      const manifest = read('pyproject.toml');
      const [, after = ''] = manifest.split(/^\[tool\.hatch\.build\.targets\.sdist\]/m);
      const sdist = after.split(/^\[[a-z]/m, 1)[0] ?? '';
      if (!/build-backend\s*=\s*["']hatchling/.test(manifest) || /^(?:only-)?include\s*=/m.test(sdist))
        return undefined;
      return listIn(sdist, 'exclude');
    },
    hint: 'Add them to `exclude` under [tool.hatch.build.targets.sdist] in pyproject.toml.',
  },
  {
    name: 'A Docker image',
    leftOut(read) {
      // Only where the whole context is copied.
      if (!/^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*\[?\s*"?\.\/?"?[\s,]/im.test(read('Dockerfile'))) return undefined;
      return linesOf(read('Dockerfile.dockerignore') || read('.dockerignore'));
    },
    hint: 'Add them to .dockerignore.',
  },
  {
    name: 'git archive',
    leftOut(read) {
      const found = linesOf(read('.gitattributes')).filter((line) => /\sexport-ignore\b/.test(line));
      return found.length === 0 ? undefined : found.map((line) => line.split(/\s/, 1)[0] ?? '');
    },
    hint: 'Add `PATH export-ignore` for each to .gitattributes.',
  },
];

/** Checks whether a package of the repository would contain what was set up, by what its manifests say. */
export function checkPublished({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  const tops = [...hostFiles(hostsIn(root)), { path: '.memory' }].map(({ path }) => path.split('/')[0] ?? '');
  // What is seen on a code host, such as .github, is there for others, too.
  const ours = [...new Set(tops)].filter((path) => path.startsWith('.') && existsSync(join(root, path)));
  return WAYS.flatMap(({ name, leftOut, hint }) => {
    const patterns = leftOut((path) => textOf(join(root, path)) ?? '');
    if (patterns === undefined) return [];
    const taken = ours.filter((path) => !isLeftOut(path, patterns) && !(path === '.memory' && GUARDED.includes(name)));
    return taken.length === 0 ? [] : [warn('published', `${name} would contain ${taken.join(', ')}.`, hint)];
  });
}

function isLeftOut(path: string, patterns: string[]): boolean {
  const last = patterns.findLast((line) => matchesGlob(line.replace(/^!?(?:\.?\/)?|\/(?:\*\*?)?$/g, ''), path));
  return last !== undefined && !last.startsWith('!');
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim().replace(/^#.*/, '') || []);
}

/** The strings of a list in TOML. */
function listIn(text: string, key: string): string[] {
  const [, list = ''] = new RegExp(`^${key}\\s*=\\s*\\[([^\\]]*)\\]`, 'm').exec(text) ?? [];
  return [...list.matchAll(/["']([^"']+)["']/g)].map(([, one]) => one ?? '');
}
