import { isAbsolute, relative, resolve, sep } from 'node:path';
import { realPath } from '../../git/locate.ts';

/** The paths inside the checkout, as records name them; memory itself is left out. */
export function repositoryPaths(root: string, { cwd, paths }: { cwd: string; paths: readonly string[] }): string[] {
  const inside = paths.flatMap((path) => {
    const absolute = resolve(cwd || root, path);
    // Hosts may name the checkout through a link; a path that does not exist is about to be created.
    const within = [absolute, realPath(absolute)].map((one) => relative(root, one)).find((one) => !isOutside(one));
    return within === undefined || within.startsWith('.memory') ? [] : [within.split(sep).join('/')];
  });
  return [...new Set(inside)];
}

function isOutside(path: string): boolean {
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
