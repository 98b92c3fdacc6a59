import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';
import { blobId } from '../memory/id.ts';

/** How a record stands to the files it cites: unchanged, edited, at another path, deleted, or nothing cited. */
export type Freshness = 'fresh' | 'touched' | 'moved' | 'gone' | 'unknown';

/** Files larger than this are not hashed in a hook; git itself would have to. */
const MAX_BYTES = 20_000_000;

/** Compares anchors with the working tree. Hashes each file once; `pathsOf` is asked only about files that are missing. */
export function createFreshness(options: {
  root: string;
  format: 'sha1' | 'sha256';
  /** Paths that hold this blob now. */
  pathsOf: (blob: string) => string[];
}): { of(anchors: Record<string, string>): Freshness; file(path: string, blob: string): Freshness } {
  const { root, format, pathsOf } = options;
  const blobs = new Map<string, string[] | undefined>();

  function current(path: string): string[] | undefined {
    if (!blobs.has(path)) blobs.set(path, worktreeBlobs(join(root, path), format));
    return blobs.get(path);
  }

  function file(path: string, blob: string): Freshness {
    const now = current(path);
    if (now !== undefined) return now.length === 0 ? 'unknown' : now.includes(blob) ? 'fresh' : 'touched';
    return pathsOf(blob).some((other) => current(other)?.includes(blob)) ? 'moved' : 'gone';
  }

  function of(anchors: Record<string, string>): Freshness {
    const states = Object.entries(anchors).map(([path, blob]) => file(path, blob));
    if (states.length === 0 || states.every((state) => state === 'unknown')) return 'unknown';
    if (states.every((state) => state === 'gone')) return 'gone';
    if (states.some((state) => state === 'touched' || state === 'gone')) return 'touched';
    return states.includes('moved') ? 'moved' : 'fresh';
  }

  return { of, file };
}

/** The ids that a file's content can have in git, as it is and with line feeds; undefined when there is no file. */
function worktreeBlobs(path: string, format: 'sha1' | 'sha256'): string[] | undefined {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_BYTES) return [];
    const bytes = readFileSync(path);
    const own = blobId(bytes, format);
    if (!bytes.includes('\r\n')) return [own];
    return [own, blobId(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'), format)];
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    return []; // Unreadable, or no path at all: nothing can be said of it.
  }
}
