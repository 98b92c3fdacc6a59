import { jsonIn } from '../../json.ts';
import type { Agent, AgentEvent, LoggedEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, callId, eventsOf, type Kinds, keyed, kindOf, textsOf } from './payload.ts';
import { questionIn } from './question.ts';

const KINDS: Kinds = {
  sessionStart: 'session-start',
  userPromptSubmitted: 'prompt',
  postToolUse: 'tool',
  postToolUseFailure: 'tool',
  agentStop: 'turn-end',
  sessionEnd: 'session-end',
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  Stop: 'turn-end',
};

/**
 * Hooks of Copilot's command line and cloud agent: names in camel case, a number as `timestamp`, no ids of turns or calls.
 * Only the session's log has what the agent said. Source: payloads and logs of 1.0.102.
 *
 * VS Code's own agent runs the same files in another dialect: snake case, and Claude Code's event names (it translates
 * `postToolUse` and does not know `userPromptSubmitted` and `agentStop`). Hooks that only VS Code understands are in a
 * separate file. The command line runs that file too, and sets COPILOT_CLI, which makes the file's commands end at
 * once. Written from https://code.visualstudio.com/docs/agent-customization/hooks and the source of its
 * ChatHookService.
 */
export const copilot: Agent = {
  name: 'copilot',
  events: Object.keys(KINDS),
  quiet: ['sessionStart', 'userPromptSubmitted', 'UserPromptSubmit'],
  // A failing hook before a tool denies the tool, so the reply about a file comes after it: both reach the same
  // request.
  replies: ['sessionStart', 'userPromptSubmitted', 'postToolUse', 'SessionStart'],
  forgetsStart: true,
  asks: ['userPromptSubmitted'],
  wakes: ['sessionStart', 'agentStop', 'sessionEnd', 'SessionStart', 'Stop'],
  toEvents,
  toQuestion,
  toReply: (event, context) =>
    JSON.stringify(
      event === 'SessionStart'
        ? { hookSpecificOutput: { hookEventName: event, additionalContext: context } }
        : { additionalContext: context },
    ),
  log: { event: 'agentStop', path: 'transcriptPath', complete },
  setup: {
    title: 'GitHub Copilot',
    signs: {
      paths: ['.github/copilot-instructions.md', '.github/hooks', '.github/copilot', '.vscode/mcp.json'],
      programs: ['copilot'],
    },
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
    // `copilot help config`, and VS Code's own: https://code.visualstudio.com/docs/agent-customization/hooks.
    switches: {
      files: [
        '.github/copilot/settings.json',
        '.github/copilot/settings.local.json',
        '${COPILOT_HOME:-~/.copilot}/settings.json',
        '${COPILOT_HOME:-~/.copilot}/config.json',
        '.vscode/settings.json',
        '~/.config/Code/User/settings.json',
        '~/Library/Application Support/Code/User/settings.json',
        '~/AppData/Roaming/Code/User/settings.json',
      ],
      off: /^disableAllHooks=true$|^chat\.useHooks=false$/,
    },
    shell: {
      marks: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'],
      session: 'COPILOT_AGENT_SESSION_ID',
      version: ({ COPILOT_CLI_BINARY_VERSION }) => COPILOT_CLI_BINARY_VERSION,
    },
    coAuthor: '223556219+Copilot@users.noreply.github.com',
    next: [
      'Start Copilot in {root} and trust the folder. The cloud agent has git-mem once its setup steps install it.',
      'In VS Code, start the MCP server git-mem from .vscode/mcp.json.',
    ],
  },
};

