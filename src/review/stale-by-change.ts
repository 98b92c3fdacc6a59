import { objectOrNone } from '../git/object-id.ts';
import { askGit, COMMAND_PATIENCE_MS, rawChanges, readObjects } from '../git/objects.ts';
import { detection } from '../git/renames.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { standing } from '../provenance/bound-names.ts';
import { type CitedFile, judged, type MissingName, type Whereabouts } from '../provenance/freshness.ts';
import { namesIn } from '../provenance/names.ts';
import { citedFiles } from '../provenance/recorded.ts';
import { blobContent } from '../provenance/whereabouts.ts';
import { workingContents } from '../provenance/working-file.ts';
import type { Range } from './memory-tree.ts';
import { answered, MEMORY } from './memory-tree.ts';

/** A record that a change makes stale: the change removes names that it mentions, or all files that it cites. */
export interface StaleRecord<R> {
  filed: R;
  /** The files that had the names, or those that are deleted. */
  files: string[];
  freshness: 'touched' | 'gone';
  missing_names: MissingName[];
}

/** The files outside `.memory/` that a range changes. */
interface CodeChanges {
  /** Blob of each changed file after the change, by path; undefined if it was removed. */
  after: Map<string, string | undefined>;
  /** New names of renamed files. */
  renames: Map<string, string>;
}

/** Compares the files that records cite before and after the change, so that no history is needed. */
export async function staleByChange<R extends { record: MemoryRecord }>(
  workspace: Workspace,
  records: readonly R[],
  { base, head }: Range,
): Promise<StaleRecord<R>[]> {
  if (base === undefined) return [];
  const changes = await codeChanges(workspace, { base, head });
  const citing = records.filter(
    ({ record }) => record.kind === 'observation' && citedFiles(record).some((path) => changes.after.has(path)),
  );
  if (citing.length === 0) return [];
  const paths = [...new Set(citing.flatMap(({ record }) => citedFiles(record)))];
  const befores = await contentsOf(workspace, new Map(paths.map((path) => [path, `${base}:${path}`])));
  const files = await filesAfter(workspace, changes, { befores, head });
  return citing.flatMap((filed): StaleRecord<R>[] => {
    const names = namesIn(filed.record);
    const cited = citedFiles(filed.record).flatMap((path): CitedFile[] => {
      const bytes = befores.get(path);
      return bytes === undefined ? [] : [{ path, blobs: [], names: standing(names, bytes) ?? [] }];
    });
    const { freshness, missing, files: fates } = judged(cited, files);
    if (freshness !== 'touched' && freshness !== 'gone') return [];
    const gone = fates.flatMap((file) => (file.freshness === 'gone' ? [file.path] : []));
    const stale = freshness === 'gone' ? gone : missing.map(({ path }) => path);
    return [{ filed, files: [...new Set(stale)], freshness, missing_names: missing }];
  });
}

async function codeChanges(workspace: Workspace, { base, head }: Range & { base: string }): Promise<CodeChanges> {
  const detect = detection(workspace.checkout.commonDir);
  const shape = ['--raw', '-z', ...detect, '--no-abbrev', '--ignore-submodules'];
  const args =
    head === undefined
      ? ['diff', '--no-ext-diff', '--no-textconv', ...shape, base, '--']
      : ['diff-tree', '-r', ...shape, base, head, '--'];
  const output = answered(await askGit(workspace, args), `what changed since ${base}`);
  const [after, renames]: [CodeChanges['after'], CodeChanges['renames']] = [new Map(), new Map()];
  for (const { path, now, mode, blob } of rawChanges(output)) {
    if (path.startsWith(`${MEMORY}/`)) continue;
    if (now !== undefined) {
      renames.set(path, now);
      after.set(path, undefined).set(now, blob);
      // A mode of zeros is a deletion; an id of zeros beside a mode is a working file that git has not hashed.
    } else after.set(path, Number(mode) === 0 ? undefined : blob);
  }
  return { after, renames };
}

async function filesAfter(
  workspace: Workspace,
  { after, renames }: CodeChanges,
  { befores, head }: { befores: ReadonlyMap<string, Buffer>; head: string | undefined },
): Promise<Whereabouts> {
  const nowAt = ({ path }: CitedFile) => {
    const now = renames.get(path);
    return now === undefined ? 'gone' : { path: now };
  };
  const working = head === undefined ? workingContents(workspace.checkout.root, workspace.format) : undefined;
  if (working !== undefined) return { content: working, nowAt };
  // A file that is not in the base does not count as cited.
  const places = [...befores.keys()].map((path) => renames.get(path) ?? path);
  const ids = places.flatMap((path): [string, string][] => {
    const id = objectOrNone(after.get(path) ?? '0');
    return id === undefined ? [] : [[path, id]];
  });
  const contents = await contentsOf(workspace, new Map(ids));
  return {
    content(path) {
      if (after.has(path) && after.get(path) === undefined) return 'missing';
      return blobContent('', after.has(path) ? contents.get(path) : befores.get(path));
    },
    nowAt,
  };
}

/** The contents behind expressions for files, by path; missing ones are left out. */
async function contentsOf({ checkout, env }: Workspace, expressions: ReadonlyMap<string, string>) {
  const objects = await readObjects(checkout.root, [...expressions.values()], env, COMMAND_PATIENCE_MS);
  return new Map(
    [...expressions.keys()].flatMap((path, i): [string, Buffer][] => {
      const object = objects[i];
      return object?.type === 'blob' ? [[path, object.bytes]] : [];
    }),
  );
}
