import { blobId } from '../../memory/id.ts';
import type { Agent, AgentEvent, ToolCall } from './event.ts';
import { asText, changeIn, commonOf, keyed, listOf, toolEvent } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Cursor's hook protocol: `conversation_id`, `generation_id` for the turn, `workspace_roots` instead of a directory; a tool
 * event for each kind of tool. Text can be injected only into a starting session, and editors of mid-2026 were seen to drop it.
 * Written from https://cursor.com/docs/agent/hooks; no payload of it has been recorded.
 */
export const cursor: Agent = {
  name: 'cursor',
  events: [
    'sessionStart',
    'beforeSubmitPrompt',
    'afterFileEdit',
    'afterShellExecution',
    'afterMCPExecution',
    'afterAgentResponse',
    'stop',
    'sessionEnd',
  ],
  replies: ['sessionStart'],
  asks: [],
  wakes: ['sessionStart', 'stop', 'sessionEnd'],
  toEvents,
  toQuestion: (event, payload) => (event === 'sessionStart' ? questionIn(toEvents(event, payload)) : undefined),
  toReply: (_event, context) => JSON.stringify({ additional_context: context }),
  setup: {
    title: 'Cursor',
    signs: { paths: ['.cursor', '.cursorrules'], programs: ['cursor-agent', 'cursor'] },
    hooks: [{ path: '.cursor/hooks.json', template: 'hosts/cursor.json', kind: 'merged' }],
    mcp: [{ path: '.cursor/mcp.json', shape: 'claude' }],
    // Besides .cursor/skills: https://cursor.com/docs/context/skills.
    skills: { folder: '.agents/skills' },
    guide: { path: 'AGENTS.md' },
    coAuthor: 'cursoragent@cursor.com',
    next: ['Open {root} in Cursor, trust the workspace, and switch the MCP server git-mem on in its settings.'],
  },
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = sessionOf(payload);
  if (session === '') return [];
  const turn = asText(payload.generation_id);
  const [root] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  const common = commonOf({ session, cwd: asText(payload.cwd) || asText(root), turn });
  const text = asText(event === 'beforeSubmitPrompt' ? payload.prompt : payload.text);
  switch (event) {
    case 'sessionStart':
      return [{ ...common, kind: 'session-start', source: 'startup' }];
    case 'beforeSubmitPrompt':
      return [{ ...common, ...keyed(event, turn, blobId(text)), kind: 'prompt', text, from: 'user' }];
    case 'afterFileEdit':
      return [unnamedEvent(common, fileEdit(payload))];
    case 'afterShellExecution':
      return [unnamedEvent(common, shellCommand(payload))];
    case 'afterMCPExecution':
      return [unnamedEvent(common, serverCall(payload))];
    case 'afterAgentResponse':
      // The last one of a turn is its answer; `stop` says that it was the last.
      return [{ ...common, ...keyed(event, turn, blobId(text)), kind: 'turn-end', text }];
    case 'stop':
      return [{ ...common, ...keyed(event, turn), kind: 'turn-end', text: '' }];
    case 'sessionEnd':
      return [{ ...common, kind: 'session-end', reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function sessionOf(payload: Record<string, unknown>): string {
  return asText(payload.conversation_id) || asText(payload.session_id);
}

/** Calls have no ids: a byte-identical event within a turn is taken for the same one. */
function unnamedEvent(common: Pick<AgentEvent, 'session' | 'cwd' | 'turn'>, call: ToolCall): AgentEvent {
  const id = common.turn ? blobId(JSON.stringify([common.turn, call])).slice(0, 16) : '';
  return toolEvent(common, { ...call, id });
}

function fileEdit(payload: Record<string, unknown>): ToolCall {
  return {
    id: '',
    tool: 'afterFileEdit',
    action: 'edit',
    ok: true,
    output: '',
    paths: [asText(payload.file_path)].filter(Boolean),
    change: changeIn(listOf(payload.edits)),
  };
}

/** How the command ended is not reported. */
function shellCommand(payload: Record<string, unknown>): ToolCall {
  return {
    id: '',
    tool: 'afterShellExecution',
    action: 'command',
    paths: [],
    ok: undefined,
    command: asText(payload.command),
    output: asText(payload.output),
  };
}

/** A call of an MCP tool, such as our own save tools. The event has no outcome, but the answer says `isError`. */
function serverCall(payload: Record<string, unknown>): ToolCall {
  const output = asText(payload.result_json);
  return {
    id: '',
    tool: asText(payload.tool_name),
    // Its server is not named.
    server: asText(payload.tool_name),
    action: 'other',
    paths: [],
    ok: /"isError"\s*:\s*true/.test(output) ? false : undefined,
    output,
  };
}
