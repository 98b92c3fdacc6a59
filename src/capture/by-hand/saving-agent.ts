import { locate } from '../../git/locate.ts';
import type { Layout } from '../../memory/store/layout.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Environment } from '../../user-folders.ts';
import { AGENTS, findAgent } from '../agents/agents.ts';
import type { Agent } from '../agents/event.ts';
import { readSession } from '../drain/session-state.ts';
import { newestEvents } from '../drain/waiting-events.ts';
import { isSetUp } from './save-request.ts';

/** The agent that saves something itself, with what is certain about it. */
export interface SavingAgent {
  /** The host and, where it says so, its version: `codex/0.169.0`. */
  by: string;
  session?: string;
  prompt_number?: number;
}

/** What an MCP client says about itself and about a call. */
export interface McpCaller {
  client: { name: string; version: string } | undefined;
  /** The session that the call's metadata names. */
  session: string | undefined;
  /** What a program other than an MCP client calls itself. */
  by?: string;
}

/** The agent behind a call of our MCP server, whose callers are always agents. */
export function agentBehindCall(workspace: Workspace, { client, session, by }: McpCaller): SavingAgent {
  if (by !== undefined) return { by };
  const host = hostBehind(client, workspace.env);
  if (host === undefined) return { by: 'mcp' };
  const name = client?.name.toLowerCase();
  const isItsOwn = name?.startsWith(host.name) || name === host.setup.client;
  const version = isItsOwn ? client?.version : undefined;
  return { by: named(host, workspace.env, version), ...sessionOf(workspace, host, session) };
}

/**
 * The session behind a call, and the worktree of this clone it works in, as its newest hook event says: it may have entered
 * another one since its server started. Undefined where the session is not known.
 */
export function sessionBehindCall(
  workspace: Workspace,
  { client, session: given }: McpCaller,
): { session: string; root: string } | undefined {
  const { checkout, layout } = workspace;
  const host = hostBehind(client, workspace.env);
  const session = given ?? (host && namedSession(workspace, host));
  if (session === undefined) return undefined;
  const [newest] = newestEvents(statesOf(layout), session);
  const place = newest && locate(newest.event.cwd);
  return { session, root: place?.commonDir === checkout.commonDir ? place.root : checkout.root };
}

/** What to tell the agent of a server in `folder` whose client runs none of the committed hooks; empty otherwise. */
export function hooklessWords(workspace: Workspace, { client }: McpCaller, folder: string): string {
  const { root } = workspace.checkout;
  const host = hostBehind(client, workspace.env);
  if (host?.setup.hooksOfStart !== true || folder === root || !isSetUp(root, host)) return '';
  // A plugin's hooks run everywhere.
  if (sessionsAt(workspace).some(({ agent }) => agent === host)) return '';
  return `No git-mem hooks run in this session, because ${host.setup.title} was not started in ${root}. Tell the user once.`;
}

/**
 * The agent in whose shell a command runs; undefined where a person typed it. Some hosts leave no mark in their shells: while one
 * of their sessions runs in this worktree, a command without a terminal (`stdin`) is never taken for the person's.
 */
export function agentInShell(workspace: Workspace, stdin: { isTTY?: boolean }): SavingAgent | undefined {
  const host = hostOf(workspace.env);
  if (host !== undefined) return { by: named(host, workspace.env), ...sessionOf(workspace, host) };
  if (stdin.isTTY) return undefined;
  const [found, ...others] = sessionsAt(workspace).filter(({ agent }) => agent.setup.shell === undefined);
  if (found === undefined) return undefined;
  if (others.length === 0) return { by: found.agent.name, ...sessionOf(workspace, found.agent, found.session) };
  return { by: others.every(({ agent }) => agent === found.agent) ? found.agent.name : 'agent' };
}

function hostBehind(client: McpCaller['client'], env: Environment): Agent | undefined {
  const said = client?.name.toLowerCase();
  const isNamed = ({ name, setup }: Agent) =>
    said?.startsWith(name) || (setup.client && said?.startsWith(setup.client));
  return AGENTS.find(isNamed) ?? hostOf(env);
}

function hostOf(env: Environment): Agent | undefined {
  return AGENTS.find(({ setup }) => setup.shell?.marks.some((mark) => env[mark]));
}

function named({ name, setup }: Agent, env: Environment, given?: string): string {
  const version = given ?? setup.shell?.version?.(env);
  // A client without a version says 0.0.0.
  return version !== undefined && /^(?!0\.0\.0$)\d[\w.+-]{0,39}$/.test(version) ? `${name}/${version}` : name;
}

/**
 * The session, and the number of its current prompt. A session in a call's metadata is taken as it is. A variable may be stale,
 * because a server outlives a session that was cleared or replaced by a resumed one; but a tool is called within a turn. So if
 * turns of this host run in this worktree, the session is one of theirs: the one that the variable names, or the only one; if
 * there are several, it is left out.
 */
function sessionOf(
  workspace: Workspace,
  agent: Agent,
  session = namedSession(workspace, agent),
): Pick<SavingAgent, 'session' | 'prompt_number'> {
  if (session === undefined) return {};
  const prompts = promptsOf(workspace.layout, session);
  return { session, ...(prompts > 0 && { prompt_number: prompts }) };
}

function namedSession(workspace: Workspace, agent: Agent): string | undefined {
  const variable = agent.setup.shell?.session;
  const named = variable === undefined ? undefined : workspace.env[variable];
  const begun = sessionsAt(workspace).filter((one) => one.agent === agent);
  const running = begun.filter(({ isAsked }) => isAsked).map(({ session }) => session);
  const isNamed = named !== undefined && (running.length === 0 || running.includes(named));
  return isNamed ? named : running.length === 1 ? running[0] : undefined;
}

/** A session counts as running until it has been silent for this long, in milliseconds. */
const SILENCE_MS = 30 * 60_000;

/** A session whose newest event in a worktree ends neither its turn nor itself. */
interface BegunSession {
  agent: Agent;
  session: string;
  /** Its turn began with a prompt; some hosts report none. */
  isAsked: boolean;
}

/** The sessions running in the worktree, newest first. */
function sessionsAt({ checkout, layout }: Workspace): BegunSession[] {
  const ended = new Set<string>();
  const begun = new Map<string, BegunSession>();
  for (const { host, root, at, event } of newestEvents(statesOf(layout))) {
    const { kind, session } = event;
    const agent = findAgent(host);
    if (agent === undefined || root !== checkout.root || ended.has(session)) continue;
    const known = begun.get(session);
    if (kind === 'turn-end' || kind === 'session-end') {
      if (!known?.isAsked) begun.delete(session);
      ended.add(session);
    } else if (known !== undefined || Date.now() - Date.parse(at) < SILENCE_MS) {
      begun.set(session, { agent, session, isAsked: known?.isAsked || kind === 'prompt' });
    }
  }
  return [...begun.values()];
}

/** The number of a session's current prompt, as the drain counts them. */
function promptsOf(layout: Layout, session: string): number {
  let waiting = 0;
  for (const { event } of newestEvents(statesOf(layout), session)) {
    if (event.kind === 'prompt' && event.from === 'user') waiting++;
  }
  return (readSession(layout.state, session)?.prompts ?? 0) + waiting;
}

function statesOf({ state, otherStates }: Layout): string[] {
  return [state, ...otherStates];
}
