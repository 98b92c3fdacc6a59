/** Guesses what a plain shell line reads from its words: good enough for what agents type, but not a shell parser. */

const READERS = /^(?:cat|head|tail|less|more|bat|nl|wc|grep|egrep|rg|ag|sed -n|awk|jq|diff|file|strings|xxd|type)\b/u;

/** The first word of a search is what it looks for, not where. */
export const SEARCHES = /^(?:grep|egrep|rg|ag|sed|awk|jq)\b/u;

/** The files that a shell line is about to read, as it names them; a `cd` before them counts. */
export function commandReads(line: string): string[] {
  const found = new Set<string>();
  let folder = '';
  for (const part of partsOfLine(line)) {
    const target = /^cd\s+["']?([^\s"']{1,400})["']?$/u.exec(part)?.[1];
    if (target !== undefined) folder = target.startsWith('/') ? target : join(folder, target);
    else for (const path of readPaths(part)) found.add(join(folder, path));
  }
  return [...found];
}

/** The simple commands of a shell line, split at pipes too, without environment, redirections and prefixes such as `sudo`. */
export function partsOfLine(line: string): string[] {
  // Beyond this length, a line is mostly the text of a file that it writes.
  const [script = ''] = line.slice(0, 4000).split(/<<-?\s*['"]?\w+/u);
  return script
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gsu, (quoted) => quoted.replace(/[;&|\n]/gu, ' '))
    .split(/&&|\|\||;|\n|(?<!\|)\|(?!\|)|\bdo\b|\bthen\b/u)
    .map((part) =>
      part
        .replace(/\s\d?>{1,2}\s?(?:&\d|\S+)/gu, '')
        .replace(/^\s*(?:(?:time|env|sudo|exec|timeout \S+|[A-Z_][A-Z0-9_]*=\S*)\s+)+/u, '')
        .trim(),
    )
    .filter(Boolean);
}

/** The same, plus the commands inside its nested shells and substitutions. */
export function allPartsOfLine(line: string): string[] {
  const inner = [...line.slice(0, 4000).matchAll(NESTED)].flatMap(
    ([, , script, substituted]) => script ?? substituted ?? [],
  );
  return [line, ...inner].flatMap(partsOfLine);
}

/** `sh -c "..."`, `$(...)`: captures the script of the first, the line of the second. */
const NESTED = /\b(?:ba|da|z)?sh\s{1,4}-\w{0,3}c\s{1,4}(["'])((?:(?!\1)[^\\]|\\.){0,2000})\1|\$\(([^()]{1,400})\)/gsu;

/** The revisions whose files or messages a git command prints or takes into the worktree, as it names them. */
export function revisionsShown(part: string): string[] {
  const [, rest] = SHOWING.exec(part) ?? [];
  const words = rest?.split(/\s+/u) ?? [];
  const end = words.indexOf('--');
  return words
    .slice(0, end < 0 ? undefined : end)
    .map((word) => word.replace(/^['"]|['"]$/gu, '').replace(/^--source=/u, ''))
    .filter((word) => !word.startsWith('-'))
    .flatMap((word) => word.replace(/:.*$/su, '').split(/\.{2,3}/u))
    .filter(
      (word) => /^[\p{L}\p{N}_@][\p{L}\p{N}_@{}~^./+-]*$/u.test(word) && !/^(?:HEAD|@)(?![\p{L}\p{N}_{])/u.test(word),
    );
}

const SHOWING =
  /^git\s+(?:-C\s+\S+\s+)?(?:show|diff|log|blame|annotate|cat-file|grep|checkout|restore|archive|cherry-pick)\s+(.{1,2000})$/su;

/** Tells whether a simple command reads files and prints them. */
export function isReader(part: string): boolean {
  return READERS.test(part);
}

/** The files that a simple command reads and prints. */
export function readPaths(part: string): string[] {
  if (!isReader(part)) return [];
  const words = part
    .split(/\s+/u)
    .slice(1)
    .filter((word) => !word.startsWith('-'));
  const pattern = /^(?:"[^"]*"|'[^']*'|\S+)/u.exec(words.join(' '))?.[0] ?? '';
  const rest = SEARCHES.test(part) ? words.join(' ').slice(pattern.length) : words.join(' ');
  return pathsIn(part).filter((path) => rest.includes(path));
}

/** The words of a simple command that look like paths. */
export function pathsIn(part: string): string[] {
  return part
    .split(/\s+/u)
    .slice(1)
    .map((word) => word.replace(/^['"]|['"]$/gu, '').replace(/^\.\//u, ''))
    .filter(isPath);
}

/** A path as a shell line writes it: with an extension or a folder, without globs and options. */
function isPath(word: string): boolean {
  return (
    // Longer words are encoded data, not paths that somebody typed.
    word.length <= 200 &&
    /^\/?[\p{L}\p{N}_.@][\p{L}\p{N}_.@/+ -]*$/u.test(word) &&
    /\.[\p{L}\p{N}]{1,10}$|\/[\p{L}\p{N}_.-]+$/u.test(word) &&
    !/^\d+(?:\.\d+)*$|^\.{1,2}(?:\/|$)|\.\.|^(?:origin|upstream)\//u.test(word)
  );
}

function join(folder: string, path: string): string {
  return folder === '' || path.startsWith('/') ? path : `${folder}/${path}`;
}
