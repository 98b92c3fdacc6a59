import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { readFileSync } from '../../looks.ts';
import type { Environment } from '../../user-folders.ts';
import { AGENTS, findAgent } from '../agents/agents.ts';
import type { Agent } from '../agents/event.ts';
import type { McpShape } from '../agents/host-facts.ts';

/** How an agent saves: by the tool of our MCP server, by that of our extension, or by a command in its shell. */
export type WayToSave = 'tool' | 'extension' | 'command';

/** When an agent is asked to save. */
export type SaveMoment = 'start' | 'prompt' | 'again' | 'turn-end';

const JOIN = 'join the next commit by themselves';
const BELONG = 'belong in the commit of the work';

/** What is worth saving, in the words of the tool's own description. */
const WORTH = '(a cause, a reason, a refuted approach, a trap, a number, a rule of the developer)';

/**
 * The one line that asks an agent to save. It is our own text, not a record's, so it is outside the fence. `joins`: whether
 * records join the next commit automatically; undefined where they are never committed.
 */
export function saveRequest(moment: SaveMoment, way: WayToSave, joins?: boolean): string {
  const by = way === 'command' ? '`git mem add`' : '`save_observation`';
  switch (moment) {
    case 'start':
      return (
        `git-mem: when a piece of work is done, before any commit of it, save with ${by} what the code will not show` +
        // The tool's description says what that is.
        `${way === 'command' ? ` ${WORTH}` : ''}. Most turns leave nothing.` +
        (joins === undefined ? '' : ` Records are small files under .memory/ that ${joins ? JOIN : BELONG}.`) +
        (way === 'tool' ? ' Work left open: `save_summary`.' : '')
      );
    case 'prompt':
      return `git-mem: if your last turn or this message has what code does not show ${WORTH}, save it with ${by} before you commit; else go on.`;
    case 'again':
      return `git-mem: does this leave a record (${by})? Else go on.`;
    case 'turn-end':
      return `git-mem: before you end, save with ${by} what this session learned that the code does not show ${WORTH}. If there is nothing, just end.`;
    default:
      return moment satisfies never;
  }
}

/** The line for a starting session; empty where asking is off, or where the session has it already. */
export function requestAtStart(
  root: string,
  start: {
    asking: Config['capture']['ask'];
    host?: string | undefined;
    source?: string | undefined;
    joins?: boolean | undefined;
  },
  env: Environment,
): string {
  const { asking, host, source, joins } = start;
  const way = asking === 'off' || source === 'resume' ? undefined : wayAtStart(root, host, env);
  return way === undefined ? '' : saveRequest('start', way, joins);
}

/** How the agent of a host, by default the one set up here, saves and reads. */
export function wayAtStart(root: string, host: string | undefined, env: Environment): WayToSave | undefined {
  const name = host ?? hostSetUp(root);
  return name === undefined ? undefined : wayToSave(root, name, env);
}

/**
 * How the agent of a host can save in a checkout. Every known host has a shell, Claude Code's plugin (which sets a variable for
 * its hooks) brings the server, and an extension may have tools. Undefined for other hosts.
 */
export function wayToSave(root: string, host: string, env: Environment): WayToSave | undefined {
  const agent = findAgent(host);
  if (agent === undefined) return undefined;
  if (env.CLAUDE_PLUGIN_ROOT) return 'tool';
  const isConnected = agent.setup.mcp?.some(({ path, shape }) => SERVER[shape].test(textOf(root, path)));
  if (isConnected) return 'tool';
  return agent.setup.hooks.some(({ path }) => textOf(root, path).includes('.registerTool(')) ? 'extension' : 'command';
}

/** The first host whose hooks are set up in a checkout: the one that the user most likely means. */
function hostSetUp(root: string): string | undefined {
  return AGENTS.find((agent) => isSetUp(root, agent))?.name;
}

export function isSetUp(root: string, { setup }: Agent): boolean {
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
