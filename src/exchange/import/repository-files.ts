import { isAbsolute, normalize } from 'node:path';
import { below } from './place.ts';

/**
 * Paths in the form that records cite: those below one of `roots` relative to it, relative ones unchanged; paths
 * elsewhere, or in git's and git-mem's own folders, are left out.
 */
export function repositoryFiles(paths: string[], roots: string[]): string[] {
  const found = paths.flatMap((path) => {
    const trimmed = path.trim();
    if (trimmed === '') return [];
    const relative = isAbsolute(trimmed) ? roots.map((root) => below(root, trimmed)).find(Boolean) : normalize(trimmed);
    const posix = relative?.replaceAll('\\', '/').replace(/\/$/, '') ?? '';
    const isOutside = /^(?:\.{0,2}$|\.\.\/|~|[A-Za-z]:|\/|\.(?:git|memory)(?:\/|$))/.test(posix);
    return isOutside ? [] : [posix];
  });
  return [...new Set(found)];
}
