import { blobId } from '../memory/id.ts';
import type { Agent, AgentEvent, Question, ToolCall } from './event.ts';
import { asRecord, asText, textsOf } from './payload.ts';

/**
 * Hooks of Copilot's command line and cloud agent: names in camel case, a number as `timestamp`, no ids of turns or calls,
 * and no word of what the agent said. A prompt cannot be answered. Written from
 * https://docs.github.com/en/copilot/reference/hooks-configuration; no payload of it has been recorded.
 */
export const copilot: Agent = {
  name: 'copilot',
  events: ['sessionStart', 'userPromptSubmitted', 'postToolUse', 'postToolUseFailure', 'agentStop', 'sessionEnd'],
  replies: ['sessionStart'],
  wakes: ['sessionStart', 'agentStop', 'sessionEnd'],
  toEvents,
  toQuestion,
  toReply: (_event, context) => JSON.stringify({ additionalContext: context }),
  setup: {
    title: 'GitHub Copilot',
    signs: { paths: ['.github/copilot-instructions.md', '.github/hooks', '.github/copilot'], programs: ['copilot'] },
    // A hook before a tool that fails denies the tool: none is registered.
    hooks: { path: '.github/hooks/git-mem.json', template: 'hosts/copilot.json', kind: 'own' },
    mcp: { path: '.mcp.json', shape: 'claude' },
    // Besides .github/skills and .claude/skills: https://docs.github.com/en/copilot/concepts/agents/about-agent-skills.
    skills: { folder: '.agents/skills' },
    guide: { path: 'AGENTS.md' },
    next: [
      'Start Copilot in {root} and trust the folder. The cloud agent has git-mem once its setup steps install it.',
    ],
  },
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = asText(payload.sessionId);
  if (session === '') return [];
  const common = { session, cwd: asText(payload.cwd) };
  const time = typeof payload.timestamp === 'number' ? String(payload.timestamp) : '';
  const key = time === '' ? {} : { key: `${event} ${time}` };
  switch (event) {
    case 'sessionStart':
      return [{ ...common, kind: 'session-start', source: sourceOf(payload) }];
    case 'userPromptSubmitted':
      return [{ ...common, ...key, kind: 'prompt', text: asText(payload.prompt), from: 'user' }];
    case 'postToolUse':
    case 'postToolUseFailure': {
      const call = toolCall(payload, time, event === 'postToolUse');
      return [{ ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call }];
    }
    case 'agentStop':
      return [{ ...common, ...key, kind: 'turn-end', text: '' }];
    case 'sessionEnd':
      return [{ ...common, kind: 'session-end', reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const session = asText(payload.sessionId);
  return event === 'sessionStart' && session !== '' ? { kind: 'start', session, source: sourceOf(payload) } : undefined;
}

function sourceOf({ source }: Record<string, unknown>): string {
  return source === 'new' ? 'startup' : asText(source) || 'startup';
}

function toolCall(payload: Record<string, unknown>, time: string, passed: boolean): ToolCall {
  const tool = asText(payload.toolName);
  const input = argumentsOf(payload.toolArgs);
  const result = asRecord(payload.toolResult);
  const command = asText(input.command);
  const failed = 'resultType' in result && result.resultType !== 'success';
  return {
    id: time && `${time} ${blobId(JSON.stringify([tool, input])).slice(0, 12)}`,
    tool,
    // The names of its tools are not documented; a command shows itself.
    action: command === '' ? 'other' : 'command',
    paths: textsOf(input, 'path', 'file_path', 'filePath'),
    ...(command && { command }),
    ok: passed && !failed,
    output: asText(result.textResultForLlm) || asText(payload.error),
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
