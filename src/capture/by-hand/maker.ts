import { runGit } from '../../git/objects.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import type { Generated } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cleaner } from '../drain/clean.ts';
import { agentInShell } from './saving-agent.ts';

/** Who makes a record or a mark: an agent's host, or a person under the name that git gives commits. */
export type Maker = Pick<Generated, 'by' | 'name'>;

/** Longest recorded name, in characters: as long as a title, because it is shown on one line. */
const LONGEST_NAME = 80;

/** Who runs a command: the agent in whose shell it runs, else the person at the terminal. */
export async function makerInShell(workspace: Workspace, stdin: { isTTY?: boolean }): Promise<Maker> {
  const agent = agentInShell(workspace, stdin);
  return agent === undefined ? personAt(workspace, 'cli') : { by: agent.by };
}

/** The person who does something by hand, named as git would name a commit's author; no name where git has none. */
export async function personAt({ checkout, env }: Workspace, by: 'cli' | 'viewer'): Promise<Maker> {
  const named = env.GIT_AUTHOR_NAME ?? (await configuredName(checkout.root, env)) ?? '';
  const name = [...named.trim()].slice(0, LONGEST_NAME).join('');
  return name === '' ? { by } : { by, name };
}

/** What a record says about its maker, redacted: a team's patterns may name people. */
export async function generatedBy({ by, name }: Maker, now: Date, cleaner: Cleaner): Promise<Generated> {
  return { by, ...(name !== undefined && { name: await cleaner.text(name) }), at: wholeSeconds(now) };
}

/** `author.name` wins over `user.name`, as for commits; if one is set several times, the last value counts. */
async function configuredName(root: string, env: Workspace['env']): Promise<string | undefined> {
  const output = await runGit(root, ['config', '--null', '--get-regexp', '^(author|user)\\.name$'], env);
  const values = (output ?? '').split('\0').map((entry) => entry.split('\n'));
  const last = (wanted: string) => values.findLast(([key]) => key === wanted)?.[1];
  return last('author.name') ?? last('user.name');
}
