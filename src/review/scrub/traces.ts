import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { copiesOf, holdsText, SITE_DATA } from '../../capture/by-hand/copies.ts';
import { GitMemError } from '../../errors.ts';
import { locate } from '../../git/locate.ts';
import { objectOrNone } from '../../git/object-id.ts';
import { parseRawLog, rawChanges, readBlobs, runGit } from '../../git/objects.ts';
import { decode } from '../../memory/codec.ts';
import { parseFileName } from '../../memory/file-name.ts';
import { outlineReader } from '../../memory/outline.ts';
import { fragmentsOf } from '../../memory/redaction.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { type Echoes, findEchoes, type Git } from './echoes.ts';

/** A blob that was once the file of a redacted record and is still reachable. */
interface Trace {
  blob: string;
  id: string;
  /** Its paths, relative to the top of the repository. */
  paths: string[];
}

/** What keeps a blob reachable: a reference by its full name, a detached HEAD or an index by its worktree. */
export interface Holder {
  kind: 'ref' | 'head' | 'index' | 'stash' | 'reflog';
  name: string;
}

/** A remote with its address and, if known here, its default branch. */
export interface Remote {
  name: string;
  url: string;
  head?: string;
}

/** Everything left of some redacted records. */
export interface Traces extends Echoes {
  blobs: Trace[];
  holders: Holder[];
  /** Files in working trees or in the private store; absolute. */
  files: string[];
  /** Tops of all working trees, the workspace's first. */
  worktrees: string[];
  /** The remotes, which may have the blobs that are reachable here. */
  remotes: Remote[];
  isShallow: boolean;
}

/** Longest search through the history, in milliseconds: only the person who asked is waiting. */
const PATIENCE_MS = 600_000;

/** A pathspec for every file that the record with this id may ever have had; file names end in the id. */
export function pathspecOf(id: string): string {
  return `:(top,glob).memory/**/*-${id}.md`;
}

/**
 * Searches all references, reflogs, stashes and indexes for the content that these records' files ever had, and for what
 * repeats it. Two git processes find the blobs, a few more what reaches them. Throws git if git cannot answer: silence
 * would look like success.
 */
