import { blobId } from '../memory/id.ts';
import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, textsOf } from './payload.ts';

/**
 * Hooks of Copilot's command line and cloud agent: names in camel case, a number as `timestamp`, no ids of turns or calls,
 * and no word of what the agent said. A prompt cannot be answered. Written from
 * https://docs.github.com/en/copilot/reference/hooks-configuration; no payload of it has been recorded.
 *
 * VS Code's own agent runs the same files, in another dialect: snake case, and names of events as Claude Code has them
 * (`postToolUse` it translates, `userPromptSubmitted` and `agentStop` it does not know). What it alone understands is in a
 * file of its own, under keys that the command line does not read. Written from
 * https://code.visualstudio.com/docs/agent-customization/hooks and the source of its ChatHookService.
 */
export const copilot: Agent = {
  name: 'copilot',
  events: [
    'sessionStart',
    'userPromptSubmitted',
    'postToolUse',
    'postToolUseFailure',
    'agentStop',
    'sessionEnd',
    'SessionStart',
    'UserPromptSubmit',
    'Stop',
  ],
  replies: ['sessionStart', 'SessionStart'],
  asks: [],
  wakes: ['sessionStart', 'agentStop', 'sessionEnd', 'SessionStart', 'Stop'],
  toEvents,
  toQuestion,
  toReply: (event, context) =>
    JSON.stringify(
      event === 'SessionStart'
        ? { hookSpecificOutput: { hookEventName: event, additionalContext: context } }
        : { additionalContext: context },
    ),
  setup: {
    title: 'GitHub Copilot',
    signs: {
      paths: ['.github/copilot-instructions.md', '.github/hooks', '.github/copilot', '.vscode/mcp.json'],
      programs: ['copilot'],
    },
    // A hook before a tool that fails denies the tool: none is registered.
    hooks: [
      { path: '.github/hooks/git-mem.json', template: 'hosts/copilot.json', kind: 'own' },
      { path: '.github/hooks/git-mem-vscode.json', template: 'hosts/copilot-vscode.json', kind: 'own' },
    ],
    mcp: [
      { path: '.mcp.json', shape: 'claude' },
      { path: '.vscode/mcp.json', shape: 'vscode' },
    ],
    // Besides .github/skills and .claude/skills: https://docs.github.com/en/copilot/concepts/agents/about-agent-skills.
    skills: { folder: '.agents/skills' },
    guide: { path: 'AGENTS.md' },
    next: [
      'Start Copilot in {root} and trust the folder. The cloud agent has git-mem once its setup steps install it.',
      'In VS Code, start the MCP server git-mem from .vscode/mcp.json.',
    ],
  },
};

/** Tools of VS Code's agent. Those of the command line are not documented; a command shows itself. */
const ACTIONS: Record<string, ToolAction> = {
  read_file: 'read',
  create_file: 'write',
  createFile: 'write',
  replace_string_in_file: 'edit',
  editFiles: 'edit',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = sessionOf(payload);
  if (session === '' || isTwice(event, payload)) return [];
  const common = { session, cwd: asText(payload.cwd) };
  const time = typeof payload.timestamp === 'number' ? String(payload.timestamp) : asText(payload.timestamp);
  const key = time === '' ? {} : { key: `${event} ${time}` };
  switch (event) {
    case 'sessionStart':
    case 'SessionStart':
      return [{ ...common, kind: 'session-start', source: sourceOf(payload) }];
    case 'userPromptSubmitted':
    case 'UserPromptSubmit':
      return [{ ...common, ...key, kind: 'prompt', text: asText(payload.prompt), from: 'user' }];
    case 'postToolUse':
    case 'postToolUseFailure': {
      const call = toolCall(payload, time, event === 'postToolUse');
      return [{ ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call }];
    }
    case 'agentStop':
    case 'Stop':
      return [{ ...common, ...key, kind: 'turn-end', text: '' }];
    case 'sessionEnd':
      return [{ ...common, kind: 'session-end', reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const session = sessionOf(payload);
  if (session === '' || !copilot.replies.includes(event) || isTwice(event, payload)) return undefined;
  return { kind: 'start', session, source: sourceOf(payload) };
}

function sessionOf(payload: Record<string, unknown>): string {
  return asText(payload.sessionId) || asText(payload.session_id);
}

/** VS Code starts a session by both of our files; the one that was made for it has the answer that it reads. */
function isTwice(event: string, payload: Record<string, unknown>): boolean {
  const [named] = textsOf(payload, 'hook_event_name', 'hookEventName');
  return event === 'sessionStart' && named === 'SessionStart';
}

function sourceOf({ source }: Record<string, unknown>): string {
  return source === 'new' ? 'startup' : asText(source) || 'startup';
}

function toolCall(payload: Record<string, unknown>, time: string, passed: boolean): ToolCall {
  const tool = asText(payload.toolName) || asText(payload.tool_name);
  const input = argumentsOf(payload.toolArgs ?? payload.tool_input);
  const result = asRecord(payload.toolResult);
  const command = asText(input.command);
  const failed = 'resultType' in result && result.resultType !== 'success';
  const action = command === '' ? (ACTIONS[tool] ?? 'other') : 'command';
  const made = time && `${time} ${blobId(JSON.stringify([tool, input])).slice(0, 12)}`;
  const files = Array.isArray(input.files) ? input.files.map(asText).filter(Boolean) : [];
  return {
    id: asText(payload.tool_use_id) || made,
    tool,
    action,
    paths: [...textsOf(input, 'path', 'file_path', 'filePath'), ...files],
    ...(command && { command }),
    ok: passed && !failed,
    output: asText(result.textResultForLlm) || asText(payload.tool_response) || asText(payload.error),
    ...(action === 'write' && { change: { removed: '', added: asText(input.content) } }),
    ...(action === 'edit' && { change: { removed: asText(input.oldString), added: asText(input.newString) } }),
  };
}

/** An object, or its JSON. */
function argumentsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return asRecord(value);
  try {
    return asRecord(JSON.parse(value));
  } catch {
    return {}; // Text of another kind: the call is kept without it.
  }
}
