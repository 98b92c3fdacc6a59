import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import { defaultBranches } from '../git/default-branch.ts';
import { readReference } from '../git/locate.ts';
import { runGitNow } from '../git/objects.ts';
import { blobId } from '../memory/id.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { noteAccepted, readLedgers } from '../memory/store/ledger.ts';
import type { Workspace } from '../memory/store/workspace.ts';

const CONFIG = '.memory/config.yaml';

/** The settings that hold in a checkout: the team's as they were reviewed, then the user's own and the environment. */
export function loadSettings(workspace: Workspace): LoadedConfig {
  const { layout, env, format } = workspace;
  const isAccepted = (text: string) => readLedgers(workspace).has(blobId(Buffer.from(text), format));
  return loadConfig(layout.memory, env, { texts: reviewedTexts(workspace), isAccepted });
}

/** Says in one sentence how the team's file of this checkout differs from what was reviewed; undefined where it does not. */
export function settingsNotice({ unreviewed }: LoadedConfig): string | undefined {
  if (unreviewed.length === 0) return undefined;
  const named = unreviewed.slice(0, 3).join(', ') + (unreviewed.length > 3 ? ` and ${unreviewed.length - 3} more` : '');
  return `${CONFIG} is not the reviewed one: ${named} ${unreviewed.length === 1 ? 'does' : 'do'} not count here.`;
}

/** How a person makes such a file count. */
export const SETTINGS_HINT =
  'Only stricter privacy counts before it is on the default branch. `git mem trust --branch` accepts it on this clone.';

/** Accepts the team's file of this checkout on this clone, where it is not the reviewed one; tells whether it did. */
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
    return Buffer.alloc(0); // A branch that has none is accepted as one that sets nothing.
  }
}

/**
 * The team's settings on the default branches. Hooks ask at every event, so the answer is kept in the state folder until a
 * branch is another commit; two git children then.
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
  // git that does not answer has said nothing about what was reviewed.
  const known = texts.filter((text) => text !== undefined);
  if (version !== undefined && known.length === texts.length) keep(path, version, known);
  return known;
}

/** The file in a branch, empty where there is none; undefined where git does not answer. */
function textIn(root: string, branch: string, env: Workspace['env']): string | undefined {
  const listed = runGitNow(root, ['ls-tree', '--full-tree', branch, '--', CONFIG], env);
  const blob = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1];
  if (blob === undefined) return listed === undefined ? undefined : '';
  return runGitNow(root, ['cat-file', 'blob', blob], env);
}

function readKept(path: string, version: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { texts, version: of } = {
      texts: undefined,
      version: undefined,
      ...(typeof value === 'object' ? value : {}),
    };
    const all: unknown[] = Array.isArray(texts) ? texts : [];
    return of === version ? all.filter((text) => typeof text === 'string') : undefined;
  } catch {
    return undefined; // Absent or half written.
  }
}

function keep(path: string, version: string, texts: string[]): void {
  try {
    createFolder(join(path, '..'), 0o700);
    writeFileSync(path, JSON.stringify({ version, texts }), { mode: 0o600 });
  } catch {
    // No room or no right to write: git is asked each time.
  }
}
