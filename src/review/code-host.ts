/** Addresses on a code host below a repository's page there; paths are encoded already. */
export interface CodeHost {
  file(commit: string, path: string): string;
  commit(id: string): string;
}

/** How the host of a repository's page addresses files and commits; undefined if its form is not known. */
export function codeHost(page: string, isGitLab = false): CodeHost | undefined {
  const { hostname } = new URL(page);
  if (isAzure(hostname)) {
    const file = (commit: string, path: string) => `${page}?path=/${path}&version=GC${commit}`;
    return { file, commit: (id) => `${page}/commit/${id}` };
  }
  if (isGitLab || /gitlab/i.test(hostname)) return below(page, '-/blob', '-/commit');
  if (/gitea|forgejo|codeberg/i.test(hostname)) return below(page, 'src/commit', 'commit');
  if (hostname.toLowerCase() === 'bitbucket.org') return below(page, 'src', 'commits');
  // Bitbucket Data Center has a form of its own. Any other host may be GitHub's, installed at a company.
  return /bitbucket/i.test(hostname) ? undefined : below(page, 'blob', 'commit');
}

function below(page: string, files: string, commits: string): CodeHost {
  return {
    file: (commit, path) => `${page}/${files}/${commit}/${path}`,
    commit: (id) => `${page}/${commits}/${id}`,
  };
}

/** The web page of a remote, without the user name and password in its address; undefined if it names none. */
export function webPage(remote: string): string | undefined {
  // `C:\...` and `c:/...` are folders.
  const [, host, place] = /^(?:[^@/:]+@)?([^@/:]{2,}):(?!\/\/)\/?(.+)$/.exec(remote) ?? [];
  const address = host === undefined ? remote : `ssh://${host}/${place}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(address);
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '');
  if (!/^[\w.-]+$/.test(hostname) || !/^(?:\/[\w.~%+-]+)+$/.test(path)) return undefined;
  // The port of SSH is not the web's.
  if (protocol === 'https:' || protocol === 'http:') return `${protocol}//${hostname}${port && `:${port}`}${path}`;
  // A name without a dot is an alias in the user's SSH configuration.
  if ((protocol !== 'ssh:' && protocol !== 'git:') || !hostname.includes('.')) return undefined;
  const [, organisation, project, repository] = /^\/v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (repository === undefined || !isAzure(hostname)) return `https://${hostname}${path}`;
  return `https://dev.azure.com/${organisation}/${project}/_git/${repository}`;
}

function isAzure(hostname: string): boolean {
  return /(?:^|\.)(?:dev\.azure|visualstudio)\.com$/i.test(hostname);
}
