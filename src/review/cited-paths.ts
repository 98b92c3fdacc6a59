import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { runGit } from '../git/objects.ts';
import { parseFileName } from '../memory/file-name.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { withoutEndSlashes } from '../slashes.ts';
import { readTemplate } from '../templates.ts';
import type { Environment } from '../user-folders.ts';
import { MEMORY, type MemoryFile } from './memory-tree.ts';
import { error, type Problem, warning } from './problem.ts';
import { type FiledRecord, isRecordPath } from './records.ts';

/** More paths are not looked up: a command line has a length limit. */
const MOST_PATHS = 400;

/** A long history takes its time, and CI waits; paths not resolved by then are not reported. In milliseconds. */
const PATIENCE_MS = 30_000;

/** Cited files that exist neither here nor anywhere in the history. */
export async function citedPathProblems(workspace: Workspace, records: FiledRecord[]): Promise<Problem[]> {
  const { checkout, env } = workspace;
  const cited = records.map((filed) => ({ filed, paths: citedPaths(filed) }));
  const absent = new Set(cited.flatMap(({ paths }) => paths).filter((path) => !isHere(checkout.root, path)));
  const outside = [...absent].filter((path) => !isInside(path));
  const asked = [...absent].filter(isInside).slice(0, MOST_PATHS);
  // A shallow clone does not know all files that ever existed.
  const isShallow = existsSync(join(checkout.commonDir, 'shallow'));
  const known = isShallow ? undefined : await pathsInHistory(asked, checkout.root, env);
  const unknown = new Set([...outside, ...(known === undefined ? [] : asked.filter((path) => !known(path)))]);
  return cited.flatMap(({ filed: { record, file }, paths }) => {
    const wrong = paths.filter((path) => unknown.has(path));
    return wrong.map((path) => {
      const message = `It cites ${JSON.stringify(path)}, which never was a file of this repository.`;
      return warning('cited-path', file.path, message, 'Correct the path, or leave it out.', record.id);
    });
  });
}

/** The files that a record is about, each once. */
export function citedPaths({ record }: FiledRecord): string[] {
  if (record.kind === 'observation') return [...new Set([...record.files_modified, ...record.files_read])];
  return record.kind === 'summary' ? [...new Set([...record.files_edited, ...record.files_read])] : [];
}

async function pathsInHistory(paths: string[], root: string, env: Workspace['env']) {
  if (paths.length === 0) return () => true;
  // Without renames, or a renamed file would be listed under its new name only. The index counts as history too.
  const log = ['log', '--all', '--full-history', '--no-renames', '--format=', '--name-only', '-z'];
  const ask = (args: string[]) =>
    runGit(root, ['--literal-pathspecs', ...args, '--', ...paths], env, { patienceMs: PATIENCE_MS });
  const outputs = await Promise.all([ask(log), ask(['ls-files', '-z'])]);
  if (outputs[0] === undefined) return undefined;
  const found = outputs.flatMap((output) => (output ?? '').split('\0'));
  const files = new Set(found);
  // A record may cite a folder.
  const folders = new Set(found.flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))));
  return (path: string) => files.has(path) || folders.has(withoutEndSlashes(path));
}

function isHere(root: string, path: string): boolean {
  return isInside(path) && !path.includes('\0') && existsSync(join(root, path));
}

function isInside(path: string): boolean {
  return !/^(?:[\\/]|[A-Za-z]:[\\/]|~)/.test(path) && !path.split('/').includes('..');
}

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
      : [warning('stray', path, 'It is named as a record is, in a folder that this git-mem does not read.', hint)];
  }
  if (path === LAUNCHER) return launcherProblems(file);
  return path === CONFIG && bytes !== undefined ? configProblems(bytes, env) : [];
}

/** It runs on the machine of everybody who has git-mem, at every event: nobody may replace it with another script. */
function launcherProblems({ path, kind, bytes }: MemoryFile): Problem[] {
  const isOurs = bytes?.toString('utf8').replaceAll('\r\n', '\n') === readTemplate('init/hook');
  if (!isOurs) {
    const hint = 'Read what it does now. `git mem init` writes the one of this version.';
    return [error('launcher', path, 'It is not the launcher of this version of git-mem.', hint)];
  }
  if (kind === 'program' || process.platform === 'win32') return [];
  return [warning('launcher', path, 'It is not executable.', 'git update-index --chmod=+x .memory/hook')];
}

/** Settings are read from a folder, and staged content is in none. */
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
