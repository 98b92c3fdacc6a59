import { blobId } from '../../memory/id.ts';
import type { Agent, AgentEvent, ToolCall } from './event.ts';
import { asText, changeIn, eventsOf, type Kinds, keyed, listOf, textsOf } from './payload.ts';
import { questionIn } from './question.ts';

const KINDS: Kinds = {
  sessionStart: 'session-start',
  beforeSubmitPrompt: 'prompt',
  afterFileEdit: 'tool',
  afterShellExecution: 'tool',
  afterMCPExecution: 'tool',
  // The last one of a turn is the answer; `stop` says that it was the last.
  afterAgentResponse: 'turn-end',
  stop: 'turn-end',
  sessionEnd: 'session-end',
};

/**
 * Cursor's hook protocol: `conversation_id`, `generation_id` for the turn, `workspace_roots` instead of a directory; a tool
 * event for each kind of tool. Text can be injected only into a starting session, and editors of mid-2026 were seen to drop it.
 * Written from https://cursor.com/docs/agent/hooks; no payload of it has been recorded.
 */
export const cursor: Agent = {
  name: 'cursor',
  events: Object.keys(KINDS),
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
  const turn = asText(payload.generation_id);
  const [root] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  const text = event === 'stop' ? '' : asText(event === 'beforeSubmitPrompt' ? payload.prompt : payload.text);
  return eventsOf(KINDS[event], {
    session: asText(payload.conversation_id) || asText(payload.session_id),
    cwd: asText(payload.cwd) || asText(root),
    turn,
    key: keyed(event, turn, event === 'stop' ? '' : blobId(text)),
    text,
    reason: payload.reason,
    calls: () => {
      const call = toolCall(event, payload);
      // Calls have no ids: a byte-identical event within a turn is taken for the same one.
      return [{ ...call, id: turn && blobId(JSON.stringify([turn, call])).slice(0, 16) }];
    },
  });
}

function toolCall(event: string, payload: Record<string, unknown>): ToolCall {
  const common = { id: '', tool: event, paths: textsOf(payload, 'file_path') };
  switch (event) {
    case 'afterFileEdit':
      return { ...common, action: 'edit', ok: true, output: '', change: changeIn(listOf(payload.edits)) };
    case 'afterShellExecution': {
      // How the command ended is not reported.
      const said = { command: asText(payload.command), output: asText(payload.output) };
      return { ...common, action: 'command', ok: undefined, ...said };
    }
    default: {
      // An MCP tool, such as our own save tools; its server is not named. The event has no outcome, but the answer does.
      const [tool, output] = [asText(payload.tool_name), asText(payload.result_json)];
      const ok = /"isError"\s*:\s*true/.test(output) ? false : undefined;
      return { ...common, tool, server: tool, action: 'other', paths: [], ok, output };
    }
  }
}