/** Tools of the command line, and of VS Code's agent; a shell tool is recognised by its command. */
const ACTIONS: Record<string, ToolAction> = {
  view: 'read',
  create: 'write',
  edit: 'edit',
  grep: 'search',
  glob: 'search',
  task: 'agent',
  read_file: 'read',
  create_file: 'write',
  createFile: 'write',
  replace_string_in_file: 'edit',
  editFiles: 'edit',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  // VS Code runs both our files at session start; the one made for it gives the reply it reads.
  if (event === 'sessionStart' && isVsCode(payload)) return [];
  const agent = agentOf(payload);
  const { timestamp, source } = payload;
  const time = typeof timestamp === 'number' ? String(timestamp) : asText(timestamp);
  return eventsOf(kindOf(KINDS, event, agent), {
    session: sessionOf(payload),
    cwd: asText(payload.cwd),
    agent,
    key: keyed(event, time),
    text: asText(KINDS[event] === 'prompt' && payload.prompt),
    source: source === 'new' ? 'startup' : source,
    reason: payload.reason,
    calls: () => [toolCall(payload, time, event === 'postToolUse')],
  });
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const [session, agent] = [sessionOf(payload), agentOf(payload)];
  if (event === 'userPromptSubmitted' && session !== '' && agent !== '')
    return { kind: 'start', session, reader: `${session} ${agent}`, source: '', isSubagent: true };
  // VS Code expects a different reply than the command line.
  return event === 'postToolUse' && isVsCode(payload) ? undefined : questionIn(toEvents(event, payload));
}

/** The last message of the turn that ended; the log may have grown since. */
function complete(
  events: readonly AgentEvent[],
  payload: Record<string, unknown>,
  lines: readonly Record<string, unknown>[],
): LoggedEvent[] {
  const agent = agentOf(payload);
  // A sub-agent stops before its last message is in the log.
  const end = agent === '' && typeof payload.timestamp === 'number' ? payload.timestamp : Number.NaN;
  let text = '';
  for (const { type, data: said, timestamp: at, agentId } of lines) {
    if (Date.parse(asText(at)) > end) break;
    // Sub-agents write into the log of their parent.
    if (asText(agentId) !== agent) continue;
    const data = asRecord(said);
    if (type === 'user.message') text = '';
    // Older versions identify a sub-agent only by the call that started it.
    if (type === 'assistant.message' && (agentId !== undefined || data.parentToolCallId === undefined))
      text = asText(data.content) || text;
  }
  return events.map((event) => ({
    event: event.kind === 'turn-end' || event.kind === 'report' ? { ...event, text } : event,
  }));
}

function sessionOf(payload: Record<string, unknown>): string {
  return agentOf(payload) ? asText(payload.parentAgentId) : asText(payload.sessionId) || asText(payload.session_id);
}

/** A sub-agent reports under its own id, and names its parent. */
function agentOf(payload: Record<string, unknown>): string {
  return asText(payload.parentAgentId) && asText(payload.agentId);
}

/** The command line names the event only in the snake case dialect, for which git-mem is not registered. */
function isVsCode(payload: Record<string, unknown>): boolean {
  return textsOf(payload, 'hook_event_name', 'hookEventName').length > 0;
}

function toolCall(payload: Record<string, unknown>, time: string, passed: boolean): ToolCall {
  const tool = asText(payload.toolName) || asText(payload.tool_name);
  const given = payload.toolArgs ?? payload.tool_input;
  const input = asRecord(typeof given === 'string' ? jsonIn(given) : given);
  const result = asRecord(payload.toolResult);
  const command = asText(input.command);
  const output = asText(result.textResultForLlm) || asText(payload.tool_response) || asText(payload.error);
  // A failed command is reported as a success too; the last line says how it ended.
  const code = /^<shellId: \S+ completed with exit code (\d+)>\s*$/m.exec(output.slice(-200))?.[1];
  const failed = ('resultType' in result && result.resultType !== 'success') || (code !== undefined && code !== '0');
  const action = command === '' ? (ACTIONS[tool] ?? 'other') : 'command';
  const files = Array.isArray(input.files) ? input.files.map(asText).filter(Boolean) : [];
  return {
    id: asText(payload.tool_use_id) || callId(time, tool, input),
    tool,
    action,
    paths: [...textsOf(input, 'path', 'file_path', 'filePath'), ...files],
    ...(command && { command }),
    ok: passed && !failed,
    ...(code !== undefined && { exitCode: Number(code) }),
    output,
    ...(action === 'write' && { change: { removed: '', added: textOf(input, 'file_text', 'content') } }),
    ...(action === 'edit' && {
      change: { removed: textOf(input, 'old_str', 'oldString'), added: textOf(input, 'new_str', 'newString') },
    }),
  };
}

function textOf(input: Record<string, unknown>, ...keys: string[]): string {
  return textsOf(input, ...keys)[0] ?? '';
}
