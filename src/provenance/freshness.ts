import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';
import { blobId } from '../memory/id.ts';
import { FRESHNESS, type Freshness } from './levels.ts';
import { MAX_CITED_BYTES, workingFile } from './working-file.ts';

export { FRESHNESS, type Freshness };

/** What became of one cited file. */
export interface FileFreshness {
  freshness: Freshness;
  /** Its current path: with the same content (moved), or of what git takes for the same file (touched). */
  movedTo?: string;
}

/** Questions about files that the working tree lacks. */
export interface Elsewhere {
  /** Paths that hold this blob now. */
  pathsOf(blob: string): string[];
  /** The blob of a file that a sparse checkout leaves out; `hidden` if it is in a submodule that is not checked out. */
  leftOut?(path: string): { blob: string } | 'hidden' | undefined;
  /** The new path of what git takes for the same file. */
  renamedTo?(path: string): string | undefined;
}

export interface FreshnessJudge {
  of(anchors: Record<string, string>): Freshness;
  file(path: string, blob: string): Freshness;
  detail(path: string, blob: string): FileFreshness;
}

/** The files of a working tree that were already read, shared by judges that run one after the other. */
export type Contents = Map<string, Content | undefined>;

/** Compares anchors with the working tree. Hashes each file once. */
export function createFreshness({
  root,
  format,
  contents = new Map(),
  look = (path) => contentOf(root, path, format),
  ...elsewhere
}: {
  root: string;
  format: 'sha1' | 'sha256';
  contents?: Contents;
  /** Reads files from elsewhere than the working tree. */
  look?: (path: string) => Content | undefined;
} & Elsewhere): FreshnessJudge {
  const nothing = blobId('', format);

  function current(path: string): Content | undefined {
    if (!contents.has(path)) contents.set(path, look(path));
    return contents.get(path);
  }

  function detail(path: string, blob: string): FileFreshness {
    const now = current(path);
    if (now === 'unreadable') return { freshness: 'unknown' };
    if (now !== undefined) return { freshness: now(blob) ? 'fresh' : 'touched' };
    const left = elsewhere.leftOut?.(path);
    if (left === 'hidden') return { freshness: 'unknown' };
    if (left !== undefined) return { freshness: left.blob === blob ? 'fresh' : 'touched' };
    const holds = (other: string) => {
      const content = current(other);
      return typeof content === 'function' && content(blob);
    };
    // All empty files are alike: another one is not this one.
    const moved = blob === nothing ? undefined : elsewhere.pathsOf(blob).find(holds);
    if (moved !== undefined) return { freshness: 'moved', movedTo: moved };
    const renamed = elsewhere.renamedTo?.(path);
    if (renamed === undefined || current(renamed) === undefined) return { freshness: 'gone' };
    return { freshness: holds(renamed) ? 'moved' : 'touched', movedTo: renamed };
  }

  const file = (path: string, blob: string) => detail(path, blob).freshness;

  function of(anchors: Record<string, string>): Freshness {
    const states = Object.entries(anchors).map(([path, blob]) => file(path, blob));
    if (states.length === 0 || states.every((state) => state === 'unknown')) return 'unknown';
    if (states.every((state) => state === 'gone')) return 'gone';
    if (states.some((state) => state === 'touched' || state === 'gone')) return 'touched';
    return states.includes('moved') ? 'moved' : 'fresh';
  }

  return { of, file, detail };
}

/** Tells whether a file is this blob, whatever line ends the checkout gave it. */
type Content = 'unreadable' | ((blob: string) => boolean);

/** The content at a path of the working tree; undefined when there is no file. */
function contentOf(root: string, path: string, format: 'sha1' | 'sha256'): Content | undefined {
  const place = join(root, path);
  try {
    const stat = lstatSync(place);
    if (stat.isSymbolicLink()) return linkContent(root, path, format);
    if (stat.isDirectory()) return undefined;
    if (!stat.isFile() || stat.size > MAX_CITED_BYTES) return 'unreadable';
    return hashed(readFileSync(place), format);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    return 'unreadable'; // No permission, or an invalid path: its freshness is unknown.
  }
}

function hashed(bytes: Buffer, format: 'sha1' | 'sha256'): (blob: string) => boolean {
  const own = blobId(bytes, format);
  // Latin-1 keeps every byte. The anchor may be from a checkout with the other line ends.
  const other = () => {
    const text = bytes.toString('latin1');
    const changed = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
    return blobId(Buffer.from(changed, 'latin1'), format);
  };
  let second: string | undefined;
  return (blob) => {
    if (blob === own) return true;
    second ??= other();
    return blob === second;
  };
}

/** To git, a link's content is its target's path; to a reader, the target's content. Nothing outside is read. */
function linkContent(root: string, path: string, format: 'sha1' | 'sha256'): Content {
  const own = blobId(readlinkSync(join(root, path)), format);
  // Undefined for a dangling link too: only its target's path can be compared.
  const bytes = workingFile(root, path, () => true);
  const isContent = bytes && hashed(bytes, format);
  return (blob) => blob === own || isContent?.(blob) === true;
}
