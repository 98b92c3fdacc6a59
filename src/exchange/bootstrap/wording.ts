import { clampPhrase } from '../../capture/extract/clamp.ts';
import { LIMITS } from '../../memory/record.ts';

/** A title that ends cleanly: the varying part is cut at a clause or a word, the fixed one stays. */
export function titled(before: string, varying: string): string {
  return `${before}${clampPhrase(varying, LIMITS.title - before.length)}`;
}

/** A path in at most `max` characters, keeping its end, because the file name tells most. */
export function shortPath(path: string, max: number): string {
  if (path.length <= max) return path;
  const parts = path.split('/');
  while (parts.length > 1 && parts.join('/').length > max - 2) parts.shift();
  const tail = parts.join('/');
  return tail.length <= max - 2 ? `…/${tail}` : `${tail.slice(0, max - 1)}…`;
}

/** Two paths within one width: one gets the room that the other, shorter one does not use. */
export function shortPaths(a: string, b: string, max: number): [string, string] {
  const half = Math.floor(max / 2);
  const ofA = Math.max(half, max - b.length);
  return [shortPath(a, ofA), shortPath(b, Math.max(half, max - shortPath(a, ofA).length))];
}

/** `a`, `a and b`, `a, b and c`, `a, b and 4 more`. */
export function listed(names: string[], most = 3): string {
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
