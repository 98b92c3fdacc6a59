import { join, sep } from 'node:path';
import { readFileSync, realpathSync, statSync } from '../looks.ts';
import { blobId } from '../memory/id.ts';

/** Larger files get no anchor and are not hashed: they are not source code. In bytes. */
export const MAX_CITED_BYTES = 20_000_000;

/**
 * A file of the working tree, through links that stay within it; undefined for anything else. Nothing outside is read,
 * nothing blocks, and `isWanted` is asked before a byte is read. Throws no system error.
 */
export function workingFile(root: string, path: string, isWanted: (modifiedMs: number) => boolean): Buffer | undefined {
  try {
    const real = realpathSync(join(root, path));
    if (!real.startsWith(realpathSync(root) + sep)) return undefined;
    const stat = statSync(real);
    return stat.isFile() && stat.size <= MAX_CITED_BYTES && isWanted(stat.mtimeMs) ? readFileSync(real) : undefined;
  } catch {
    return undefined; // Deleted, not written yet, unreadable, or an invalid path: its freshness is unknown.
  }
}

/** The blob ids of the files among these paths, as they are now. */
export function anchorsOf(root: string, paths: string[], format: 'sha1' | 'sha256'): Record<string, string> {
  const anchors: Record<string, string> = {};
  for (const path of paths) {
    const bytes = workingFile(root, path, () => true);
    // Even without an anchor the record cites the file.
    if (bytes !== undefined) anchors[path] = blobId(bytes, format);
  }
  return anchors;
}
