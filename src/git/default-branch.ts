import { join } from 'node:path';
import { fieldsOf, jsonIn } from '../json.ts';
import { readdirSync } from '../looks.ts';
import type { Environment } from '../user-folders.ts';
import { type Checkout, textOf } from './locate.ts';
import { runGitNow } from './objects.ts';

// The reviewed branch is never derived from a name: anyone may create a branch called main beside the real trunk. What
// counts is the user's choice, what the forge says in CI, and what the remote itself calls its default branch.

/** What is needed to find a checkout's reviewed branch. */
export interface Place {
  checkout: Checkout;
  /** The folders that hold state. */
  layout: { state: string; otherStates: readonly string[] };
  env: Environment;
}

/** The reviewed branch, and who decided it. */
export interface ReviewedBranch {
  /** Full reference name; undefined if nothing counts as reviewed. */
  ref?: string;
  /** Who decided it. */
  by: 'environment' | 'user' | 'forge' | 'remote' | 'nobody';
  /** The remote that counts: `upstream` in a fork's clone; undefined if there is none. */
  remote?: 'origin' | 'upstream';
  /** Whether there is any remote, of whatever name: the checkout may then hold somebody else's work. */
  isShared: boolean;
  /** The command with which the user chooses it. */
  command: string;
}

/** File in the state folder with the user's choice, which no checkout can contain. */
export const SETTLED = 'reviewed-branch';

/** What is needed of a repository's references. */
interface References {
  has(ref: string): boolean;
  /** What a symbolic reference names. */
  target(ref: string): string | undefined;
  /** Whether any reference lies below a folder such as `refs/remotes/origin/`. */
  hasAny(folder: string): boolean;
}

/** The reviewed branches as full reference names: one or none. */
export function defaultBranches(place: Place): string[] {
  const { ref } = reviewedBranch(place);
  return ref === undefined ? [] : [ref];
}

/** The reviewed branch, and who decided it. Reads files, and asks git only if references are in a reftable. */
export function reviewedBranch({ checkout, layout, env }: Place): ReviewedBranch {
  const { root, commonDir } = checkout;
  const config = textOf(join(commonDir, 'config')) ?? '';
  const references = /^\s*refstorage\s*=\s*(?!files\b)/im.test(config)
    ? askedReferences(root, env)
    : fileReferences(commonDir);
  const remote = remoteIn(config, references);
  const command = remote === undefined ? 'git mem init --reviewed NAME' : `git remote set-head ${remote} -a`;
  const isShared = remote !== undefined || /^\s*\[remote "/m.test(config);
  const about = { ...(remote && { remote }), isShared, command };
  const settled = env.GIT_MEM_TRUST_BRANCH || undefined;
  const user =
    settled === undefined ? settledIn([layout.state, ...layout.otherStates, join(commonDir, 'git-mem')]) : undefined;
  const named = settled ?? user;
  if (named !== undefined)
    return { ...refOf(named, remote, references), by: settled ? 'environment' : 'user', ...about };
  const said = forgeName(env);
  const ref = said === undefined || remote === undefined ? undefined : `${folderOf(remote)}${said}`;
  if (ref !== undefined && references.has(ref)) return { ref, by: 'forge', ...about };
  const head = remoteHead(remote, references) ?? (remote === 'upstream' ? undefined : bareHead(commonDir, config));
  if (head !== undefined && references.has(head)) return { ref: head, by: 'remote', ...about };
  return { by: 'nobody', ...about };
}

/** The remote that a fork came from, else the one that was cloned; others may only serve to look at other people's work. */
function remoteIn(config: string, references: References): 'origin' | 'upstream' | undefined {
  const isThere = (remote: string) =>
    references.hasAny(folderOf(remote)) || new RegExp(`^\\s*\\[remote "${remote}"\\]`, 'm').test(config);
  return (['upstream', 'origin'] as const).find(isThere);
}

function remoteHead(remote: string | undefined, references: References): string | undefined {
  if (remote === undefined) return undefined;
  const target = references.target(`${folderOf(remote)}HEAD`);
  return target?.startsWith(folderOf(remote)) ? target : undefined;
}

/** The reference for a branch that the user named: the remote's, because anything can be merged into a local branch. */
function refOf(name: string, remote: string | undefined, references: References): { ref?: string } {
  const isFetched = remote !== undefined && references.hasAny(folderOf(remote));
  const folder = isFetched ? folderOf(remote) : 'refs/heads/';
  const short = remote !== undefined && name.startsWith(`${remote}/`) ? name.slice(remote.length + 1) : name;
  const elsewhere = remote === undefined && name.includes('/') ? [`refs/remotes/${name}`] : [];
  const names = [...(name.startsWith('refs/') ? [name] : []), `${folder}${short}`, `${folder}${name}`, ...elsewhere];
  const ref = names.find((one) => references.has(one));
  return ref === undefined ? {} : { ref };
}

function settledIn(states: string[]): string | undefined {
  return states.map((state) => textOf(join(state, SETTLED))?.split('\n')[0]?.trim()).find(Boolean);
}

/** The default branch as the forge reports it to its own jobs, which no file of the checkout can change. */
function forgeName(env: Environment): string | undefined {
  if (env.GITLAB_CI === 'true') return env.CI_DEFAULT_BRANCH || undefined;
  if (env.GITHUB_ACTIONS !== 'true' || !env.GITHUB_EVENT_PATH) return undefined;
  const event = fieldsOf(jsonIn(textOf(env.GITHUB_EVENT_PATH) ?? ''));
  const { default_branch: name } = fieldsOf(event.repository);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function folderOf(remote: string): string {
  return `refs/remotes/${remote}/`;
}

function fileReferences(commonDir: string): References {
  const packed = new Set((textOf(join(commonDir, 'packed-refs')) ?? '').split('\n').map((line) => line.split(' ')[1]));
  return {
    has: (ref) => packed.has(ref) || textOf(join(commonDir, ref)) !== undefined,
    target: (ref) => /^ref: (.+)$/m.exec(textOf(join(commonDir, ref)) ?? '')?.[1]?.trim(),
    hasAny: (folder) => [...packed].some((ref) => ref?.startsWith(folder)) || holdsFile(join(commonDir, folder)),
  };
}

/** References in a reftable, which only git can read. */
function askedReferences(root: string, env: Environment): References {
  const folders = [folderOf('origin'), folderOf('upstream'), 'refs/heads/'];
  const output = runGitNow(root, ['for-each-ref', '--format=%(refname) %(symref)', ...folders], env);
  const lines = (output ?? '').split('\n').map((line) => line.split(' '));
  const targets = new Map(lines.map(([ref = '', target = '']) => [ref, target]));
  return {
    has: (ref) => targets.has(ref),
    target: (ref) => targets.get(ref) || undefined,
    hasAny: (folder) => [...targets.keys()].some((ref) => ref.startsWith(folder)),
  };
}

/** In a bare clone HEAD is the remote's; elsewhere it is the branch that is checked out. */
function bareHead(commonDir: string, config: string): string | undefined {
  if (!/^\s*bare\s*=\s*true\s*$/im.test(config)) return undefined;
  return /^ref: (refs\/heads\/.+)$/m.exec(textOf(join(commonDir, 'HEAD')) ?? '')?.[1]?.trim();
}

function holdsFile(folder: string): boolean {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.some((entry) => (entry.isDirectory() ? holdsFile(join(folder, entry.name)) : true));
  } catch {
    return false; // Nothing was fetched, or everything is packed.
  }
}
