import type { Agent, AgentEvent, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, changeIn, listOf, textIn, textsOf, toolEvent } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Pi has no hook commands: an extension that `init` writes calls the launcher with parts of Pi's own events, the session,
 * and the agent's last text. A session keeps what its start was told. Source: payloads of 1.6.0.
 */
export const pi: Agent = {
  name: 'pi',
  events: [
    'session_start',
    'before_agent_start',
    'tool_result',
    'agent_settled',
    'session_compact',
    'session_shutdown',
  ],
  quiet: ['before_agent_start'],
  replies: ['session_start', 'before_agent_start', 'tool_result'],
  asks: ['before_agent_start'],
  wakes: ['session_start', 'agent_settled', 'session_compact', 'session_shutdown'],
  toEvents,
  toQuestion: (event, payload) => questionIn(toEvents(event, payload), { input: asRecord(payload.input) }),
  // The reply is for the extension.
  toReply: (_event, context, { notice } = {}) => JSON.stringify({ context, ...(notice && { notice }) }),
  setup: {
    title: 'Pi',
    signs: { paths: ['.pi'], programs: ['pi'] },
    hooks: [{ path: '.pi/extensions/git-mem.js', template: 'hosts/pi.js', kind: 'own' }],
    skills: { folder: '.agents/skills' },
    shell: { marks: ['PI_CODING_AGENT'], session: 'PI_SESSION_ID' },
    next: ['Start Pi in {root} and trust the folder: it loads the extension of a project in trusted folders only.'],
  },
};

const ACTIONS: Record<string, ToolAction> = {
  read: 'read',
  edit: 'edit',
  write: 'write',
  bash: 'command',
  grep: 'search',
  find: 'search',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = asText(payload.session);
  if (session === '') return [];
  const common = { session, cwd: asText(payload.cwd) };
  switch (event) {
    case 'session_start':
      return [{ ...common, kind: 'session-start', source: sourceOf(payload) }];
    case 'before_agent_start': {
      const text = asText(payload.prompt);
      return text === '' ? [] : [{ ...common, kind: 'prompt', text, from: 'user' }];
    }
    case 'tool_result':
      return [toolEvent(common, toolCall(payload))];
    case 'agent_settled':
      return [{ ...common, kind: 'turn-end', text: asText(payload.text) }];
    case 'session_compact':
      return [{ ...common, kind: 'compaction', summary: asText(payload.summary) }];
    case 'session_shutdown':
      return [{ ...common, kind: 'session-end', reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function sourceOf({ reason }: Record<string, unknown>): string {
  return reason === 'resume' || reason === 'fork' ? reason : 'startup';
}

function toolCall({ toolName, toolCallId, input: given, content, isError }: Record<string, unknown>): ToolCall {
  const tool = asText(toolName);
  const input = asRecord(given);
  const action = ACTIONS[tool] ?? 'other';
  const output = textIn(content);
  const failed = isError === true;
  const code = /^Command exited with code (\d+)$/m.exec(output.slice(-200))?.[1];
  const edits = listOf(input.edits).length > 0 ? listOf(input.edits) : [input];
  return {
    id: asText(toolCallId),
    tool,
    action,
    paths: action === 'search' ? [] : textsOf(input, 'path'),
    ...(action === 'command' && { command: asText(input.command) }),
    ok: !failed,
    ...(action === 'command' && (failed ? code !== undefined && { exitCode: Number(code) } : { exitCode: 0 })),
    output,
    ...(action === 'edit' && { change: changeIn(edits, 'oldText', 'newText') }),
    ...(action === 'write' && { change: { removed: '', added: asText(input.content) } }),
  };
}
