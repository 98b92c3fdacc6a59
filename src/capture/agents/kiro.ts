import { protocol } from './claude-code.ts';
import type { Agent, AgentEvent, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, listOf, textsOf, toolEvent } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Kiro's standalone hooks: Claude Code's names of events and keys, no ids of turns, no end of a session; what a hook
 * prints at a start or a prompt is injected verbatim. Its clients differ in what the end of a turn reports, and without
 * a terminal they name no session. Written from https://kiro.dev/docs/cli/hooks and https://kiro.dev/docs/cli/v3/hooks;
 * no payload of it has been recorded.
 */
export const kiro: Agent = {
  name: 'kiro',
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop'],
  replies: ['SessionStart', 'UserPromptSubmit'],
  asks: ['UserPromptSubmit'],
  wakes: ['SessionStart', 'Stop'],
  toEvents,
  toQuestion: (event, payload) => questionIn(toEvents(event, { ...payload, source: 'startup' })),
  toReply: (_event, context) => context,
  setup: {
    title: 'Kiro',
    signs: { paths: ['.kiro'], programs: ['kiro', 'kiro-cli'] },
    hooks: [{ path: '.kiro/hooks/git-mem.json', template: 'hosts/kiro.json', kind: 'own' }],
    mcp: [{ path: '.kiro/settings/mcp.json', shape: 'claude' }],
    next: [
      'Open {root} in Kiro 1.0 or newer, or start its command line there with version 3: older ones read no hooks of this form.',
    ],
  },
};

/** Its tools, by the names of both generations. */
const ACTIONS: Record<string, ToolAction> = {
  read: 'read',
  fs_read: 'read',
  write: 'edit',
  fs_write: 'edit',
  str_replace: 'edit',
  shell: 'command',
  execute_bash: 'command',
  grep: 'search',
  glob: 'search',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = asText(payload.session_id);
  if (event === 'PostToolUse' && session !== '')
    return [toolEvent({ session, cwd: asText(payload.cwd) }, toolCall(payload))];
  return protocol.toEvents(event, { ...payload, last_assistant_message: payload.assistant_response });
}

function toolCall(payload: Record<string, unknown>): ToolCall {
  const tool = asText(payload.tool_name);
  const input = asRecord(payload.tool_input);
  const response = asRecord(payload.tool_response);
  const action = ACTIONS[tool] ?? 'other';
  const operations = listOf(input.operations).flatMap((operation) => textsOf(operation, 'path'));
  const added = asText(input.new_str) || asText(input.file_text) || asText(input.content);
  return {
    id: asText(payload.tool_use_id),
    tool,
    action,
    paths: [...textsOf(input, 'path', 'file_path'), ...operations],
    ...(action === 'command' && { command: asText(input.command) }),
    ok: typeof response.success === 'boolean' ? response.success : undefined,
    output: outputOf(payload.tool_response),
    ...(action === 'edit' && { change: { removed: asText(input.old_str), added } }),
  };
}

function outputOf(response: unknown): string {
  if (typeof response === 'string') return response;
  const { result } = asRecord(response);
  if (!Array.isArray(result)) return asText(result);
  return result.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
}
