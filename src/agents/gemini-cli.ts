import { blobId } from '../memory/id.ts';
import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, textsOf } from './payload.ts';
import { commandReads } from './shell-reads.ts';

/**
 * Gemini CLI's hook protocol: `session_id`, `cwd` and a `timestamp` on every event, no ids of turns or calls. Only a file
 * that was read already can be commented on, in AfterTool. Source: payloads and a session of 0.61.0.
 */
export const geminiCli: Agent = {
  name: 'gemini-cli',
  events: ['SessionStart', 'BeforeAgent', 'AfterTool', 'AfterAgent', 'SessionEnd'],
  replies: ['SessionStart', 'BeforeAgent', 'AfterTool'],
  asks: ['BeforeAgent', 'AfterTool'],
  wakes: ['SessionStart', 'AfterAgent', 'SessionEnd'],
  toEvents,
  toQuestion,
  toReply(event, context) {
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: context } });
  },
  setup: {
    title: 'Gemini CLI',
    signs: { paths: ['.gemini', 'GEMINI.md'], programs: ['gemini'] },
    // Its timeouts are milliseconds. PreCompress and the events of the model fire at every call of it, and say nothing.
    hooks: [{ path: '.gemini/settings.json', template: 'hosts/gemini-cli.json', kind: 'merged' }],
    mcp: [{ path: '.gemini/settings.json', shape: 'claude' }],
    // Besides .gemini/skills, over which it takes precedence: https://geminicli.com/docs/cli/using-agent-skills.
    skills: { folder: '.agents/skills' },
    // Hooks are told the session, shells are not.
    shell: { marks: ['GEMINI_CLI'], session: 'GEMINI_SESSION_ID' },
    next: ['Start Gemini CLI in {root} and trust the folder: it lists the hooks of a project when it starts.'],
  },
};

const ACTIONS: Record<string, ToolAction> = {
  read_file: 'read',
  replace: 'edit',
  write_file: 'write',
  run_shell_command: 'command',
  grep_search: 'search',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = asText(payload.session_id);
  if (session === '') return [];
  const common = { session, cwd: asText(payload.cwd) };
  const time = asText(payload.timestamp);
  const key = time === '' ? {} : { key: `${event} ${time}` };

  switch (event) {
    case 'SessionStart':
      return [{ ...common, kind: 'session-start', source: asText(payload.source) || 'startup' }];
    case 'BeforeAgent':
      return [{ ...common, ...key, kind: 'prompt', text: promptOf(payload), from: 'user' }];
    case 'AfterTool': {
      const call = toolCall(payload, time);
      return [{ ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call }];
    }
    case 'AfterAgent':
      return [{ ...common, ...key, kind: 'turn-end', text: asText(payload.prompt_response) }];
    case 'SessionEnd':
      return [{ ...common, kind: 'session-end', reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const session = asText(payload.session_id);
  if (session === '') return undefined;
  switch (event) {
    case 'SessionStart':
      // A session that is resumed lost what was injected into it.
      return { kind: 'start', session, source: payload.source === 'resume' ? 'startup' : asText(payload.source) };
    case 'BeforeAgent':
      return { kind: 'prompt', session, reader: session, text: promptOf(payload) };
    case 'AfterTool': {
      const input = asRecord(payload.tool_input);
      const action = ACTIONS[asText(payload.tool_name)];
      const command = action === 'command' ? commandReads(asText(input.command)) : [];
      const paths = action === 'read' ? textsOf(input, 'file_path') : command;
      return paths.length === 0
        ? undefined
        : { kind: 'read', session, reader: session, cwd: asText(payload.cwd), paths };
    }
    default:
      return undefined;
  }
}

/** What hooks injected at the start of the session comes back in front of the first prompt. */
function promptOf(payload: Record<string, unknown>): string {
  return asText(payload.prompt).replace(/^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/, '');
}

function toolCall(payload: Record<string, unknown>, time: string): ToolCall {
  const tool = asText(payload.tool_name);
  const input = asRecord(payload.tool_input);
  const response = asRecord(payload.tool_response);
  const text = asText(response.llmContent);
  const action = ACTIONS[tool] ?? 'other';
  // Calls run side by side, and two may end in one millisecond.
  const id = time && `${time} ${blobId(JSON.stringify([tool, input])).slice(0, 12)}`;
  const code = action === 'command' ? /^Exit Code: (\d+)$/m.exec(text.slice(-400))?.[1] : undefined;
  const description = asText(input.description);
  const change = changeOf(action, input);
  const after = asRecord(response.returnDisplay).newContent;
  return {
    id,
    tool,
    action,
    paths: textsOf(input, 'file_path'),
    ...(action === 'command' && { command: asText(input.command) }),
    ...(description && { description }),
    ok: outcome(action, code, after),
    ...(code !== undefined && { exitCode: Number(code) }),
    // What was written is in the change already.
    output: change === undefined || typeof after !== 'string' ? shownText(response, text) : '',
    ...(change && { change }),
    ...(change && typeof after === 'string' && { blob: blobId(after) }),
  };
}

/** Of a command its exit code is told where it is not 0; a change that was made shows the new content. */
function outcome(action: ToolAction, code: string | undefined, after: unknown): boolean | undefined {
  if (action === 'command') return code === undefined || code === '0';
  return action === 'edit' || action === 'write' ? typeof after === 'string' : undefined;
}

/** What a command printed stands alone in the display, and for the model in a wrapping. */
function shownText(response: Record<string, unknown>, text: string): string {
  return asText(response.returnDisplay) || text;
}

function changeOf(action: ToolAction, input: Record<string, unknown>): ToolCall['change'] {
  if (action === 'write') return { removed: '', added: asText(input.content) };
  return action === 'edit' ? { removed: asText(input.old_string), added: asText(input.new_string) } : undefined;
}
