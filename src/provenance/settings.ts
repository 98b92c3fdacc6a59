import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type LoadedConfig, loadConfig } from '../config.ts';
import { defaultBranches } from '../git/default-branch.ts';
import { readReference } from '../git/locate.ts';
import { runGitNow } from '../git/objects.ts';
import { isSparse } from '../git/shallow.ts';
import { fieldsOf } from '../json.ts';
import { existsSync, readFileSync } from '../looks.ts';
import { blobId } from '../memory/id.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { readNotes } from '../memory/store/json-file.ts';
import { noteAccepted, readLedgers } from '../memory/store/ledger.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isGreedy } from '../privacy/team-pattern.ts';

const CONFIG = '.memory/config.yaml';

/**
 * The settings that apply in a checkout: the team's as reviewed, then the user's own and the environment; all, or those
 * of some sections.
 */
export function loadSettings<Section extends keyof Config = keyof Config>(
  workspace: Workspace,
  sections?: readonly Section[],
): LoadedConfig<Section> {
  const { checkout, layout, env, format } = workspace;
  const isAccepted = (text: string) => readLedgers(workspace).has(blobId(Buffer.from(text), format));
  const loaded = loadConfig(layout.memory, env, { texts: reviewedTexts(workspace), isAccepted, isGreedy }, sections);
  const { capture }: Partial<Config> = loaded.config;
  // Files that a sparse checkout leaves out would make the user's `git add -A` fail.
  if (capture && isSparse(checkout.gitDir) && !existsSync(layout.memory)) capture.destination = 'private';
  return loaded;
}

/** One sentence on how this checkout's team file differs from the reviewed one; undefined if it does not. */
export function settingsNotice({ unreviewed }: Pick<LoadedConfig, 'unreviewed'>): string | undefined {
  if (unreviewed.length === 0) return undefined;
  const named = unreviewed.slice(0, 3).join(', ') + (unreviewed.length > 3 ? ` and ${unreviewed.length - 3} more` : '');
  return `${CONFIG} is not the reviewed one: ${named} ${unreviewed.length === 1 ? 'does' : 'do'} not count here.`;
}

/** How the user makes such a file count. */
export const SETTINGS_HINT =
  'Only stricter privacy counts before it is on the default branch. `git mem trust --branch` accepts it on this clone.';

/** Accepts this checkout's team file on this clone, if it is not the reviewed one; tells whether it did. */
export function acceptSettings(workspace: Workspace): boolean {
  const { layout, format, ledger } = workspace;
  if (loadSettings(workspace).unreviewed.length === 0) return false;
  const blob = blobId(readOrNothing(join(layout.memory, 'config.yaml')), format);
  noteAccepted(ledger, [{ blob, path: 'config.yaml', store: 'team' }]);
  return true;
}

function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0); // A branch without the file is accepted as one that sets nothing.
  }
}

/**
 * The team's settings on the default branches. Hooks ask at every event, so the answer is cached in the state folder
 * until a branch moves; that costs two git children.
 */
function reviewedTexts(workspace: Workspace): string[] {
  const { checkout, layout, env } = workspace;
  const branches = defaultBranches(workspace);
  if (branches.length === 0) return [];
  const commits = branches.map((branch) => readReference(checkout.commonDir, branch));
  const version = commits.includes(undefined) ? undefined : commits.join(' ');
  const path = join(layout.state, 'reviewed-settings.json');
  const kept = version === undefined ? undefined : readKept(path, version);
  if (kept !== undefined) return kept;
  const texts = branches.map((branch) => textIn(checkout.root, branch, env));
  // If git does not answer, nothing is known about what was reviewed.
  const known = texts.filter((text) => text !== undefined);
  if (version !== undefined && known.length === texts.length) keep(path, version, known);
  return known;
}

/** The file in a branch, empty if there is none; undefined if git does not answer. */
function textIn(root: string, branch: string, env: Workspace['env']): string | undefined {
  const listed = runGitNow(root, ['ls-tree', '--full-tree', branch, '--', CONFIG], env);
  const blob = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1];
  if (blob === undefined) return listed === undefined ? undefined : '';
  return runGitNow(root, ['cat-file', 'blob', blob], env);
}

function readKept(path: string, version: string): string[] | undefined {
  const { texts, version: of } = fieldsOf(readNotes(path));
  const all: unknown[] = Array.isArray(texts) ? texts : [];
  return of === version ? all.filter((text) => typeof text === 'string') : undefined;
}

function keep(path: string, version: string, texts: string[]): void {
  try {
    createFolder(join(path, '..'), 0o700);
    writeFileSync(path, JSON.stringify({ version, texts }), { mode: 0o600 });
  } catch {
    // No space, or no permission to write: git is asked each time.
  }
}
