import { GitMemError } from '../errors.ts';
import { citesFile, matchesGlob } from './glob.ts';

// A guard's pattern names files, or a command: `db/migrations/**`, `*.sql`; `terraform`, `npm publish`, `git push*--force*`.

/** Longest pattern, in characters: paths and commands are shorter, and each is compared with every command. */
const MOST = 200;

/** Fewest plain characters of a pattern: one alone, as in `*a*`, would match nearly everything. */
const LEAST = 2;

/** Throws bad-input for a pattern that would guard everything or nothing. */
export function requirePattern(pattern: string): void {
  const plain = pattern.replace(/[*?/.\s]/g, '').length;
  if (plain >= LEAST && pattern.length <= MOST) return;
  throw new GitMemError('bad-input', `${JSON.stringify(pattern.slice(0, MOST))} cannot be used as a guard pattern.`, {
    hint: 'Name files such as "db/migrations/**" or "*.sql", or the beginning of a command such as "npm publish".',
  });
}

/** Whether a changed file, by its path in the repository, is guarded. */
export function guardsFile(pattern: string, path: string): boolean {
  return citesFile(path, pattern);
}

/**
 * Whether a simple command is guarded: by its program if the pattern is one word, else by its beginning, in which `*`
 * stands for anything.
 */
export function guardsCommand(pattern: string, command: string): boolean {
  const line = command.replace(/\s+/g, ' ').trim();
  const wanted = pattern.replace(/\s+/g, ' ').trim();
  if (!wanted.includes(' ')) return matchesGlob(wanted, line.split(' ')[0] ?? '');
  const glob = wanted.replace(/ \*+$/, '').replace(/\*+/g, '**');
  return matchesGlob(glob, line) || matchesGlob(`${glob} **`, line);
}

/** Characters that no host escapes or splits in an event. */
const PLAIN = /[A-Za-z0-9._-]+/g;

/** A word that is in every event that the pattern matches; undefined if there is none. */
export function wordOf(pattern: string): string | undefined {
  const words = [...pattern.matchAll(PLAIN)].flatMap(({ 0: word, index }) => {
    const isPart = /[*?]/.test(`${pattern[index - 1] ?? ''}${pattern[index + word.length] ?? ''}`);
    return isPart || /^\.+$/.test(word) ? [] : [word];
  });
  return words.sort((a, b) => b.length - a.length)[0];
}
