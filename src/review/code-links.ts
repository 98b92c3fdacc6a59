import { objectIds, runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Environment } from '../user-folders.ts';

/** Addresses on the code host. */
export interface CodeLinks {
  /** Only paths that exist at the revision become addresses: a record may cite anything. */
  files: ReadonlyMap<string, string>;
  commit(id: string): string;
}

/**
 * The addresses on the code host of the CI run, or else of a remote whose full host name is known. Encoded so that neither
 * Markdown nor a host can misread them.
 */
export async function codeLinks(
  { checkout: { root }, env }: Workspace,
  revision: string,
  paths: string[],
): Promise<CodeLinks | undefined> {
  const [ids, origin = ''] = await Promise.all([
    objectIds(root, [`${revision}^{commit}`], env),
    // As git itself would address it, including `url.<base>.insteadOf`.
    runGit(root, ['remote', 'get-url', 'origin'], env),
  ]);
  const page = codePages(env, origin.trim());
  const at = ids?.[0];
  if (page === undefined || at === undefined) return undefined;
  const wanted = [...new Set(paths)];
  const named = wanted.map((path) => `${at}:${path}`);
  const found = await objectIds(root, named, env);
  const there = wanted.filter((_, i) => found?.[i] !== undefined);
  return {
    files: new Map(there.map((path) => [path, `${page.files}/${at}/${path.split('/').map(segment).join('/')}`])),
    commit: (id) => `${page.commits}/${id}`,
  };
}

function segment(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*~_]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

type Form = readonly [files: string, commits: string];
const GITHUB: Form = ['blob', 'commit'];
const GITLAB: Form = ['-/blob', '-/commit'];
const FORMS = new Map<string, Form>([
  ['github.com', GITHUB],
  ['gitlab.com', GITLAB],
  ['codeberg.org', ['src/commit', 'commit']],
  ['bitbucket.org', ['src', 'commits']],
]);

/**
 * The pages below which a repository's files and commits are, without the user name and password in a remote's address;
 * undefined if unknown. Another host's name does not tell what runs there.
 */
export function codePages(env: Environment, remote: string): { files: string; commits: string } | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  // Gitea sets GitHub's variables, but has other addresses.
  if (server && repository && !env.GITEA_ACTIONS) return below(`${server}/${repository}`, GITHUB);
  if (project) return below(project, GITLAB);
  const [, host, place] = /^(?:[^@/:]+@)?([^@/:]{2,}):(?!\/\/)\/?(.+)$/.exec(remote) ?? [];
  const address = host === undefined ? remote : `ssh://${host}/${place}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '');
  if (!/^(?:\/[\w.~%+-]+)+$/.test(path)) return undefined;
  const form = FORMS.get(hostname);
  return form && below(`https://${hostname}${path}`, form);
}

function below(page: string, [files, commits]: Form): { files: string; commits: string } {
  return { files: `${page}/${files}`, commits: `${page}/${commits}` };
}
