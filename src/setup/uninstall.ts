import { isUtf8 } from 'node:buffer';
import { dirname } from 'node:path';
import { requireUnchanged } from './init.ts';
import { originalOf } from './originals.ts';
import { deleteFile, deleteIfEmpty, type Place, readBytes, writeBytes } from './place.ts';
import type { SetupFile } from './setup-file.ts';

/** What `uninstall` does to one existing file. */
export interface UninstallStep {
  path: string;
  /** `restored`: its earlier bytes are back; `updated`: our part was removed. */
  action: 'removed' | 'restored' | 'updated' | 'kept';
  note?: string;
  before: Buffer;
  /** Undefined if the file is deleted. */
  after: Buffer | undefined;
  /** The outermost parent folder that is deleted too once it is empty. */
  emptied: string | undefined;
}

/** Plans what to remove without changing anything. Throws bad-settings, cannot-write. */
export function planUninstall(place: Place, files: SetupFile[]): UninstallStep[] {
  return files.flatMap((file) => planFile(place, file) ?? []);
}

/** Executes the plan. Records are not part of any plan. Throws cannot-write, busy. */
export function applyUninstall({ root }: Place, plan: UninstallStep[]): void {
  const steps = plan.filter(({ action }) => action !== 'kept');
  for (const { path, before } of steps) requireUnchanged(root, path, before);
  for (const { path, after } of steps) {
    if (after === undefined) deleteFile(root, path);
    else writeBytes(root, path, after, false);
  }
  deleteIfEmpty(root, '.memory');
  for (const { path, emptied } of steps) {
    if (emptied === undefined) continue;
    for (let at = dirname(path); at.startsWith(emptied); at = dirname(at)) deleteIfEmpty(root, at);
  }
}

function planFile({ root, state }: Place, file: SetupFile): UninstallStep | undefined {
  const { path } = file;
  const before = readBytes(root, path);
  if (before === undefined) return undefined;
  const original = originalOf(state, path, before);
  if (original?.bytes) return { path, action: 'restored', before, after: original.bytes, emptied: undefined };
  if (original) return { path, action: 'removed', before, after: undefined, emptied: original.newFolder };

  // Changed since, or set up by a colleague: only our own part is removed.
  const text = isUtf8(before) ? before.toString('utf8') : undefined;
  const rest = text === undefined ? text : file.remove(text);
  if (text !== undefined && rest === undefined) {
    const [folder] = path.split('/', 1);
    return { path, action: 'removed', before, after: undefined, emptied: folder === path ? undefined : folder };
  }
  if (rest === text || rest === undefined) {
    if (!file.isOurs) return undefined;
    const note = 'changed since; delete it yourself if nobody needs it';
    return { path, action: 'kept', note, before, after: before, emptied: undefined };
  }
  return { path, action: 'updated', before, after: Buffer.from(rest), emptied: undefined };
}
