import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './layout.ts';
import type { Checkout } from './locate.ts';
import { runGitNow } from './objects.ts';

/**
 * The remotes whose default branch somebody reviews: where the user cloned from, and what a fork was forked from. Any
 * other remote may have been added only to look at a stranger's work.
 */
const REMOTES = ['origin', 'upstream'] as const;

const USUAL = ['main', 'master'];

/** What has to be known of a repository's references. */
interface References {
  has(ref: string): boolean;
  /** What a symbolic reference names. */
  target(ref: string): string | undefined;
  /** Tells whether any reference lies below a folder such as `refs/remotes/origin/`. */
  hasAny(folder: string): boolean;
}

/**
 * The branches that hold what was reviewed, as full reference names: the default branches of `origin` and `upstream`;
 * the local one only where neither was ever fetched, because anything can be merged into a local branch. Reads files, and asks git
 * only where these do not tell.
 */
export function defaultBranches({ root, commonDir }: Checkout, env: Environment): string[] {
  const config = textOf(join(commonDir, 'config')) ?? '';
  const references = /^\s*refstorage\s*=\s*(?!files\b)/im.test(config)
    ? askedReferences(root, env)
    : fileReferences(commonDir);
  const names = [...(isBare(config) ? bareHead(commonDir) : []), ...USUAL];
  const found = choose(references, names);
  if (found !== undefined) return found;
  const isEmpty = ['refs/heads/', ...REMOTES.map(folderOf)].every((folder) => !references.hasAny(folder));
  if (isEmpty) return [];
  const configured = runGitNow(root, ['config', '--get', 'init.defaultBranch'], env)?.trim();
  return (configured && choose(references, [configured])) || [];
}

/** The branches among these names and the remotes' own words; undefined where another name may be the right one. */
function choose(references: References, names: string[]): string[] | undefined {
  const remotes = REMOTES.filter((remote) => references.hasAny(folderOf(remote)));
  const firstOf = (folder: string, said?: string) =>
    [said, ...names.map((name) => `${folder}${name}`)].find((ref) => ref !== undefined && references.has(ref));
  const found =
    remotes.length === 0
      ? [firstOf('refs/heads/')]
      : remotes.map((remote) => {
          const folder = folderOf(remote);
          const said = references.target(`${folder}HEAD`);
          return firstOf(folder, said?.startsWith(folder) ? said : undefined);
        });
  const known = found.filter((ref) => ref !== undefined);
  return known.length > 0 ? known : undefined;
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

/** Where references lie in a table only git can read them. */
function askedReferences(root: string, env: Environment): References {
  const folders = [...REMOTES.map(folderOf), 'refs/heads/'];
  const output = runGitNow(root, ['for-each-ref', '--format=%(refname) %(symref)', ...folders], env);
  const lines = (output ?? '').split('\n').map((line) => line.split(' '));
  const targets = new Map(lines.map(([ref = '', target = '']) => [ref, target]));
  return {
    has: (ref) => targets.has(ref),
    target: (ref) => targets.get(ref) || undefined,
    hasAny: (folder) => [...targets.keys()].some((ref) => ref.startsWith(folder)),
  };
}

function isBare(config: string): boolean {
  return /^\s*bare\s*=\s*true\s*$/im.test(config);
}

/** In a bare clone HEAD is the remote's; elsewhere it is whatever is checked out. */
function bareHead(commonDir: string): string[] {
  const name = /^ref: refs\/heads\/(.+)$/m.exec(textOf(join(commonDir, 'HEAD')) ?? '')?.[1]?.trim();
  return name === undefined || name === '.invalid' ? [] : [name];
}

function holdsFile(folder: string): boolean {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.some((entry) => (entry.isDirectory() ? holdsFile(join(folder, entry.name)) : true));
  } catch {
    return false; // Nothing was fetched, or everything is packed.
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Absent, or a folder.
  }
}
