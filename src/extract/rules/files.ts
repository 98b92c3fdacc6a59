import { isReader, partsOfLine, pathsIn, readPaths } from '../../agents/shell-reads.ts';
import type { Turn, TurnCall } from '../turn.ts';

/** What a turn did to files. Repository-relative POSIX paths, in the order of first touch. */
export interface Touched {
  read: string[];
  modified: string[];
  /** Written as new, as far as the calls tell. */
  created: string[];
  moved: boolean;
  deleted: boolean;
}

/** The files that a turn read and modified, shell commands included where they are plain. */
export function touchedBy(turn: Turn): Touched {
  const read = new Set<string>();
  const modified = new Set<string>();
  const created = new Set<string>();
  let [moved, deleted] = [false, false];
  for (const call of turn.calls) {
    if (call.ok === false && call.action !== 'command') continue;
    const into =
      call.action === 'read' ? read : ['edit', 'write', 'delete'].includes(call.action) ? modified : undefined;
    for (const path of into ? call.paths : []) {
      if (call.action === 'write' && !read.has(path) && !modified.has(path)) created.add(path);
      into?.add(path);
    }
    if (call.action === 'delete') deleted = true;
    for (const part of partsOfLine(call.command ?? '')) {
      const shell = shellFiles(part);
      if (call.ok === false && !isReader(part)) continue;
      for (const path of shell.read) read.add(path);
      for (const path of shell.modified) modified.add(path);
      moved ||= shell.moved;
      deleted ||= shell.deleted;
    }
  }
  return { read: [...read], modified: [...modified], created: [...created], moved, deleted };
}

function shellFiles(part: string): Pick<Touched, 'read' | 'modified' | 'moved' | 'deleted'> {
  // Paths in the repository are relative by now; an absolute one is outside.
  const paths = () => pathsIn(part).filter((path) => !path.startsWith('/'));
  const none = { read: [], modified: [], moved: false, deleted: false };
  if (/^(?:git )?mv\b/u.test(part)) return { ...none, modified: paths(), moved: true };
  if (/^(?:git )?rm\b/u.test(part)) return { ...none, modified: paths(), deleted: true };
  if (/^(?:sed|perl)\s+(?:-\w+\s+)*-\w*i/u.test(part)) return { ...none, modified: paths() };
  if (/^cp\b/u.test(part)) return { ...none, modified: paths().slice(-1) };
  return { ...none, read: readPaths(part).filter((path) => !path.startsWith('/')) };
}

/** Those of `files` that a text is about: named in it, or edited where its identifiers stand; all where that cannot be told. */
export function filesAbout(files: string[], text: string, identifiers: Set<string>, calls: TurnCall[]): string[] {
  const named = files.filter((path) => mentions(text, path));
  const edited = files.filter((path) => !named.includes(path) && editsHold(calls, path, identifiers));
  const about = named.length > 0 && edited.length > 4 ? named : [...named, ...edited];
  return about.length > 0 ? files.filter((path) => about.includes(path)) : files;
}

/** The modified files that a side topic is about; none where it names only files that were read. */
export function modifiedAbout(
  { modified, read }: Touched,
  text: string,
  identifiers: Set<string>,
  calls: TurnCall[],
): string[] {
  const namesRead = read.some((path) => !modified.includes(path) && mentions(text, path));
  const isAbout = modified.some((path) => mentions(text, path) || editsHold(calls, path, identifiers));
  return namesRead && !isAbout ? [] : filesAbout(modified, text, identifiers, calls);
}

/** True where a text names the file by its path or its base name. */
function mentions(text: string, path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return (
    text.includes(path) ||
    (base.length > 3 &&
      new RegExp(`(?<![\\w-])${base.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\\w-])`, 'u').test(text))
  );
}

function editsHold(calls: TurnCall[], path: string, identifiers: Set<string>): boolean {
  return calls.some(({ paths, change }) => {
    if (!change || !paths.includes(path)) return false;
    const text = `${change.removed.slice(0, 20_000)}\n${change.added.slice(0, 20_000)}`;
    return [...identifiers].some((identifier) => identifier.length > 3 && text.includes(identifier));
  });
}
