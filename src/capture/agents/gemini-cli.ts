import type { Agent, AgentEvent, LogEntry, LogLine, ToolAction, ToolCall } from './event.ts';
import {
  asRecord,
  asText,
  callId,
  commonOf,
  eventsOf,
  type Kinds,
  keyed,
  listOf,
  purposeOf,
  textIn,
  textsOf,
} from './payload.ts';
import { questionIn } from './question.ts';
import { answered, asked, codeAfter, timeOf } from './session-logs.ts';

const KINDS: Kinds = {
  SessionStart: 'session-start',
  BeforeAgent: 'prompt',
  AfterTool: 'tool',
  AfterAgent: 'turn-end',
  SessionEnd: 'session-end',
};

/**
 * Gemini CLI's hook protocol: `session_id`, `cwd` and a `timestamp` on every event, no ids of turns or calls. Records about a
 * file can be injected only after it was read, in AfterTool. `gemini -p` puts a start's reply in front of the prompt, and a
 * message that begins so is left out of a resumed session. Source: payloads and sessions of 0.61.0.
 */
export const geminiCli: Agent = {
  name: 'gemini-cli',
  events: Object.keys(KINDS),
  replies: ['SessionStart', 'BeforeAgent', 'AfterTool'],
  startsWithPrompt: true,
  projectVariable: 'GEMINI_PROJECT_DIR',
  asks: ['BeforeAgent'],
  wakes: ['SessionStart', 'AfterAgent', 'SessionEnd'],
  toEvents,
  toQuestion: (event, payload) => questionIn(toEvents(event, payload), { input: asRecord(payload.tool_input) }),
  toReply(event, context, { notice } = {}) {
    return JSON.stringify({
      ...(notice && { systemMessage: notice }),
      ...(context && { hookSpecificOutput: { hookEventName: event, additionalContext: context } }),
    });
  },
  // One file per session; a message is written again when its tools have ended.
  sessionLogs: { folder: '.gemini', files: 'tmp/*/chats/session-*.jsonl', belongs: 'sha256', open: () => readMessage },
  setup: {
    title: 'Gemini CLI',
    signs: { paths: ['.gemini', 'GEMINI.md'], programs: ['gemini'] },
    // Its timeouts are in milliseconds. PreCompress and the model's events fire at every model call, and say nothing.
    hooks: [{ path: '.gemini/settings.json', template: 'hosts/gemini-cli.json', kind: 'merged' }],
    mcp: [{ path: '.gemini/settings.json', shape: 'claude' }],
    // Besides .gemini/skills, over which it takes precedence: https://geminicli.com/docs/cli/using-agent-skills.
    skills: { folder: '.agents/skills' },
    // Hooks get the session's id, shells do not.
    shell: { marks: ['GEMINI_CLI'], session: 'GEMINI_SESSION_ID' },
    // `disabled` names hooks by their commands; older versions have `tools.enableHooks`: https://geminicli.com/docs/hooks.
    switches: {
      files: ['.gemini/settings.json', '~/.gemini/settings.json', '/etc/gemini-cli/settings.json'],
      off: /^(hooksConfig\.enabled|tools\.enableHooks)=false$|^hooksConfig\.disabled=.*\.memory\/hook/,
    },
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
  const time = asText(payload.timestamp);
  return eventsOf(KINDS[event], {
    session: asText(payload.session_id),
    cwd: asText(payload.cwd),
    key: keyed(event, time),
    text: event === 'BeforeAgent' ? promptOf(payload) : asText(payload.prompt_response),
    source: payload.source,
    reason: payload.reason,
    calls: () => [toolCall(payload, time)],
  });
}

/** What hooks injected at session start comes back in front of the first prompt. */
function promptOf(payload: Record<string, unknown>): string {
  return asText(payload.prompt).replace(/^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/, '');
}

function toolCall(payload: Record<string, unknown>, time: string): ToolCall {
  const tool = asText(payload.tool_name);
  const input = asRecord(payload.tool_input);
  const response = asRecord(payload.tool_response);
  const text = asText(response.llmContent);
  const action = ACTIONS[tool] ?? 'other';
  const code = action === 'command' ? /^Exit Code: (\d+)$/m.exec(text.slice(-400))?.[1] : undefined;
  const { newContent: after } = asRecord(response.returnDisplay);
  const isWritten = changeOf(action, input) !== undefined && typeof after === 'string';
  return callFrom(tool, input, {
    id: callId(time, tool, input),
    action,
    ok: outcome(action, code, after),
    code: code === undefined ? undefined : Number(code),
    // The written text is already in the change. The display has a command's bare output, which the text wraps.
    output: isWritten ? '' : asText(response.returnDisplay) || text,
  });
}

/** A call from its input and what the client says about its end. */
function callFrom(
  tool: string,
  input: Record<string, unknown>,
  { code, ...ended }: Pick<ToolCall, 'id' | 'action' | 'ok' | 'output'> & { code: number | undefined },
): ToolCall {
  const description = purposeOf(input);
  const change = changeOf(ended.action, input);
  return {
    ...ended,
    tool,
    paths: textsOf(input, 'file_path'),
    ...(ended.action === 'command' && { command: asText(input.command) }),
    ...(description && { description }),
    ...(code !== undefined && { exitCode: code }),
    ...(change && { change }),
  };
}

/** A command's exit code is given only if it is not 0; an edit that succeeded shows the new content. */
function outcome(action: ToolAction, code: string | undefined, after: unknown): boolean | undefined {
  if (action === 'command') return code === undefined || code === '0';
  return action === 'edit' || action === 'write' ? typeof after === 'string' : undefined;
}

function changeOf(action: ToolAction, input: Record<string, unknown>): ToolCall['change'] {
  if (action === 'write') return { removed: '', added: asText(input.content) };
  return action === 'edit' ? { removed: asText(input.old_string), added: asText(input.new_string) } : undefined;
}

/** Tools that appear in logs but that our hooks don't see. */
const LOGGED: Record<string, ToolAction> = {
  ...ACTIONS,
  glob: 'search',
  web_fetch: 'fetch',
  google_web_search: 'fetch',
};

/** Texts in the user's role that no user wrote. */
const NO_PROMPT = /^\s*<(?:session|hook)_context>/;

function readMessage(line: Record<string, unknown>): LogLine | undefined {
  const { type, content } = line;
  const hash = asText(line.projectHash);
  const id = asText(line.id);
  const entries = type === 'user' ? promptIn(content, id) : type === 'gemini' ? answerIn(line, id) : [];
  if (entries.length === 0 && hash === '') return undefined;
  const turn = entries.some(({ role }) => role === 'prompt') ? id : '';
  const where = { session: asText(line.sessionId), turn };
  return { at: timeOf(line.timestamp), where, entries, ...(hash && { hash }) };
}

function promptIn(content: unknown, id: string): LogEntry[] {
  const parts = listOf(content);
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
  if (isResult || parts.some((part) => NO_PROMPT.test(asText(part.text)))) return [];
  return asked(textIn(content), id);
}

function answerIn({ content, toolCalls }: Record<string, unknown>, id: string): LogEntry[] {
  const calls = listOf(toolCalls).filter(({ result }) => result !== undefined);
  if (toolCalls !== undefined) return calls.map(loggedCall);
  return answered(textIn(content), 'reply', id);
}

function loggedCall(one: Record<string, unknown>): LogEntry {
  const tool = asText(one.name);
  const id = asText(one.id);
  const given = listOf(one.result).map((part) => asText(asRecord(asRecord(part.functionResponse).response).output));
  const printed = given.filter(Boolean).join('\n');
  const code = codeAfter(printed, 'Exit Code: ');
  const failed = one.status === 'error' || one.status === 'cancelled';
  const call = callFrom(tool, asRecord(one.args), {
    id,
    action: LOGGED[tool] ?? 'other',
    output: asText(one.resultDisplay) || printed,
    ok: code !== undefined ? code === 0 : failed ? false : one.status === 'success' ? true : undefined,
    code,
  });
  return {
    role: 'event',
    at: timeOf(one.timestamp),
    id,
    events: (where) => [{ ...commonOf(where), kind: 'tool', call }],
  };
}
