import type { Environment } from '../../../user-folders.ts';
import type { History } from '../history.ts';
import { type Page, readPages } from './page.ts';

/** The repository whose files are read. */
export interface Reading {
  root: string;
  env: Environment;
  history: History;
}

/** The files at HEAD with matching paths, nearest to the top first. */
export function pagesLike(
  { root, env, history }: Reading,
  fits: (path: string) => boolean,
  most: number,
): Promise<Page[]> {
  const depth = (path: string) => path.split('/').length;
  const paths = [...history.tree.keys()].filter(fits).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return readPages(root, env, history.tree, paths.slice(0, most));
}
