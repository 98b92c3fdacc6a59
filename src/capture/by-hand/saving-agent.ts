import { locate } from '../../git/locate.ts';
import type { Layout } from '../../memory/store/layout.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Environment } from '../../user-folders.ts';
import { AGENTS } from '../agents/agents.ts';
import type { Agent } from '../agents/event.ts';
import { readSession } from '../drain/session-state.ts';
import { newestEvents } from '../drain/waiting-events.ts';

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
  /** What a program that is no MCP client calls itself. */
  by?: string;
}

/** The agent behind a call of our MCP server, whose callers are always agents. */
export function agentBehindCall(workspace: Workspace, { client, session, by }: McpCaller): SavingAgent {
  if (by !== undefined) return { by };
  const host = hostBehind(client, workspace.env);
  if (host === undefined) return { by: 'mcp' };
  const version = client?.name.toLowerCase().startsWith(host.name) ? client.version : undefined;
  return { by: named(host, workspace.env, version), ...sessionOf(workspace, host, session) };
}

/**
 * The session behind a call, and the worktree of this clone in which it works: it may have entered another one since its
 * server started, and the newest event of a hook says so. Undefined where the session is not known.
 */
export function sessionBehindCall(
  workspace: Workspace,
  { client, session: given }: McpCaller,
): { session: string; root: string } | undefined {
  const { checkout, layout } = workspace;
  const host = hostBehind(client, workspace.env);
  const session = given ?? (host && runningSession(workspace, host));
  if (session === undefined) return undefined;
  const [newest] = newestEvents(statesOf(layout), session);
  const place = newest && locate(newest.event.cwd);
  return { session, root: place?.commonDir === checkout.commonDir ? place.root : checkout.root };
}

/** The agent in whose shell a command runs; undefined where a person typed it. */
export function agentInShell(workspace: Workspace): SavingAgent | undefined {
  const host = hostOf(workspace.env);
  return host && { by: named(host, workspace.env), ...sessionOf(workspace, host) };
}

function hostBehind(client: McpCaller['client'], env: Environment): Agent | undefined {
  return AGENTS.find(({ name }) => client?.name.toLowerCase().startsWith(name)) ?? hostOf(env);
}

function hostOf(env: Environment): Agent | undefined {
  return AGENTS.find(({ setup }) => setup.shell?.marks.some((mark) => env[mark]));
}

function named({ name, setup }: Agent, env: Environment, given?: string): string {
  const version = given ?? setup.shell?.version?.(env);
  return version !== undefined && /^\d[\w.+-]{0,39}$/.test(version) ? `${name}/${version}` : name;
}

/**
 * The session, and the number of its current prompt. The session in a call's metadata is taken as it is. A variable may
 * be out of date, because a server outlives a session that was cleared or resumed by another one; but a tool is called
 * within a turn. So if turns of this host run in this worktree, the session is one of theirs: the one that the variable
 * names, or the only one; if there are several, it is left out.
 */
function sessionOf(
  workspace: Workspace,
  agent: Agent,
  session = runningSession(workspace, agent),
): Pick<SavingAgent, 'session' | 'prompt_number'> {
  if (session === undefined) return {};
  const prompts = promptsOf(workspace.layout, session);
  return { session, ...(prompts > 0 && { prompt_number: prompts }) };
}

function runningSession({ checkout, layout, env }: Workspace, { name: host, setup }: Agent): string | undefined {
  const variable = setup.shell?.session;
  const named = variable === undefined ? undefined : env[variable];
  const running = runningSessions(layout, { host, root: checkout.root });
  const isNamed = named !== undefined && (running.length === 0 || running.includes(named));
  return isNamed ? named : running.length === 1 ? running[0] : undefined;
}

/** The sessions of a host in a worktree whose newest events belong to a turn that has not ended. */
function runningSessions(layout: Layout, { host, root }: { host: string; root: string }): string[] {
  const ended = new Set<string>();
  const running = new Set<string>();
  for (const waiting of newestEvents(statesOf(layout))) {
    const { kind, session } = waiting.event;
    if (waiting.host !== host || waiting.root !== root) continue;
    if ((kind === 'turn-end' || kind === 'session-end') && !running.has(session)) ended.add(session);
    if (kind === 'prompt' && !ended.has(session)) running.add(session);
  }
  return [...running];
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
