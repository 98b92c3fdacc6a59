import { locate } from '../../git/locate.ts';
import { linkedWorkspace } from '../../memory/store/linked.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Environment } from '../../user-folders.ts';
import { lacking, readFetched, resolveCommit } from './clone.ts';
import type { Link } from './link.ts';

/** A link's memory, or why it cannot be read; `isWrong` if the settings name something that does not exist. */
export type Opened = { link: Link; workspace: Workspace } | { link: Link; problem: string; isWrong: boolean };

/** Opens a link's memory for reading: nothing is written there, and nothing is fetched. */
export async function openLink(link: Link, env: Environment): Promise<Opened> {
  return 'url' in link.place ? openFetched(link, env) : openPath(link, link.place.path, env);
}

async function openFetched(link: Link, env: Environment): Promise<Opened> {
  const fetched = readFetched(link);
  const fetch = `run \`git mem links update ${link.name}\``;
  if (fetched === undefined) return { link, problem: `${link.name} was never fetched: ${fetch}.`, isWrong: false };
  const { root, commit } = fetched;
  if (commit === '') return { link, problem: `${link.name} had no commit: ${fetch}.`, isWrong: false };
  const gitDir = `${root}/.git`;
  const checkout = { root, gitDir, commonDir: gitDir };
  const workspace = await linkedWorkspace(checkout, { state: root, env, at: commit });
  if (workspace) return { link, workspace };
  return { link, problem: `What was fetched of ${link.name} is damaged: ${fetch}.`, isWrong: false };
}

async function openPath(link: Link, path: string, env: Environment): Promise<Opened> {
  const checkout = locate(path);
  if (checkout === undefined) {
    return { link, problem: `${link.name} is not there: ${link.source} is not a git checkout.`, isWrong: false };
  }
  const at = link.at && (await resolveCommit(checkout.root, link.at, env));
  if (link.at !== undefined && !at) return { link, problem: lacking(link.name, link.at).message, isWrong: true };
  const workspace = await linkedWorkspace(checkout, { state: link.folder, env, at });
  if (workspace) return { link, workspace };
  return { link, problem: `${link.name} cannot be read: git does not list ${link.at}.`, isWrong: true };
}
