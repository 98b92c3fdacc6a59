import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { parseFileName } from '../memory/file-name.ts';
import { readTemplate } from '../templates.ts';
import type { Environment } from '../user-folders.ts';
import { MEMORY, type MemoryFile } from './memory-tree.ts';
import { error, type Problem, warning } from './problem.ts';
import { isRecordPath } from './records.ts';

const LAUNCHER = `${MEMORY}/hook`;
/** The team's settings. */
export const CONFIG = `${MEMORY}/config.yaml`;
/** What `init` writes, and other tools' settings for this folder. */
const BELONGING = /^\.memory\/(?:\.[^/]+|README\.md|biome\.json|config\.yaml|hook)$/;

/** Problems of a file in `.memory/` that is not a record. */
export function fileProblems(file: MemoryFile, env: Environment): Problem[] {
  const { path, kind, bytes } = file;
  if (isRecordPath(path)) return [];
  if (kind === 'unmerged') {
    return [error('conflict', path, 'It has a merge conflict in it.', 'Resolve it, then stage the file.')];
  }
  if (kind === 'link' || kind === 'other') {
    return [error('link', path, 'It is not a regular file.', 'Put the file itself there, or delete it.')];
  }
  if (!BELONGING.test(path)) {
    const hint = 'Update git-mem if a newer one wrote it, otherwise move it to the folder of its kind.';
    return parseFileName(path) === undefined
      ? [warning('stray', path, 'It does not belong there, and nothing reads it.', 'Move it elsewhere.')]
      : [warning('stray', path, 'It is named like a record, in a folder that this git-mem does not read.', hint)];
  }
  if (path === LAUNCHER) return launcherProblems(file);
  return path === CONFIG && bytes !== undefined ? configProblems(bytes, env) : [];
}

/** It runs at every event on the machine of everybody who has git-mem, so no change may replace it with another script. */
function launcherProblems({ path, kind, bytes }: MemoryFile): Problem[] {
  const isOurs = bytes?.toString('utf8').replaceAll('\r\n', '\n') === readTemplate('init/hook');
  if (!isOurs) {
    const hint = 'Read what it does now. `git mem init` writes the one of this version.';
    return [error('launcher', path, 'It is not the launcher of this version of git-mem.', hint)];
  }
  if (kind === 'program' || process.platform === 'win32') return [];
  return [warning('launcher', path, 'It is not executable.', 'git update-index --chmod=+x .memory/hook')];
}

/** Settings are read from a folder, so the content, which may only be staged, is written to a temporary one. */
function configProblems(bytes: Buffer, env: Environment): Problem[] {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-config-'));
  try {
    writeFileSync(join(folder, 'config.yaml'), bytes);
    // The user's own settings and the environment must not affect the check of the team's.
    const { HOME, XDG_CONFIG_HOME } = env;
    const { warnings } = loadConfig(folder, { HOME, XDG_CONFIG_HOME });
    const team = warnings.filter((text) => /^team setting|in the team file/.test(text) || text.startsWith(folder));
    const named = team.map((text) => text.replace(join(folder, 'config.yaml'), CONFIG));
    return named.map((text) => warning('config', CONFIG, text, 'Correct that setting.'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