export async function findTraces(workspace: Workspace, ids: string[]): Promise<Traces> {
  const { root } = workspace.checkout;
  const specs = ids.map(pathspecOf);
  const git: Git = async (args, { cwd = root, input = '' } = {}) => {
    // A replacement object would hide the original, which is still kept.
    const output = await runGit(cwd, ['--no-replace-objects', ...args], workspace.env, {
      input,
      patienceMs: PATIENCE_MS,
    });
    if (output !== undefined) return output;
    throw new GitMemError('git', `\`git ${args[0]}\` failed, so what git still reaches cannot be listed.`, {
      hint: '`git fsck` shows whether the repository is complete; a partial clone has to be made complete first.',
    });
  };
  const changes = await git(['diff-tree', '--stdin', '-r', '-m', '--root', '-z', '--no-renames', '--', ...specs], {
    input: await git(['rev-list', '--full-history', '--all', '--reflog', '--', ...specs]),
  });
  const found = new Map<string, Trace>();
  const added = parseRawLog(changes).flatMap(({ head, changes }) =>
    changes.flatMap(({ path, blob }) => (objectOrNone(blob) ? [{ commit: head, path, blob }] : [])),
  );
  for (const { path, blob } of added) note(found, blob, path);
  const worktrees = await listWorktrees(git, root);
  const tops = worktrees.map(({ path }) => path);
  const echoes = await findEchoes(workspace, { ids, worktrees: tops, git });
  const commits = new Set([...added.map(({ commit }) => commit), ...echoes.commits]);
  const holders: Holder[] = [];
  for (const { path } of worktrees) {
    const entries = await git(['ls-files', '-s', '-z', '--', ...specs], { cwd: path });
    for (const entry of entries.split('\0')) {
      const [, blob, name] = /^[0-7]+ ([0-9a-f]+) \d\t(.*)$/s.exec(entry) ?? [];
      if (blob === undefined || name === undefined) continue;
      note(found, blob, name);
      if (!holders.some((one) => one.kind === 'index' && one.name === path))
        holders.push({ kind: 'index', name: path });
    }
  }
  if (commits.size > 0) holders.push(...(await committedHolders()));
  for (const name of echoes.tags) if (!holders.some((one) => one.name === name)) holders.push({ kind: 'ref', name });
  return {
    ...echoes,
    blobs: [...found.values()].sort((a, b) => (a.blob < b.blob ? -1 : 1)),
    holders,
    files: filesOf(workspace, tops, ids),
    worktrees: tops,
    remotes: await remotesOf(git),
    isShallow: (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true',
  };

  async function committedHolders(): Promise<Holder[]> {
    const containing = [...commits].flatMap((commit) => ['--contains', commit]);
    const reach = async (from: string[], input = '') =>
      lines(await git(['rev-list', ...from], { input })).some((commit) => commits.has(commit));
    const refs = lines(await git(['for-each-ref', '--format=%(refname)', ...containing]));
    const stashed = refs.includes('refs/stash') ? await git(['log', '-g', '--format=%H', 'refs/stash']) : '';
    const detached: Holder[] = [];
    for (const { path, head } of worktrees) {
      if (head !== undefined && (await reach([head]))) detached.push({ kind: 'head', name: path });
    }
    return [
      ...refs.filter((name) => name !== 'refs/stash').map((name): Holder => ({ kind: 'ref', name })),
      ...detached,
      ...((await reach(['--stdin'], stashed)) ? [{ kind: 'stash', name: 'refs/stash' } as const] : []),
      ...((await reach(['--reflog'])) ? [{ kind: 'reflog', name: 'reflogs' } as const] : []),
    ];
  }
}

async function remotesOf(git: Git): Promise<Remote[]> {
  const heads = lines(await git(['for-each-ref', '--format=%(refname) %(symref)', 'refs/remotes/*/HEAD']));
  return Promise.all(
    lines(await git(['remote'])).map(async (name): Promise<Remote> => {
      const prefix = `refs/remotes/${name}/`;
      const head = heads.find((line) => line.startsWith(`${prefix}HEAD ${prefix}`))?.slice(2 * prefix.length + 5);
      return { name, url: (await git(['remote', 'get-url', name])).trim(), ...(head && { head }) };
    }),
  );
}

function note(found: Map<string, Trace>, blob: string, path: string): void {
  const id = parseFileName(path)?.id ?? path.slice(-13, -3);
  const known = found.get(blob) ?? { blob, id, paths: [] };
  if (!known.paths.includes(path)) known.paths.push(path);
  found.set(blob, known);
}

/** The existing working trees, that of `root` first; with the commit of a detached HEAD. */
async function listWorktrees(git: Git, root: string): Promise<{ path: string; head?: string }[]> {
  const blocks = (await git(['worktree', 'list', '--porcelain', '-z'])).split('\0\0').filter(Boolean);
  const all = blocks.flatMap((block) => {
    const fields = block.split('\0');
    const path = fields.find((field) => field.startsWith('worktree '))?.slice(9);
    const head = fields.includes('detached') ? fields.find((field) => field.startsWith('HEAD '))?.slice(5) : undefined;
    if (path === undefined || fields.includes('bare') || !existsSync(path)) return [];
    return [{ path, ...(head !== undefined && { head }) }];
  });
  const here = realpathSync(root);
  const isHere = ({ path }: { path: string }) => realpathSync(path) === here;
  return [...all.filter(isHere), ...all.filter((one) => !isHere(one))];
}

function filesOf(workspace: Workspace, worktrees: string[], ids: string[]): string[] {
  const teams = worktrees.flatMap((path) => {
    const checkout = locate(path);
    return checkout === undefined ? [] : [workspaceOf(checkout, workspace.env).stores.team];
  });
  return [...teams, workspace.stores.private].flatMap((store) =>
    [...store.newest()].filter(({ id }) => ids.includes(id)).map(({ path }) => join(store.dir, path)),
  );
}

function lines(output: string): string[] {
  return output.split('\n').filter(Boolean);
}

/** Where the text of redacted records appears outside their own files. */
export interface Elsewhere {
  /** Files on this machine, absolute: drafts, the cache, exports, pages. */
  copies: string[];
  /** Blobs of other files that git reaches, with their paths; `isPage`: a page of `git mem site`, which can be regenerated. */
  blobs: (Omit<Trace, 'id'> & { isPage?: true })[];
}

/**
 * Searches every other file on this machine and in the history for the sentences of redacted records, word for word, as
 * long as a file of those records still contains them. Runs a few git processes, one of which reads all changes.
 */
export async function findElsewhere(workspace: Workspace, traces: Traces, ids: string[]): Promise<Elsewhere> {
  const fragments = await fragmentsLeft(workspace, traces, ids);
  if (fragments.length === 0) return { copies: [], blobs: [] };
  const { team, private: own } = workspace.stores;
  const entries = [...team.newest(), ...own.newest()].filter(({ id }) => ids.includes(id));
  const files = new Set(traces.files);
  const copies = (await copiesOf(workspace, fragments, entries)).filter((path) => !files.has(path));
  return { copies, blobs: await blobsWith(workspace, fragments, new Set(traces.blobs.map(({ blob }) => blob))) };
}

async function fragmentsLeft(workspace: Workspace, { blobs }: Traces, ids: string[]): Promise<string[]> {
  const { checkout, env, stores } = workspace;
  const found = new Set<string>();
  const blobIds = blobs.map(({ blob }) => blob);
  const texts = await readBlobs(checkout.root, blobIds, env);
  const note = (text: string, path: string) => {
    try {
      for (const fragment of fragmentsOf(decode(text, path, outlineReader))) found.add(fragment);
    } catch {
      // It never parsed, so it was never listed as a record; its file is reported anyway.
    }
  };
  for (const { blob, paths } of blobs) {
    const text = texts.get(blob);
    if (text !== undefined) note(text.toString('utf8'), paths[0] ?? '');
  }
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) if (ids.includes(entry.id)) note(store.load(entry).text, entry.path);
  }
  return [...found];
}

