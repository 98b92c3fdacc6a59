import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { GitMemError } from '../errors.ts';
import { idOf } from '../memory/id.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { readJson } from '../memory/store/json-file.ts';
import { badSettings } from './json-edit.ts';
import { jsonIndent } from './json-indent.ts';
import { attempt, deleteFile, deleteIfEmpty, type Place, readBytes, requireFolder, writeBytes } from './place.ts';
import type { SetupFile } from './setup-file.ts';

/** What `init` does to one file. */
export interface InitStep {
  path: string;
  action: 'created' | 'updated' | 'unchanged';
  /** Why something is left unchanged. */
  note?: string;
  before: Buffer | undefined;
  after: Buffer;
  executable: boolean;
  /** What `uninstall` should restore. */
  original: Original;
}

/** Plans what each file needs without writing. Throws bad-settings, cannot-write. */
export function planInit(place: Place, files: SetupFile[]): InitStep[] {
  return files.map((file) => {
    const { path, executable = false } = file;
    const before = readBytes(place.root, path);
    if (before === undefined) requireFolder(place.root, path);
    const known = before && originalOf(place.state, path, before);
    const text = before && textOf(before, path);
    const after = Buffer.from(file.add(text, known !== undefined, jsonIndent(place.root, path)));
    const common = { path, before, after, executable };
    if (before === undefined || text === undefined) {
      return { ...common, action: 'created', original: { bytes: undefined, newFolder: newFolderOf(place.root, path) } };
    }
    const original = known ?? { bytes: bytesWithout(file, text, before), newFolder: undefined };
    if (!after.equals(before)) return { ...common, action: 'updated', original };
    const isTheirs = file.remove(text) === text;
    return { ...common, action: 'unchanged', original, ...(isTheirs && { note: 'yours, left as it is' }) };
  });
}

/** Executes the plan; a file's earlier content is saved first. Throws cannot-write, busy. */
export function applyInit({ root, state }: Place, plan: InitStep[]): void {
  const steps = plan.filter(({ action }) => action !== 'unchanged');
  requireUnchanged(root, steps);
  attempt(state, 'written', () => {
    for (const { path, after, original } of steps) keepOriginal(state, path, after, original);
  });
  for (const { path, after, executable } of steps) writeBytes(root, path, after, executable);
}

/** Throws busy if a file was changed between the plan and its execution. */
function requireUnchanged(root: string, steps: { path: string; before: Buffer | undefined }[]): void {
  for (const { path, before } of steps) {
    const now = readBytes(root, path);
    if (now === undefined ? before === undefined : before !== undefined && now.equals(before)) continue;
    throw new GitMemError('busy', `${path} was changed by somebody else just now.`, {
      hint: 'Run the command again. Nothing was written.',
    });
  }
}

/** The outermost folder that has to be created for a file. */
function newFolderOf(root: string, path: string): string | undefined {
  let outermost: string | undefined;
  for (let at = dirname(path); at !== '.' && !existsSync(join(root, at)); at = dirname(at)) outermost = at;
  return outermost;
}

/** The bytes to restore later; an outdated part of ours is left out, because restoring it helps no user. */
function bytesWithout(file: SetupFile, text: string, before: Buffer): Buffer | undefined {
  if (file.mark !== undefined && text.includes(file.mark)) return undefined;
  const rest = file.remove(text);
  return rest === text ? before : rest === undefined ? undefined : Buffer.from(rest);
}

function textOf(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw badSettings(`${path} is not UTF-8 text.`, 'Save it as UTF-8 and run the command again.');
  return bytes.toString('utf8');
}

/** What `uninstall` does to one existing file. */
interface UninstallStep {
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
export function planUninstall({ root, state }: Place, files: SetupFile[]): UninstallStep[] {
  return files.flatMap((file): UninstallStep[] => {
    const { path } = file;
    const before = readBytes(root, path);
    if (before === undefined) return [];
    const step = { path, before, after: undefined, emptied: undefined };
    const original = originalOf(state, path, before);
    if (original?.bytes) return [{ ...step, action: 'restored', after: original.bytes }];
    if (original) return [{ ...step, action: 'removed', emptied: original.newFolder }];

    // Changed since, or set up by a colleague: only our own part is removed.
    const text = isUtf8(before) ? before.toString('utf8') : undefined;
    const rest = text === undefined ? text : file.remove(text);
    if (text !== undefined && rest === undefined) {
      const [folder] = path.split('/', 1);
      return [{ ...step, action: 'removed', emptied: folder === path ? undefined : folder }];
    }
    if (rest !== text && rest !== undefined) return [{ ...step, action: 'updated', after: Buffer.from(rest) }];
    const note = 'changed since; delete it yourself if nobody needs it';
    return file.isOurs ? [{ ...step, action: 'kept', note, after: before }] : [];
  });
}

/** Executes the plan. Records are not part of any plan. Throws cannot-write, busy. */
export function applyUninstall({ root }: Place, plan: UninstallStep[]): void {
  const steps = plan.filter(({ action }) => action !== 'kept');
  requireUnchanged(root, steps);
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

/** A file's state before it was set up. */
interface Original {
  /** Undefined if there was no file. */
  bytes: Buffer | undefined;
  /** The outermost folder that was created for it, relative to the top of the worktree. */
  newFolder: string | undefined;
}

const schema = z.object({ path: z.string(), original: z.nullable(z.string()), new_folder: z.optional(z.string()) });

// Originals are looked up by the bytes that replaced them, not by worktree or branch: these mean the same in every
// checkout of the clone, and all checkouts share the state folder.

/** Keeps the content of a file before it is replaced by `written`. */
function keepOriginal(state: string, path: string, written: Uint8Array, { bytes, newFolder }: Original): void {
  const entry = { path, original: bytes?.toString('base64') ?? null, new_folder: newFolder };
  replaceFile(fileOf(state, path, written), `${JSON.stringify(entry satisfies z.infer<typeof schema>)}\n`);
}

/** The content of a file before it was replaced by `current`; undefined if somebody else wrote these bytes. */
function originalOf(state: string, path: string, current: Uint8Array): Original | undefined {
  // Damaged counts as missing: then only our own part is removed.
  const { data } = schema.safeParse(readJson(fileOf(state, path, current)));
  if (data === undefined) return undefined;
  return {
    bytes: data.original === null ? undefined : Buffer.from(data.original, 'base64'),
    newFolder: data.new_folder,
  };
}

function fileOf(state: string, path: string, written: Uint8Array): string {
  return join(state, 'init', `${idOf(path, createHash('sha256').update(written).digest('hex'))}.json`);
}
