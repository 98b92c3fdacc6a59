import { resolve } from 'node:path';
import { realPath } from '../../git/locate.ts';
import { below } from '../../git/paths.ts';

/** The paths inside the checkout, as records name them; memory itself is left out. */
export function repositoryPaths(root: string, { cwd, paths }: { cwd: string; paths: readonly string[] }): string[] {
  const inside = paths.flatMap((path) => {
    const absolute = resolve(cwd || root, path);
    // Hosts may name the checkout through a link; a path that does not exist is about to be created.
    const within = below(root, absolute) ?? below(root, realPath(absolute));
    return within === undefined || within.startsWith('.memory') ? [] : [within];
  });
  return [...new Set(inside)];
}
