import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitMemError } from '../errors.ts';
import { badSettings } from './json-edit.ts';
import { jsonIndent } from './json-indent.ts';
import { keepOriginal, type Original, originalOf } from './originals.ts';
import { attempt, type Place, readBytes, requireFolder, writeBytes } from './place.ts';
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
  return files.map((file) => planFile(place, file));
}

/** Executes the plan; a file's earlier content is saved first. Throws cannot-write, busy. */
export function applyInit(place: Place, plan: InitStep[]): void {
  const steps = plan.filter(({ action }) => action !== 'unchanged');
  for (const { path, before } of steps) requireUnchanged(place.root, path, before);
  attempt(place.state, 'written', () => {
    for (const { path, after, original } of steps) keepOriginal(place.state, path, after, original);
  });
  for (const { path, after, executable } of steps) writeBytes(place.root, path, after, executable);
}

/** Throws busy if a file was changed between the plan and its execution. */
export function requireUnchanged(root: string, path: string, before: Buffer | undefined): void {
  const now = readBytes(root, path);
  if (now === undefined ? before === undefined : before !== undefined && now.equals(before)) return;
  throw new GitMemError('busy', `${path} was changed by somebody else just now.`, {
    hint: 'Run the command again. Nothing was written.',
  });
}

function planFile(place: Place, file: SetupFile): InitStep {
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
}

/** The outermost folder that has to be created for a file. */
function newFolderOf(root: string, path: string): string | undefined {
  let outermost: string | undefined;
  for (let at = dirname(path); at !== '.' && !existsSync(join(root, at)); at = dirname(at)) outermost = at;
  return outermost;
}

/** The bytes to restore later; an outdated part of ours is left out, because nobody would want it back. */
function bytesWithout(file: SetupFile, text: string, before: Buffer): Buffer | undefined {
  if (file.mark !== undefined && text.includes(file.mark)) return undefined;
  const rest = file.remove(text);
  return rest === text ? before : rest === undefined ? undefined : Buffer.from(rest);
}

function textOf(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw badSettings(`${path} is not UTF-8 text.`, 'Save it as UTF-8 and run the command again.');
  return bytes.toString('utf8');
}
