import { copiesOf } from '../../capture/by-hand/copies.ts';
import { GitMemError } from '../../errors.ts';
import { objectOrNone } from '../../git/object-id.ts';
import { rawChanges, readBlobs, runGit } from '../../git/objects.ts';
import { decode } from '../../memory/codec.ts';
import { outlineReader } from '../../memory/outline.ts';
import { fragmentsOf } from '../../memory/redaction.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Trace, Traces } from './traces.ts';

/** Longest search through the whole history, in milliseconds. */
const PATIENCE_MS = 600_000;

/** Where the text of redacted records appears outside their own files. */
export interface Elsewhere {
  /** Files on this machine, absolute: drafts, the cache, exports, pages. */
  copies: string[];
  /** Blobs of other files that git reaches, with their paths. */
  blobs: Omit<Trace, 'id'>[];
}

/**
 * Searches every other file on this machine and in the history for the sentences of redacted records, word for word, as
 * long as some file of theirs still contains them. A few git children, one of which reads all changes.
 */
export async function findElsewhere(workspace: Workspace, traces: Traces, ids: string[]): Promise<Elsewhere> {
  const fragments = await fragmentsLeft(workspace, traces, ids);
  if (fragments.length === 0) return { copies: [], blobs: [] };
  const wanted = new Set(ids);
  const own = [workspace.stores.team, workspace.stores.private].flatMap((store) =>
    [...store.newest()].filter(({ id }) => wanted.has(id)),
  );
  const files = new Set(traces.files);
  const copies = (await copiesOf(workspace, fragments, own)).filter((path) => !files.has(path));
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
  const pattern = fragments.map((fragment) => fragment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
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
    if (known.has(blob) || text === undefined || !fragments.some((fragment) => text.includes(fragment))) continue;
    found.set(blob, (found.get(blob) ?? new Set()).add(path));
  }
  return [...found].map(([blob, paths]) => ({ blob, paths: [...paths] })).sort((a, b) => (a.blob < b.blob ? -1 : 1));
}