async function blobsWith(
  { checkout, env }: Workspace,
  fragments: string[],
  known: Set<string>,
): Promise<Elsewhere['blobs']> {
  const pattern = [...fragments, SITE_DATA]
    .map((fragment) => fragment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
  const shape = ['-m', '--format=', '--raw', '--no-abbrev', '--no-renames', '-z'];
  const wanted = ['--all', '--reflog', '--pickaxe-regex', `-S${pattern}`, '-E'];
  const args = ['--no-replace-objects', 'log', ...shape, ...wanted];
  const output = await runGit(checkout.root, args, env, { patienceMs: PATIENCE_MS });
  if (output === undefined) {
    throw new GitMemError('git', '`git log` failed, so other files that hold the words cannot be listed.', {
      hint: '`git fsck` shows whether the repository is complete.',
    });
  }
  const found = new Map<string, Set<string>>();
  const candidates = rawChanges(output).flatMap(({ path, before, blob }) =>
    [before, blob].filter(objectOrNone).map((one) => [one, path] as const),
  );
  // A change is also listed for text it removed: only one of its two blobs may contain the words.
  const texts = await readBlobs(checkout.root, [...new Set(candidates.map(([blob]) => blob))], env);
  for (const [blob, path] of candidates) {
    const text = texts.get(blob);
    if (known.has(blob) || text === undefined || !holdsText(text, fragments)) continue;
    found.set(blob, (found.get(blob) ?? new Set()).add(path));
  }
  const isPage = (blob: string) => texts.get(blob)?.includes(SITE_DATA);
  return [...found]
    .map(([blob, paths]) => ({ blob, paths: [...paths], ...(isPage(blob) && { isPage: true as const }) }))
    .sort((a, b) => (a.blob < b.blob ? -1 : 1));
}
