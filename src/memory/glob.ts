import { bareName } from '../slashes.ts';

/** Longer texts are not paths, and match nothing: https://man7.org/linux/man-pages/man0/limits.h.0p.html */
const LONGEST = 4096;

/** Longer patterns, which nobody writes, match only themselves: the time grows with the pattern. */
const LONGEST_PATTERN = 1024;

/**
 * Whether a glob matches a whole path: `*` stands for anything but a slash, `**` for anything, `**` as a whole folder
 * for none too, `?` for one character. All possible positions in the pattern are tracked at once, so the time is at
 * most the text's length times the pattern's.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  if (text.length > LONGEST) return false;
  if (pattern.length > LONGEST_PATTERN) return pattern === text;
  /** How much of the text was read when a position in the pattern was last reached. */
  const met = new Int16Array(pattern.length + 1).fill(-1);
  let places: number[] = [];
  comeTo(0, 0, places);
  for (let read = 1; read <= text.length && places.length > 0; read++) {
    const next: number[] = [];
    for (const place of places) goOn(place, read, next);
    places = next;
  }
  return places.includes(pattern.length);

  /** Advances a position over the next character, the last of `read`. */
  function goOn(place: number, read: number, next: number[]): void {
    const character = text[read - 1];
    const wanted = pattern[place];
    if (wanted !== '*') {
      const isMet = wanted === character || (wanted === '?' && character !== '/');
      if (isMet) comeTo(place + 1, read, next);
    } else if (isWholeFolder(place) && character !== '/') {
      // Inside a folder, which cannot end here.
      if (met[place] !== read) next.push(place);
      met[place] = read;
    } else if (pattern[place + 1] === '*' || character !== '/') comeTo(place, read, next);
  }

  /** Reaches a position; a wildcard may stand for nothing, so the one after it is reached too. */
  function comeTo(from: number, read: number, next: number[]): void {
    for (let place = from; met[place] !== read; ) {
      met[place] = read;
      next.push(place);
      if (pattern[place] !== '*') return;
      place += pattern[place + 1] !== '*' ? 1 : isWholeFolder(place) ? 3 : 2;
    }
  }

  function isWholeFolder(place: number): boolean {
    return pattern.startsWith('**/', place) && (place === 0 || pattern[place - 1] === '/');
  }
}

/**
 * Whether a cited path matches `--file`: the file itself, a file in that folder, or one that matches the glob
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
