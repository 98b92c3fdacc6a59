import { objectIds, runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { codeHost, webPage } from './code-host.ts';

/** Addresses on the code host. */
export interface CodeLinks {
  /** Only paths that exist at the revision become addresses: a record may cite anything. */
  files: ReadonlyMap<string, string>;
  commit(id: string): string;
}

/** By the code host of the CI run, else of the remote. Encoded so that neither Markdown nor a host can misread them. */
export async function codeLinks(
  { checkout: { root }, env }: Workspace,
  revision: string,
  paths: string[],
): Promise<CodeLinks | undefined> {
  const [ids, origin = ''] = await Promise.all([
    objectIds(root, [`${revision}^{commit}`], env),
    // As git itself would address it, by `url.<base>.insteadOf` too.
    runGit(root, ['remote', 'get-url', 'origin'], env),
  ]);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  const page = server && repository ? `${server}/${repository}` : (project ?? webPage(origin.trim()));
  const host = page && codeHost(page, project !== undefined);
  const at = ids?.[0];
  if (!host || at === undefined) return undefined;
  const wanted = [...new Set(paths)];
  const named = wanted.map((path) => `${at}:${path}`);
  const found = await objectIds(root, named, env);
  const there = wanted.filter((_, i) => found?.[i] !== undefined);
  return {
    files: new Map(there.map((path) => [path, host.file(at, path.split('/').map(segment).join('/'))])),
    commit: host.commit,
  };
}

function segment(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*~_]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
