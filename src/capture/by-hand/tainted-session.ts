import { GitMemError } from '../../errors.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { inputsOfSession } from '../drain/inputs.ts';
import { agentInShell, type SavingAgent } from './saving-agent.ts';

/** The session in which an agent asks for something, and what it took in before; a person has none. */
export interface AskingSession {
  session?: string;
  inputs: string[];
}

/** The session in which an agent asks, and what it took in; a person has none. */
export async function askingSession(
  workspace: Workspace,
  agent: Pick<SavingAgent, 'session'> | undefined,
): Promise<AskingSession> {
  const session = agent?.session;
  return { ...(session !== undefined && { session }), inputs: await inputsOfSession(workspace, agent) };
}

/**
 * Throws bad-input if an agent's session took in untrusted text: what takes effect at once, without waiting in the inbox, is then
 * for a person to do, with `command`.
 */
export function refuseTainted({ inputs }: AskingSession, command: string): void {
  if (inputs.length === 0) return;
  throw new GitMemError('bad-input', `This session has read ${inputs.join(', ')}, so a person has to do this.`, {
    hint: `Tell the user: \`${command}\`.`,
  });
}

/** The same for a command that runs in an agent's shell. */
export async function refuseTaintedShell(
  workspace: Workspace,
  stdin: { isTTY?: boolean },
  command: string,
): Promise<void> {
  refuseTainted(await askingSession(workspace, agentInShell(workspace, stdin)), command);
}
