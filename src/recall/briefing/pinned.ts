import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { idInName } from '../../memory/file-name.ts';
import { isId } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { folderStamp } from '../../memory/store/stamp.ts';
import type { Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { filesOf } from './newest.ts';
import { tallyPath } from './tally.ts';

/** Where some records lie, as far as folders did not change since. */
interface Notes {
  ids: Set<string>;
  /** By store and folder: its stamp then, and the names of those of the records that it held. */
  folders: Map<string, { stamp: string; names: string[] }>;
}

/** More are noted only where so many are asked for at once: those that are pinned no longer are forgotten this way. */
const MOST = 500;

/**
 * The observations and summaries of these ids, however old. Where they lie is noted, because the names of a hundred
 * thousand others take longer to read than all else that a session start does: only folders that changed since are looked
 * into again. The notes may be removed at any time.
 */
export function filesWithIds(workspace: Workspace, ids: ReadonlySet<string>, nowMs = Date.now()): StoredFile[] {
  if (ids.size === 0) return [];
  const { stores, checkout, layout, at } = workspace;
  // A commit of the past has no folders that could change.
  const path = at === undefined ? tallyPath(layout.state, checkout, 'pinned') : undefined;
  const before = readNotes(path);
  const isKnown = [...ids].every((id) => before.ids.has(id));
  const now: Notes = {
    ids: isKnown ? before.ids : new Set([...ids, ...(before.ids.size < MOST ? before.ids : [])]),
    folders: new Map(),
  };
  let isNews = !isKnown;
  const namesIn = (store: Store, folder: string) => {
    const key = `${store.name}/${folder}`;
    // Looked at before the names are: what comes in between is found the next time.
    const stamp = folderStamp(store.files.state(folder), nowMs);
    const known = isKnown ? before.folders.get(key) : undefined;
    const isSame = stamp !== undefined && known?.stamp === stamp;
    const names = isSame ? known.names : store.files.names(folder).filter((name) => now.ids.has(idInName(name)));
    if (stamp !== undefined) now.folders.set(key, { stamp, names });
    isNews ||= !isSame && stamp !== undefined;
    return names;
  };
  const lists = [stores.team, stores.private].map((store) => {
    return { store, listing: store.list(['observation', 'summary'], (folder) => namesIn(store, folder)) };
  });
  const files = filesOf(lists, (name) => ids.has(idInName(name)));
  if (isNews && path !== undefined) writeNotes(path, now);
  return files;
}

function readNotes(path: string | undefined): Notes {
  const notes: Notes = { ids: new Set(), folders: new Map() };
  try {
    const value: unknown = JSON.parse(path === undefined ? '{}' : readFileSync(path, 'utf8'));
    const { ids, folders } = { ids: [], folders: [], ...(typeof value === 'object' ? value : {}) };
    for (const folder of folders) {
      const [key, stamp, ...names]: unknown[] = Array.isArray(folder) ? folder : [];
      if (typeof key !== 'string' || typeof stamp !== 'string') continue;
      notes.folders.set(key, { stamp, names: names.filter((name) => typeof name === 'string') });
    }
    for (const id of ids) if (typeof id === 'string' && isId(id)) notes.ids.add(id);
    return notes;
  } catch {
    return { ids: new Set(), folders: new Map() }; // Absent or half written: everything is listed.
  }
}

function writeNotes(path: string, { ids, folders }: Notes): void {
  const listed = [...folders].map(([key, { stamp, names }]) => [key, stamp, ...names]);
  try {
    createFolder(dirname(path), 0o700);
    writeFileSync(path, JSON.stringify({ ids: [...ids], folders: listed }), { mode: 0o600 });
  } catch {
    // No room or no right to write: the next session start lists again.
  }
}
