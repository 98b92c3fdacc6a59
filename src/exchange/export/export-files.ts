import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GitMemError, messageOf } from '../../errors.ts';
import { canonical } from '../../memory/canonical.ts';
import { encode } from '../../memory/codec.ts';
import { storePath } from '../../memory/file-name.ts';
import { isContent, type MemoryRecord, oneLine } from '../../memory/record.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { sanitiseForTerminal } from '../../privacy/sanitise.ts';
import { realPlace } from '../import/place.ts';
import { withSection } from './agents-section.ts';

/**
 * Writes a bundle into a new or empty folder, readable by its owner only, because it includes private records. Throws
 * cannot-write.
 */
export function writeBundle(folder: string, records: MemoryRecord[]): void {
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      // A bundle written over another one would keep files that were left out since.
      throw new GitMemError('cannot-write', `${folder} is not empty.`, { hint: 'Name a new folder.' });
    }
    createFolder(folder, 0o700);
    for (const { path, text } of okfBundle(records)) {
      createFolder(dirname(join(folder, path)), 0o700);
      writeFileSync(join(folder, path), text, { mode: 0o600, flag: 'wx' });
    }
  } catch (error) {
    throw error instanceof GitMemError ? error : unwritable(folder, error);
  }
}

/**
 * Writes git-mem's section into a file, or removes it if there are no lines; a file with no other content is deleted.
 * Tells whether anything changed. Throws bad-input, cannot-write.
 */
export function writeSection(path: string, lines: string[], workspace: Workspace): boolean {
  const isThere = existsSync(path);
  // A link within the repository is written through: AGENTS.md is often a link to CLAUDE.md.
  const real = isThere ? realPlace(path, workspace) : path;
  try {
    const before = isThere ? readFileSync(real) : Buffer.alloc(0);
    const after = withSection(before, lines);
    if (after.equals(before)) return false;
    if (after.length === 0) rmSync(real);
    else replaceFile(real, after, isThere ? statSync(real).mode & 0o777 : 0o644);
    return true;
  } catch (error) {
    throw error instanceof GitMemError ? error : unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  return new GitMemError('cannot-write', `${path} cannot be written: ${messageOf(error)}.`, { cause: error });
}

/**
 * Records as a bundle of the Open Knowledge Format 0.2: their own files, and an index of each folder. Source:
 * https://github.com/GoogleCloudPlatform/open-knowledge-format, SPEC.md.
 */
function* okfBundle(records: MemoryRecord[]): Generator<{ path: string; text: string }> {
  const folders = new Map<string, string[]>();
  for (const record of records) {
    const path = storePath(record);
    // The format requires a type in every file, and prompts have none.
    const typed = record.kind === 'prompt' ? { ...record, extra: { ...record.extra, type: 'prompt' } } : record;
    yield { path, text: encode(canonical(typed)) };
    const [folder = ''] = path.split('/');
    const list = folders.get(folder) ?? [];
    list.push(`* [${label(record)}](${path.slice(folder.length + 1)})`);
    folders.set(folder, list);
  }
  for (const [folder, lines] of folders) {
    yield { path: `${folder}/index.md`, text: `# ${folder}\n\n${lines.join('\n')}\n` };
  }
  const names = [...folders].map(([folder, lines]) => `* [${folder}](${folder}/index.md) - ${lines.length}`);
  yield { path: 'index.md', text: `---\nokf_version: "0.2"\n---\n\n# Memory\n\n${names.join('\n')}\n` };
}

function label(record: MemoryRecord): string {
  const words = isContent(record) ? record.title : `${record.kind} ${record.id}`;
  return oneLine(sanitiseForTerminal(words)).replace(/[[\]<>\\]/g, ' ');
}
