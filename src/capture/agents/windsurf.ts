import { blobId } from '../../memory/id.ts';
import type { Agent, AgentEvent, ToolCall } from './event.ts';
import { asRecord, asText, callId, changeIn, eventsOf, type Kinds, keyed, listOf, textsOf } from './payload.ts';

const KINDS: Kinds = {
  pre_user_prompt: 'prompt',
  post_read_code: 'tool',
  post_write_code: 'tool',
  post_run_command: 'tool',
  post_mcp_tool_use: 'tool',
  post_cascade_response: 'turn-end',
};

/**
 * Windsurf's Cascade: `trajectory_id` for the conversation, `execution_id` for the turn, what happened in `tool_info`; an
 * event for each kind of tool, results for MCP tools only, no end of a session. Nothing that a hook prints reaches the
 * model. Written from https://docs.windsurf.com/windsurf/cascade/hooks; no payload of it has been recorded.
 */
export const windsurf: Agent = {
  name: 'windsurf',
  events: Object.keys(KINDS),
  replies: [],
  asks: [],
  wakes: ['post_cascade_response'],
  toEvents,
  toQuestion: () => undefined,
  toReply: () => '',
  setup: {
    title: 'Windsurf',
    signs: { paths: ['.windsurf', '.windsurfrules'], programs: ['windsurf'] },
    hooks: [{ path: '.windsurf/hooks.json', template: 'hosts/windsurf.json', kind: 'merged' }],
    guide: { path: 'AGENTS.md' },
    next: [
      'Open {root} in Windsurf, and add `git-mem mcp` to its MCP servers: those are kept in your home, in ' +
        '~/.codeium/windsurf/mcp_config.json.',
    ],
  },
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const info = asRecord(payload.tool_info);
  const turn = asText(payload.execution_id);
  const text = asText(event === 'pre_user_prompt' ? info.user_prompt : info.response);
  return eventsOf(KINDS[event], {
    session: asText(payload.trajectory_id),
    cwd: asText(info.cwd),
    turn,
    key: keyed(event, turn, blobId(text)),
    text,
    calls: () => [{ ...toolCall(event, info), id: callId(asText(payload.timestamp), event, info) }],
  });
}

/** How a command ended is not reported. */
function toolCall(event: string, info: Record<string, unknown>): ToolCall {
  const common = { id: '', tool: event, paths: textsOf(info, 'file_path'), ok: undefined, output: '' };
  switch (event) {
    case 'post_read_code':
      return { ...common, action: 'read' };
    case 'post_write_code':
      return { ...common, action: 'edit', ok: true, change: changeIn(listOf(info.edits)) };
    case 'post_run_command':
      return { ...common, action: 'command', command: asText(info.command_line) };
    default: {
      const [server = ''] = textsOf(info, 'mcp_server_name', 'mcp_tool_name');
      const tool = textsOf(info, 'mcp_server_name', 'mcp_tool_name').join(' ') || event;
      return { ...common, tool, server, action: 'other', output: asText(info.mcp_result) };
    }
  }
}
