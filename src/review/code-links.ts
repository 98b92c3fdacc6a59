import { objectIds, runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** Addresses on the code host. */
export interface CodeLinks {
  /**
   * Addresses of those paths that exist at the revision: a record may cite anything, but nothing else becomes an
   * address.
   */
  files: ReadonlyMap<string, string>;
  commit(id: string): string;
}

/**
 * The addresses of files at a revision on the code host: that of the CI run, else that of the remote. Undefined if
 * neither is known. File names are encoded so that neither Markdown nor a host can misread them.
 */
export async function codeLinks(
  { checkout: { root }, env }: Workspace,
  revision: string,
  paths: string[],
): Promise<CodeLinks | undefined> {
  const [ids, origin = ''] = await Promise.all([
    objectIds(root, [`${revision}^{commit}`], env),
    runGit(root, ['config', '--get', 'remote.origin.url'], env),
  ]);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  const base = server && repository ? `${server}/${repository}` : (project ?? webAddress(origin.trim()));
  const at = ids?.[0];
  if (base === undefined || at === undefined) return undefined;
  const host = new URL(base).hostname;
  const isGitLab = project !== undefined || /gitlab/i.test(host);
  const folder = isGitLab ? '-/blob' : /gitea|forgejo|codeberg/i.test(host) ? 'src/commit' : 'blob';
  const wanted = [...new Set(paths)];
  const named = wanted.map((path) => `${at}:${path}`);
  const found = await objectIds(root, named, env);
  const there = wanted.filter((_, i) => found?.[i] !== undefined);
  return {
    files: new Map(there.map((path) => [path, `${base}/${folder}/${at}/${path.split('/').map(segment).join('/')}`])),
    commit: (id) => `${base}/${isGitLab ? '-/' : ''}commit/${id}`,
  };
}

/** The web page of a remote, `git@host:a/b.git` or a URL, without the user name and password that it may contain. */
function webAddress(remote: string): string | undefined {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):([\w./~-]+?)(?:\.git)?\/?$/.exec(remote);
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/([\w./~-]+?)(?:\.git)?\/?$/.exec(remote);
  const [, host, path] = url ?? scp ?? [];
  // `C:\...` and `c:/...` are folders.
  return host === undefined || path === undefined || host.length < 2 ? undefined : `https://${host}/${path}`;
}

function segment(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*~_]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
