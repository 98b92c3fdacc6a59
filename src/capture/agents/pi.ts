import type { Agent, AgentEvent, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, changeIn, eventsOf, type Kinds, listOf, textIn, textsOf } from './payload.ts';
import { questionIn } from './question.ts';

const KINDS: Kinds = {
  session_start: 'session-start',
  before_agent_start: 'prompt',
  tool_result: 'tool',
  agent_settled: 'turn-end',
  session_compact: 'compaction',
  session_shutdown: 'session-end',
};

/**
 * Pi has no hook commands: an extension that `init` writes calls the launcher with parts of Pi's own events, the session, and the
 * agent's last text, and has tools that call the MCP server. A session keeps the reply to its start. Source: payloads of 1.6.0.
 */
export const pi: Agent = {
  name: 'pi',
  events: Object.keys(KINDS),
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
  const isPrompt = event === 'before_agent_start';
  const { session, cwd, prompt, text, summary, reason } = payload;
  if (isPrompt && asText(prompt) === '') return [];
  return eventsOf(KINDS[event], {
    session: asText(session),
    cwd: asText(cwd),
    text: asText(isPrompt ? prompt : text),
    source: reason === 'resume' || reason === 'fork' ? reason : 'startup',
    summary,
    reason,
    calls: () => [toolCall(payload)],
  });
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
    // The extension's tools are the server's.
    ...(tool.startsWith('git_mem_') && { server: 'git-mem' }),
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
