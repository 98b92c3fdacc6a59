import { join } from 'node:path';
import { type Config, type LoadedConfig, loadConfig } from '../config.ts';
import { defaultBranches } from '../git/default-branch.ts';
import { textOf } from '../git/locate.ts';
import { isSparse } from '../git/shallow.ts';
import { keptText } from '../kept/facts.ts';
import { existsSync } from '../looks.ts';
import { blobId } from '../memory/id.ts';
import { noteAccepted, readLedgers } from '../memory/store/ledger.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isGreedy } from '../privacy/team-pattern.ts';

const CONFIG = '.memory/config.yaml';

/** The settings of a checkout, or some sections: the team's as reviewed, then the user's own and the environment. */
export function loadSettings<Section extends keyof Config = keyof Config>(
  workspace: Workspace,
  sections?: readonly Section[],
): LoadedConfig<Section> {
  const { checkout, layout, env, format } = workspace;
  const isAccepted = (text: string) => readLedgers(workspace).has(blobId(Buffer.from(text), format));
  // Hooks ask at every event, so git's answer is cached.
  const texts = defaultBranches(workspace).flatMap((branch) => keptText(workspace, branch, CONFIG) ?? []);
  const loaded = loadConfig(layout.memory, env, { texts, isAccepted, isGreedy }, sections);
  const { capture }: Partial<Config> = loaded.config;
  // Files that a sparse checkout leaves out would make the user's `git add -A` fail.
  if (capture && isSparse(checkout.gitDir) && !existsSync(layout.memory)) capture.destination = 'private';
  return loaded;
}

/** One sentence on how this checkout's team file differs from the reviewed one; undefined if it does not. */
export function settingsNotice({ unreviewed }: Pick<LoadedConfig, 'unreviewed'>): string | undefined {
  if (unreviewed.length === 0) return undefined;
  const named = unreviewed.slice(0, 3).join(', ') + (unreviewed.length > 3 ? ` and ${unreviewed.length - 3} more` : '');
  return `${CONFIG} is not the reviewed version: ${named} ${unreviewed.length === 1 ? 'is' : 'are'} ignored here.`;
}

/** How the user makes such a file count. */
export const SETTINGS_HINT =
  'Only stricter privacy counts before it is on the default branch. `git mem trust --branch` accepts it on this clone.';

/** Accepts this checkout's team file on this clone, if it is not the reviewed one; returns whether it did. */
export function acceptSettings(workspace: Workspace): boolean {
  const { layout, format, ledger } = workspace;
  if (loadSettings(workspace).unreviewed.length === 0) return false;
  // A branch without the file is accepted as one that sets nothing.
  const blob = blobId(textOf(join(layout.memory, 'config.yaml')) ?? '', format);
  noteAccepted(ledger, [{ blob, path: 'config.yaml', store: 'team' }]);
  return true;
}
