import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import { isSystemError } from '../errors.ts';
import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from '../looks.ts';
import { blobId } from '../memory/id.ts';
import { type Content, contentOf } from './freshness.ts';

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

/** A function that reads files of a working tree, each once. */
export function workingContents(
  root: string,
  format: 'sha1' | 'sha256',
): (path: string) => Content | 'missing' | 'unknown' {
  const read = new Map<string, Content | 'missing' | 'unknown'>();
  return (path) => {
    const content = read.get(path) ?? contentAt(root, path, format);
    read.set(path, content);
    return content;
  };
}

function contentAt(root: string, path: string, format: 'sha1' | 'sha256'): Content | 'missing' | 'unknown' {
  const place = join(root, path);
  try {
    const stat = lstatSync(place);
    if (stat.isSymbolicLink()) return linkContent(root, path, format);
    if (stat.isDirectory()) return 'missing';
    if (!stat.isFile() || stat.size > MAX_CITED_BYTES) return 'unknown';
    const bytes = readFileSync(place);
    return contentOf(bytes, hashed(bytes, format));
  } catch (error) {
    // Otherwise no permission, or an invalid path.
    return isSystemError(error, 'ENOENT', 'ENOTDIR') ? 'missing' : 'unknown';
  }
}

/** Returns a test of whether bytes are a blob, even if the checkout changed line endings or git LFS filled in the content. */
function hashed(bytes: Buffer, format: 'sha1' | 'sha256'): (blob: string) => boolean {
  let own: string | undefined;
  let others: string[] | undefined;
  // Latin-1 keeps every byte. The anchor may be from a checkout with other line endings.
  const second = () => {
    const text = bytes.toString('latin1');
    const changed = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
    return blobId(Buffer.from(changed, 'latin1'), format);
  };
  const pointer = () => {
    const oid = createHash('sha256').update(bytes).digest('hex');
    return blobId(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`, format);
  };
  return (blob) => {
    own ??= blobId(bytes, format);
    if (blob === own) return true;
    others ??= [second(), pointer()];
    return others.includes(blob);
  };
}

/** To git, a link's content is its target's path; to a reader, the target's content. Nothing outside is read. */
function linkContent(root: string, path: string, format: 'sha1' | 'sha256'): Content {
  const target = readlinkSync(join(root, path));
  // Undefined for a dangling link too: only its target's path can be compared.
  const bytes = workingFile(root, path, () => true);
  const isContent = bytes && hashed(bytes, format);
  const isPath = (blob: string) => blob === blobId(target, format);
  return contentOf(bytes ?? Buffer.from(target), (blob) => isPath(blob) || isContent?.(blob) === true);
}
