/** One file that setting up puts into a checkout or adds to: text in, text out, nothing is read or written. */
export interface SetupFile {
  /** From the top of the worktree, with forward slashes. */
  path: string;
  executable: boolean;
  /** Whether others write into it as well. */
  isShared: boolean;
  /** What every version of this file has in it, where older ones differ from somebody else's file. */
  mark?: string;
  /**
   * The text with our part in it. `current` is undefined where there is no file; `isAsWritten` says that it still has
   * the bytes that an earlier set-up gave it. Throws bad-settings.
   */
  add(current: string | undefined, isAsWritten: boolean): string;
  /** The text without our part: undefined where nothing else is left, `current` where nothing of it is ours to take. */
  remove(current: string): string | undefined;
  /** The parts of ours that are absent or outdated, by name; none when all is well. */
  missing(current: string): string[];
}

/** A program that is ours as a whole: brought up to date whatever it says. */
export function ownProgram(path: string, content: string, mark: string): SetupFile {
  return {
    path,
    executable: true,
    isShared: false,
    mark,
    add: () => content,
    remove: (current) => (current === content ? undefined : current),
    missing: (current) => (current === content ? [] : [path]),
  };
}

/**
 * A file that is ours as a whole: brought up to date as long as it carries our mark. A program's mark is its second line:
 * one of somebody else may well mention git-mem.
 */
export function ownFile(path: string, content: string): SetupFile {
  const executable = content.startsWith('#!');
  const [, mark = ''] = content.split('\n');
  const isOurs = (text: string) =>
    executable ? text.split(/\r?\n/).includes(mark) : text.includes('git-mem') || text.includes('.memory/hook');
  return {
    path,
    executable,
    isShared: true,
    add: (current) => (current === undefined || isOurs(current) ? content : current),
    remove: (current) => (isOurs(current) ? undefined : current),
    missing: (current) => (current === content ? [] : [path]),
  };
}

/** Two parts of ours in one file. */
export function joined(first: SetupFile, second: SetupFile): SetupFile {
  return {
    path: first.path,
    executable: first.executable || second.executable,
    isShared: first.isShared || second.isShared,
    add: (current, isAsWritten) => second.add(first.add(current, isAsWritten), isAsWritten),
    remove(current) {
      const rest = first.remove(current);
      return rest === undefined ? undefined : second.remove(rest);
    },
    missing: (current) => [...first.missing(current), ...second.missing(current)],
  };
}

/**
 * A file that becomes the people's once it is there: brought up to date only as long as nobody changed it. With
 * `choices`, the contents that somebody could choose from, it is never touched again: an update could undo the choice.
 */
export function startingFile(path: string, content: string, choices?: string[]): SetupFile {
  return {
    path,
    executable: false,
    isShared: false,
    add: (current, isAsWritten) =>
      current === undefined || (isAsWritten && choices === undefined) ? content : current,
    remove: (current) => (current === content || choices?.includes(current) ? undefined : current),
    missing: () => [],
  };
}

/** Changes text behind a byte order mark: some editors on Windows put one first, and it is no JSON. */
export function keepingMark(text: string, change: (text: string) => string): string {
  return text.startsWith('\ufeff') ? `\ufeff${change(text.slice(1))}` : change(text);
}
