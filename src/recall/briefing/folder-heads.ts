import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createFolder } from '../../memory/store/create-folder.ts';
import { greatestFirst } from '../../memory/store/greatest-first.ts';
import { byTime, type FolderHead, openSource, type RecordFiles } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { tallyPath } from './tally.ts';

/** By store and folder: its times then, in milliseconds, and its newest names. */
type Notes = Map<string, [modifiedMs: number, changedMs: number, names: string[]]>;

/** Names of a folder that are noted, the newest: more than a session start chooses from. A smaller folder is listed. */
const MOST = 300;

/** A folder that was changed so recently may change again within the same tick of its file system's clock. */
const SETTLED_MS = 2000;

/**
 * A workspace whose folders tell their newest names without being listed where nothing came or went since: to list the
 * twenty thousand files that a branch may bring takes longer than all else that a session start does. Names are read once,
 * so it is for work that is over soon. `note` keeps what was listed for the next time; the notes may be removed at any time.
 */
export function withFolderHeads(workspace: Workspace, nowMs = Date.now()): { workspace: Workspace; note: () => void } {
  const { stores, format, checkout, layout, at } = workspace;
  // A commit of the past has no folders that could change.
  if (at !== undefined) return { workspace, note: () => undefined };
  const path = tallyPath(layout.state, checkout, 'heads');
  const before = readNotes(path);
  const now: Notes = new Map();
  let isNews = false;

  function filesWithHeads({ name, files }: Store): RecordFiles {
    const listed = new Map<string, string[]>();
    const names = (folder: string) => {
      const found = listed.get(folder) ?? files.names(folder);
      listed.set(folder, found);
      return found;
    };
    const head = (folder: string): FolderHead => {
      const key = `${name}/${folder}`;
      // Looked at before the names are: what comes in between is found the next time.
      const { modifiedMs, changedMs } = files.state(folder) ?? { modifiedMs: nowMs, changedMs: nowMs };
      const known = before.get(key);
      if (known?.[0] === modifiedMs && known[1] === changedMs) {
        now.set(key, known);
        return { names: known[2], isAll: false };
      }
      const all = names(folder);
      if (all.length <= MOST) return { names: all, isAll: true };
      const newest = newestOf(all);
      if (nowMs - Math.max(modifiedMs, changedMs) > SETTLED_MS) now.set(key, [modifiedMs, changedMs, newest]);
      isNews ||= now.has(key);
      return { names: newest, isAll: false };
    };
    return { names, head, state: files.state, bytes: files.bytes };
  }

  const withHeads = (store: Store): Store => ({ ...store, ...openSource(store.name, filesWithHeads(store), format) });
  return {
    workspace: { ...workspace, stores: { team: withHeads(stores.team), private: withHeads(stores.private) } },
    note: () => {
      if (isNews) writeNotes(path, now);
    },
  };
}

function newestOf(names: string[]): string[] {
  const newest: string[] = [];
  for (const key of greatestFirst(names.map(byTime))) {
    newest.push(key.slice(key.indexOf('/') + 1));
    if (newest.length === MOST) break;
  }
  return newest;
}

function readNotes(path: string): Notes {
  const notes: Notes = new Map();
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    for (const folder of Array.isArray(value) ? value : []) {
      const [key, modifiedMs, changedMs, ...names]: unknown[] = Array.isArray(folder) ? folder : [];
      if (typeof key !== 'string' || typeof modifiedMs !== 'number' || typeof changedMs !== 'number') continue;
      notes.set(key, [modifiedMs, changedMs, names.filter((name) => typeof name === 'string')]);
    }
    return notes;
  } catch {
    return new Map(); // Absent or half written: everything is listed.
  }
}

function writeNotes(path: string, notes: Notes): void {
  const listed = [...notes].map(([key, [modifiedMs, changedMs, names]]) => [key, modifiedMs, changedMs, ...names]);
  try {
    createFolder(dirname(path), 0o700);
    writeFileSync(path, JSON.stringify(listed), { mode: 0o600 });
  } catch {
    // No room or no right to write: the next session start lists again.
  }
}
