import { bareName } from '../slashes.ts';

/** Longest file, folder or glob of a filter, in characters: the database compares it with every path. */
const LONGEST = 300;

/** Files, folders and globs as `--file` takes them, as regular expressions of PostgreSQL. */
export function filePatterns(files: readonly string[]): string[] {
  return files.map((file) => {
    const place = bareName(file.slice(0, LONGEST));
    if (place === '' || place === '.') return '';
    // A glob without a folder matches in any folder; what matches a folder matches everything in it.
    const start = /[*?]/.test(place) && !place.includes('/') ? '(^|/)' : '^';
    return `${start}${expressionOf(place)}(/|$)`;
  });
}

function expressionOf(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|[*?]|[^\w/]/g, (part) => {
    if (part === '**/') return '(.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
}
