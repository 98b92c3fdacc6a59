import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../user-folders.ts';
import { type Checkout, readHead } from './locate.ts';
import { runGit } from './objects.ts';
import { parseRawLog, RAW_DIFF, RAW_LOG, type RawChange, type RawCommit } from './raw-log.ts';

/** Most names that a file may have had in succession; each takes another walk of the history. */
const MOST_NAMES = 4;

/** Most missing files and commits that are followed: Windows takes 32,767 characters of arguments. */
const MOST_PATHS = 400;
const MOST_COMMITS = 100;
/** Longest wait for git, in milliseconds: the history may be long, and after a missed rename a file only seems gone. */
const PATIENCE_MS = 10_000;

/** Above this many candidates git looks for exact renames only, because it compares each with each. */
const DETECT = ['-M', '-l400'];

/**
 * The current paths of missing files by git's rename detection, by their old paths. It looks at the commits that
 * removed them and at uncommitted changes; if history ends early, or git takes too long, less is found.
 */
export async function renamesIn(checkout: Checkout, missing: string[], env: Environment): Promise<Map<string, string>> {
  const { root } = checkout;
  const found = new Map<string, string>();
  const question = ['diff', ...RAW_DIFF, ...DETECT, 'HEAD'];
  const uncommitted = renamed((await ask(root, question, env)).flatMap(({ changes }) => changes));
  // The names under which each missing file is searched next.
  let open = new Map([...new Set(missing)].slice(0, MOST_PATHS).map((path) => [path, path]));
  for (let round = 0; round < MOST_NAMES && open.size > 0; round++) {
    const committed = await remembered(checkout, [...new Set(open.values())], env);
    const next = new Map<string, string>();
    for (const [path, name] of open) {
      const now = uncommitted.get(name) ?? committed.get(name);
      if (now === undefined || now === path) continue;
      if (lstatSync(join(root, now), { throwIfNoEntry: false }) !== undefined) found.set(path, now);
      else next.set(path, now);
    }
    open = next;
  }
  return found;
}

/** Cached answers for one commit's history: a process that answers many questions walks it once for each file. */
let memory: { of: string; known: Map<string, string | undefined> } | undefined;

async function remembered(
  checkout: Checkout,
  paths: string[],
  env: Environment,
): Promise<Map<string, string | undefined>> {
  const { commit } = readHead(checkout);
  if (commit === undefined) return removals(checkout.root, paths, env);
  const of = `${commit} ${checkout.commonDir}`;
  if (memory?.of !== of) memory = { of, known: new Map() };
  const { known } = memory;
  const unknown = paths.filter((path) => !known.has(path));
  const found = unknown.length > 0 ? await removals(checkout.root, unknown, env) : new Map();
  for (const path of unknown) known.set(path, found.get(path));
  return known;
}

/** What became of paths in the last commit that removed each of them. */
async function removals(root: string, paths: string[], env: Environment): Promise<Map<string, string>> {
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const question = ['log', ...RAW_LOG, '--no-renames', '--diff-filter=D', '--format=%H', 'HEAD', '--', ...literal];
  const last = new Map<string, string>();
  for (const { head, changes } of await ask(root, question, env)) {
    for (const { path } of changes) if (!last.has(path)) last.set(path, head);
  }
  const commits = [...new Set(last.values())].slice(0, MOST_COMMITS);
  if (commits.length === 0) return new Map();
  const show = ['log', '--no-walk=unsorted', ...RAW_LOG, ...DETECT, '--format=%H', ...commits, '--'];
  const byCommit = new Map((await ask(root, show, env)).map(({ head, changes }) => [head, renamed(changes)]));
  const found = new Map<string, string>();
  for (const [path, hash] of last) {
    const now = byCommit.get(hash)?.get(path);
    if (now !== undefined) found.set(path, now);
  }
  return found;
}

function renamed(changes: RawChange[]): Map<string, string> {
  return new Map(changes.flatMap(({ path, now }) => (now === undefined ? [] : [[path, now] as const])));
}

async function ask(root: string, args: string[], env: Environment): Promise<RawCommit[]> {
  return parseRawLog((await runGit(root, args, env, { patienceMs: PATIENCE_MS })) ?? '');
}
