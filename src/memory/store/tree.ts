import { readBlobs, treeFiles } from '../../git/objects.ts';
import type { Environment } from '../../user-folders.ts';
import type { RecordFiles } from './source.ts';

/** The team store's folder in a tree. */
const FOLDER = '.memory';

/**
 * The files of `.memory/` in a revision, read with two git children, whatever their number; undefined if there is no
 * such revision.
 */
export async function revisionFiles(
  root: string,
  revision: string,
  env: Environment,
): Promise<RecordFiles | undefined> {
  const found = await treeFiles(root, revision, FOLDER, env);
  if (found === undefined) return undefined;
  const files = found.map(({ path, blob }) => ({ path: path.slice(FOLDER.length + 1), blob }));
  const blobs = files.map(({ blob }) => blob);
  const contents = await readBlobs(root, blobs, env);
  const byPath = new Map(files.map(({ path, blob }) => [path, contents.get(blob)]));
  const folders = new Map<string, Set<string>>();
  for (const path of byPath.keys()) {
    const parts = path.split('/');
    for (let i = 0; i < parts.length; i++) {
      const folder = parts.slice(0, i).join('/');
      folders.set(folder, (folders.get(folder) ?? new Set()).add(parts[i] ?? ''));
    }
  }
  return {
    names: (folder) => [...(folders.get(folder) ?? [])],
    state(path) {
      const bytes = byPath.get(path);
      // Objects never change, so any time will do.
      return bytes && { isFile: true, size: bytes.length, modifiedMs: 1, changedMs: 1 };
    },
    bytes(path) {
      const bytes = byPath.get(path);
      if (bytes) return bytes;
      throw Object.assign(new Error(`${path} is not in ${revision}.`), { code: 'ENOENT' });
    },
  };
}

export const NO_FILES: RecordFiles = {
  names: () => [],
  state: () => undefined,
  bytes(path) {
    throw Object.assign(new Error(`${path} is not there.`), { code: 'ENOENT' });
  },
};
