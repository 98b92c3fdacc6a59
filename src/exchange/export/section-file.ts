import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { GitMemError, messageOf } from '../../errors.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { realPlace } from '../import/place.ts';
import { withSection } from './agents-section.ts';

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
