import { readGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { CommitInfo } from './landing.ts';

/** How the forges' own merge and squash commits name what they merge. */
const FORMS: [form: RegExp, sign: '#' | '!'][] = [
  // GitHub, Gitea and Forgejo, squashed and merged; Bitbucket.
  [/^[^\n]*\(#(\d{1,9})\)\s*(?:\n|$)/, '#'],
  [/^Merge pull request #(\d{1,9})\b/, '#'],
  [/^Merged in [^\n]* \(pull request #(\d{1,9})\)/, '#'],
  // GitLab.
  [/^See merge request [^\s!]*!(\d{1,9})\s*$/m, '!'],
];

/** The pull request of one of these commits, as `#123` or `!123`, if their messages name it; one git child. */
export async function pullRequestOf({ checkout, env }: Workspace, commits: CommitInfo[]): Promise<string | undefined> {
  if (commits.length === 0) return undefined;
  const format = ['--no-walk=unsorted', '--no-show-signature', '--no-color', '--format=%B%x00'];
  const ids = [...new Set(commits.map(({ commit }) => commit))];
  const output = await readGit(checkout.root, ['log', ...format, ...ids, '--'], env);
  const messages = (output?.toString('utf8') ?? '').split('\0').map((message) => message.trim());
  return messages.map(requestNamedIn).find((request) => request !== undefined);
}

/** The pull request that a commit's message, or its subject alone, names as its origin. */
export function requestNamedIn(message: string): string | undefined {
  for (const [form, sign] of FORMS) {
    const [, number] = form.exec(message) ?? [];
    if (number !== undefined) return `${sign}${number}`;
  }
  return undefined;
}
