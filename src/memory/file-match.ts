import { bareName } from '../slashes.ts';
import { matchesGlob } from './glob.ts';

/**
 * Tells whether a cited path matches `--file`: the file itself, a file in that folder, or one that matches the glob
 * (`src/*.ts`; `**` crosses folders; without a slash, as in `*.sql`, in any folder).
 */
export function citesFile(path: string, wanted: string): boolean {
  const place = bareName(wanted);
  if (place === '' || place === '.') return true;
  if (path === place || path.startsWith(`${place}/`)) return true;
  if (!/[*?]/.test(place)) return false;
  if (matchesGlob(place, path)) return true;
  // As in .gitignore: a pattern without a folder matches in any folder, and one that matches a folder matches
  // everything in it.
  if (!place.includes('/')) return path.split('/').some((part) => matchesGlob(place, part));
  return matchesGlob(`${place}/**`, path);
}
