import { blobId } from '../../memory/id.ts';
import type { Agent, AgentEvent, ToolCall } from './event.ts';
import { asRecord, asText, callId, changeIn, commonOf, keyed, listOf, toolEvent } from './payload.ts';

/**
 * Windsurf's Cascade: `trajectory_id` for the conversation, `execution_id` for the turn, what happened in `tool_info`; an
 * event for each kind of tool, results for MCP tools only, no end of a session. Nothing that a hook prints reaches the
 * model. Written from https://docs.windsurf.com/windsurf/cascade/hooks; no payload of it has been recorded.
 */
export const windsurf: Agent = {
  name: 'windsurf',
  events: [
    'pre_user_prompt',
    'post_read_code',
    'post_write_code',
    'post_run_command',
    'post_mcp_tool_use',
    'post_cascade_response',
  ],
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
  const session = asText(payload.trajectory_id);
  if (session === '') return [];
  const info = asRecord(payload.tool_info);
  const turn = asText(payload.execution_id);
  const common = commonOf({ session, cwd: asText(info.cwd), turn });
  const text = asText(event === 'pre_user_prompt' ? info.user_prompt : info.response);
  const key = keyed(event, turn, blobId(text));
  switch (event) {
    case 'pre_user_prompt':
      return [{ ...common, ...key, kind: 'prompt', text, from: 'user' }];
    case 'post_cascade_response':
      return [{ ...common, ...key, kind: 'turn-end', text }];
    default: {
      const call = toolCall(event, info);
      if (call === undefined) return [];
      return [toolEvent(common, { ...call, id: callId(asText(payload.timestamp), event, info) })];
    }
  }
}

/** Undefined for an event that reports no call. How a command ended is not reported. */
function toolCall(event: string, info: Record<string, unknown>): ToolCall | undefined {
  const common = { id: '', tool: event, paths: [asText(info.file_path)].filter(Boolean), ok: undefined, output: '' };
  switch (event) {
    case 'post_read_code':
      return { ...common, action: 'read' };
    case 'post_write_code':
      return { ...common, action: 'edit', ok: true, change: changeIn(listOf(info.edits)) };
    case 'post_run_command':
      return { ...common, action: 'command', command: asText(info.command_line) };
    case 'post_mcp_tool_use': {
      const tool = [asText(info.mcp_server_name), asText(info.mcp_tool_name)].filter(Boolean).join(' ') || event;
      const server = asText(info.mcp_server_name) || asText(info.mcp_tool_name);
      return { ...common, tool, server, action: 'other', output: asText(info.mcp_result) };
    }
    default:
      return undefined;
  }
}
