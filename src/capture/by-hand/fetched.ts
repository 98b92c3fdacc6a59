import { noteUse } from '../../memory/store/use-log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** Notes that whole records of this checkout were shown, in the session of the agent that asked if it is known. */
export async function noteFetched(workspace: Workspace, ids: readonly string[], now: Date): Promise<void> {
  const { layout, at, linked, env } = workspace;
  if (at !== undefined || linked || ids.length === 0) return;
  // Hosts name the session in such a variable; a person's shell has none, and the adapters need not be loaded.
  const isAgents = Object.keys(env).some((name) => name.endsWith('_SESSION_ID'));
  const agent = isAgents ? (await import('./saving-agent.ts')).agentInShell(workspace) : undefined;
  noteUse(layout.state, 'fetched', { ids, session: agent?.session, now });
}
