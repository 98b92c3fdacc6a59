import { usesBiome } from './json-indent.ts';

/** One file that `init` creates or adds to: text in, text out, nothing is read or written. */
export interface SetupFile {
  /** Relative to the top of the worktree, with forward slashes. */
  path: string;
  executable?: boolean;
  /** Whether nobody else writes to it. */
  isOurs?: boolean;
  /** Text in every version of this file, which distinguishes older versions from somebody else's file. */
  mark?: string;
  /** `isAsWritten`: the bytes of an earlier setup; `indent`: one step in a new JSON file. Throws bad-settings. */
  add(current: string | undefined, isAsWritten: boolean, indent?: string): string;
  /** The text without our part: undefined if nothing else is left, `current` if none of it is ours. */
  remove(current: string): string | undefined;
  /** Our parts that are missing or outdated, by name; none if all is well. */
  missing(current: string): string[];
  /** Whether somebody else's entry has the name of our part: it stays, and ours cannot be added. */
  isForeign?(current: string): boolean;
}

/** A program that is entirely ours: updated whatever it contains. */
export function ownProgram(path: string, content: string, mark: string): SetupFile {
  return {
    path,
    executable: true,
    isOurs: true,
    mark,
    add: () => content,
    remove: (current) => (current === content ? undefined : current),
    missing: (current) => (current === content ? [] : [path]),
  };
}

/** Updated as long as it has our mark; a program's is its second line, because somebody else's may mention git-mem. */
export function ownFile(path: string, content: string): SetupFile {
  const executable = content.startsWith('#!');
  const [, mark = ''] = content.split('\n');
  const isOurs = (text: string) =>
    executable ? text.split(/\r?\n/).includes(mark) : text.includes('git-mem') || text.includes('.memory/hook');
  const styled = (indent?: string) => (path.endsWith('.json') ? indented(content, '', indent) : content);
  return {
    path,
    executable,
    add: (current, _, indent) => (current === undefined || isOurs(current) ? styled(indent) : current),
    remove: (current) => (isOurs(current) ? undefined : current),
    missing: (current) => (flush(current) === flush(content) ? [] : [path]),
  };
}

/** Indents our JSON, which has two spaces, by `indent`; unchanged if the earlier text is indented, which `json` then follows. */
export function indented(json: string, earlier: string, indent = '  '): string {
  if (/\n[ \t]/.test(earlier.trim())) return json;
  return json.replace(/^(?: {2})+/gm, (all) => indent.repeat(all.length / 2));
}

function flush(text: string): string {
  return text.replace(/^\s+/gm, '');
}

/** Two parts of ours in one file. */
export function joined(first: SetupFile, second: SetupFile): SetupFile {
  return {
    path: first.path,
    executable: first.executable === true || second.executable === true,
    isOurs: first.isOurs === true && second.isOurs === true,
    add: (current, isAsWritten, indent) => second.add(first.add(current, isAsWritten, indent), isAsWritten, indent),
    remove(current) {
      const rest = first.remove(current);
      return rest === undefined ? undefined : second.remove(rest);
    },
    missing: (current) => [...first.missing(current), ...second.missing(current)],
    isForeign: (current) => first.isForeign?.(current) === true || second.isForeign?.(current) === true,
  };
}

/** The users' file once it exists: updated only while unchanged, and with `choices` never; removed only as we wrote it. */
export function startingFile(path: string, content: string, choices?: string[]): SetupFile {
  return {
    path,
    isOurs: true,
    add: (current, isAsWritten) =>
      current === undefined || (isAsWritten && choices === undefined) ? content : current,
    remove: (current) => (current === content || choices?.includes(current) ? undefined : current),
    missing: () => [],
  };
}

/** Keeps Biome out of a folder, only where the repository uses it, because editors take the file as a sign of Biome. */
export function biomeOff(folder: string, root?: string): SetupFile[] {
  if (root !== undefined && !usesBiome(root)) return [];
  return [startingFile(`${folder}/biome.json`, '{ "root": false, "files": { "includes": ["!**"] } }\n')];
}

/** Our lines with the line endings of the file that they are in. */
export function nativeLines(lines: string, current: string): string {
  return current.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}

/** Changes text after a byte order mark: some editors on Windows put one first, and it is not valid JSON. */
export function keepingMark(text: string, change: (text: string) => string): string {
  return text.startsWith('\ufeff') ? `\ufeff${change(text.slice(1))}` : change(text);
}
