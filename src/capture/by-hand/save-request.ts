import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { AGENTS, findAgent } from '../agents/agents.ts';
import type { Agent } from '../agents/event.ts';
import type { McpShape } from '../agents/host-facts.ts';

/** How an agent saves: by the tool of our MCP server, or by a command in its shell. */
export type WayToSave = 'tool' | 'command';

/** When an agent is asked to save. */
export type SaveMoment = 'start' | 'prompt' | 'commit' | 'turn-end';

/** What is worth saving, in the words of the tool's own description. */
const WORTH = '(a cause, a reason, a refuted approach, a trap, a number)';

/** The one line that asks an agent to save. It is our own text, not a record's, so it is outside the fence. */
export function saveRequest(moment: SaveMoment, way: WayToSave): string {
  const by = way === 'tool' ? '`save_observation`' : '`git mem add`';
  switch (moment) {
    case 'start':
      return (
        `git-mem: before your last message, save with ${by} what the code will not show ${WORTH}; ` +
        `${way === 'tool' ? '`supersedes`' : '`--supersedes`'} names what it makes wrong. Most turns leave nothing worth saving.`
      );
    case 'commit':
      return `git-mem: you committed. If this work holds what the diff does not show ${WORTH}, save it now with ${by}; if not, go on.`;
    case 'prompt':
      return `git-mem: your last turn changed files and saved nothing. If it holds what the code does not show ${WORTH}, first save it with ${by}; if not, go on.`;
    case 'turn-end':
      return `git-mem: before you end, save with ${by} what this session learned that the code does not show ${WORTH}. If there is nothing, just end.`;
    default:
      return moment satisfies never;
  }
}

/** The line for a starting session; empty where asking is off, or where the session has it already. */
export function requestAtStart(
  root: string,
  start: { asking: Config['capture']['ask']; host?: string | undefined; source?: string | undefined },
): string {
  const { asking, host, source } = start;
  const name = asking === 'off' || source === 'resume' ? undefined : (host ?? hostSetUp(root));
  const way = name === undefined ? undefined : wayToSave(root, name);
  return way === undefined ? '' : saveRequest('start', way);
}

/** How the agent of a host can save in a checkout: every host that git-mem knows has a shell. Undefined for other hosts. */
export function wayToSave(root: string, host: string): WayToSave | undefined {
  const agent = findAgent(host);
  if (agent === undefined) return undefined;
  const isConnected = agent.setup.mcp?.some(({ path, shape }) => SERVER[shape].test(textOf(root, path)));
  return isConnected ? 'tool' : 'command';
}

/** The first host whose hooks are set up in a checkout: the one that the user most likely means. */
function hostSetUp(root: string): string | undefined {
  return AGENTS.find((agent) => isSetUp(root, agent))?.name;
}

function isSetUp(root: string, { setup }: Agent): boolean {
  return setup.hooks.some(({ path }) => /\.memory\/hook|git-mem/.test(textOf(root, path)));
}

/** Our server's entry in each notation, found by its key alone, because people may edit the rest of the entry. */
const SERVER: Record<McpShape, RegExp> = {
  claude: /"git-mem"\s*:/,
  opencode: /"git-mem"\s*:/,
  vscode: /"git-mem"\s*:/,
  codex: /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?git-mem["']?[ \t]*\]/m,
};

function textOf(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return ''; // Not set up, or the agent cannot read it either.
  }
}
