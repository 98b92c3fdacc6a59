import type { Environment } from '../user-folders.ts';

/**
 * Gives the address of a file at a commit on the code host: that of the CI run, else that of the remote. Undefined where
 * neither tells of one. Addresses hold no part of a file's name that Markdown or a host could read as anything else.
 */
export function codeLinks(
  env: Environment,
  remote: string | undefined,
  commit: string,
): ((path: string) => string) | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, CI_PROJECT_URL: project } = env;
  const base = server && repository ? `${server}/${repository}` : (project ?? webAddress(remote ?? ''));
  if (base === undefined || commit === '') return undefined;
  const host = new URL(base).hostname;
  const folder =
    project || /gitlab/i.test(host) ? '-/blob' : /gitea|forgejo|codeberg/i.test(host) ? 'src/commit' : 'blob';
  return (path) => `${base}/${folder}/${commit}/${path.split('/').map(segment).join('/')}`;
}

/** The page of a remote, `git@host:a/b.git` or an URL, without the name and password that one may hold. */
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
