import { guardedFetch, printable, unreached, withinDeadline } from '../../capture/extract/providers/connection.ts';
import { addressProblem } from '../../capture/extract/providers/rest.ts';
import { GitMemError } from '../../errors.ts';
import { withoutEndSlashes } from '../../slashes.ts';
import type { Environment } from '../../user-folders.ts';

/** A forge's API with the right to read, as the environment of a CI job describes it. */
export interface Forge {
  name: 'GitHub' | 'GitLab';
  /** Without a slash at the end. */
  repository: string;
  headers: Record<string, string>;
  token: string;
}

/** Longest wait for one answer, in milliseconds: a job of CI waits for it, and nobody else. */
const TIMEOUT_MS = 60_000;

/** Most pages of one list, of a hundred entries each: two thousand comments are more than a model is asked about. */
const MOST_PAGES = 20;

/** The forge that the environment names, with a token; throws bad-input if it names none. */
export function forgeIn(env: Environment): Forge {
  const { GITHUB_REPOSITORY, GITHUB_API_URL, CI_API_V4_URL, CI_PROJECT_ID } = env;
  const github = env.GH_TOKEN || env.GITHUB_TOKEN;
  if (GITHUB_REPOSITORY && github) {
    const repository = `${addressOf(GITHUB_API_URL || 'https://api.github.com', 'GITHUB_API_URL')}/repos/${GITHUB_REPOSITORY}`;
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${github}` };
    return { name: 'GitHub', repository, headers, token: github };
  }
  const gitlab = env.GITLAB_TOKEN;
  if (CI_API_V4_URL && CI_PROJECT_ID && gitlab) {
    const repository = `${addressOf(CI_API_V4_URL, 'CI_API_V4_URL')}/projects/${encodeURIComponent(CI_PROJECT_ID)}`;
    return { name: 'GitLab', repository, headers: { 'private-token': gitlab }, token: gitlab };
  }
  throw new GitMemError('bad-input', 'The environment names no forge to ask.', {
    hint: 'At GitHub it needs GITHUB_REPOSITORY and GH_TOKEN, at GitLab CI_API_V4_URL, CI_PROJECT_ID and GITLAB_TOKEN; or give the discussion with --from.',
  });
}

function addressOf(base: string, variable: string): string {
  const problem = addressProblem(base, variable);
  if (problem !== '') throw new GitMemError('bad-input', problem);
  return withoutEndSlashes(base);
}

/** The number of the merged pull request that brought a commit; undefined if there is none. */
export async function requestOf(forge: Forge, commit: string, signal: AbortSignal): Promise<number | undefined> {
  const path = forge.name === 'GitHub' ? `commits/${commit}/pulls` : `repository/commits/${commit}/merge_requests`;
  const found = (await pages(forge, path, signal)).flat().map((one) => new Map(Object.entries(one ?? {})));
  const merged = found.find((one) => Boolean(one.get('merged_at')) || one.get('state') === 'merged');
  const number = merged?.get('number') ?? merged?.get('iid');
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

/** The API's answers on a pull request, its reviews and its comments. */
export async function discussionOf(forge: Forge, number: number, signal: AbortSignal): Promise<unknown[]> {
  const paths =
    forge.name === 'GitHub'
      ? [`pulls/${number}`, `pulls/${number}/reviews`, `pulls/${number}/comments`, `issues/${number}/comments`]
      : [`merge_requests/${number}`, `merge_requests/${number}/discussions`];
  const answers: unknown[] = [];
  for (const path of paths) answers.push(...(await pages(forge, path, signal)));
  return answers;
}

/** All pages of an answer. */
async function pages(forge: Forge, path: string, signal: AbortSignal): Promise<unknown[]> {
  const { name, headers, token, repository } = forge;
  const hint = `Check that the token may read ${printable(repository, token)}.`;
  const toError = (error: unknown) => unreached(name, error, { apiKey: token, hint });
  const found: unknown[] = [];
  let next: string | undefined = `${repository}/${path}?per_page=100`;
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const url: string = next;
    next = await withinDeadline({ label: name, timeoutMs: TIMEOUT_MS, signal, toError }, async (deadline) => {
      const response = await guardedFetch(url, { headers: { 'user-agent': 'git-mem', ...headers }, signal: deadline });
      const body = await response.text();
      if (!response.ok) throw new Error(`it answered ${response.status} for ${new URL(url).pathname}`);
      found.push(JSON.parse(body));
      return nextPage(response.headers.get('link'), repository);
    });
  }
  return found;
}

/** The next page that a Link header names; the token is sent only to the forge. */
function nextPage(link: string | null, repository: string): string | undefined {
  const next = /<([^<>]+)>\s*;[^,]*\brel="?next"?/.exec(link ?? '')?.[1];
  if (next === undefined || !URL.canParse(next)) return undefined;
  return new URL(next).origin === new URL(repository).origin ? next : undefined;
}
