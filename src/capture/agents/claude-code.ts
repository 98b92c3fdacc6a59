import { blobId } from '../../memory/id.ts';
import { toolCall } from './claude-code-calls.ts';
import type { Agent, AgentEvent, Beside, LogEntry, LogLine, Question, Where } from './event.ts';
import { asRecord, asText, eventsOf, type Kinds, keyed, listOf, textIn } from './payload.ts';
import { questionIn } from './question.ts';
import { CALL, openCalls, timeOf } from './session-logs.ts';

const KINDS: Kinds = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  PostToolBatch: 'tool',
  SubagentStop: 'report',
  Stop: 'turn-end',
  StopFailure: 'turn-end',
  // Only announces what PostCompact reports.
  PreCompact: undefined,
  PostCompact: 'compaction',
  SessionEnd: 'session-end',
};

/**
 * Claude Code's hook protocol: one JSON object on stdin, `session_id`, `cwd`, `prompt_id` and `agent_id` on every event.
 * Source: payloads of 2.1.197 and 2.1.329, and https://docs.anthropic.com/en/docs/claude-code/hooks.
 */
export const protocol = {
  events: Object.keys(KINDS),
  quiet: ['PostToolBatch', 'SubagentStop', 'PreCompact'],
  // PreToolUse and SubagentStart only ask: PostToolUse and SubagentStop report the result.
  replies: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SubagentStart'],
  before: { PreToolUse: 'PostToolUse' },
  asks: ['UserPromptSubmit', 'Stop'],
  wakes: ['SessionStart', 'Stop', 'StopFailure', 'PostCompact', 'SessionEnd'],
  toEvents,
  toQuestion,
  toReply(event: string, context: string, { notice, ask }: Beside = {}) {
    // At Stop, additionalContext also continues the turn; unlike a block's reason, the model sees it only once.
    const decision = ask && { permissionDecision: 'ask', permissionDecisionReason: ask };
    const hookSpecificOutput = { hookEventName: event, ...decision, additionalContext: context };
    return JSON.stringify({ ...(notice && { systemMessage: notice }), hookSpecificOutput });
  },
} satisfies Omit<Agent, 'name' | 'setup'>;

/** Claude Code: the protocol, its logs, and asking a person. */
export const claudeCode: Agent = {
  ...protocol,
  name: 'claude-code',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  // `claude -p` and modes that never ask the person would deny the call instead.
  asksPerson: (event, { permission_mode: mode }, { CLAUDE_CODE_SESSION_ATTENDED: attended }) =>
    event === 'PreToolUse' && attended === '1' && mode !== 'dontAsk' && mode !== 'bypassPermissions',
  // Transcripts: one line per content block, tool results as the user's lines. Observed in 2.1.197 and 2.1.329.
  sessionLogs: {
    variable: 'CLAUDE_CONFIG_DIR',
    folder: '.claude',
    files: 'projects/{slug}*/*.jsonl',
    belongs: 'cwd',
    open: readTranscript,
  },
  setup: {
    title: 'Claude Code',
    signs: { paths: ['.claude', 'CLAUDE.md'], programs: ['claude'] },
    // The template registers only events that say something new: PostToolBatch and PreCompact repeat what others report, and so
    // does PostCompact, whose command the terminal prints. SessionEnd needs a timeout, because the default is 1.5 s.
    hooks: [{ path: '.claude/settings.json', template: 'hosts/claude-code.json', kind: 'merged' }],
    mcp: [{ path: '.mcp.json', shape: 'claude' }],
    skills: { folder: '.claude/skills' },
    hooksOfStart: true,
    shell: {
      marks: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
      session: 'CLAUDE_CODE_SESSION_ID',
      // AI_AGENT=claude-code_2-1-329
      version: ({ AI_AGENT = '' }) => /^claude-code_([\d-]+)/.exec(AI_AGENT)?.[1]?.replaceAll('-', '.'),
    },
    // https://code.claude.com/docs/en/settings; the last two are an organisation's.
    switches: {
      files: [
        '.claude/settings.json',
        '.claude/settings.local.json',
        '${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json',
        '/etc/claude-code/managed-settings.json',
        '/Library/Application Support/ClaudeCode/managed-settings.json',
      ],
      off: /^(disableAllHooks|allowManagedHooksOnly)=true$/,
    },
    coAuthor: 'noreply@anthropic.com',
    next: [
      'Start Claude Code in {root}, because it runs the hooks of the folder where it is started. ' +
        'It asks once whether you trust them, and the answer it offers first is no; then for the MCP server.',
    ],
  },
};

/** Machine prompts arrive as UserPromptSubmit too: a background sub-agent that ended, a wake-up, a schedule. */
const MACHINE_PROMPT = /^\s*<(task-notification|agent-notification|system-reminder|local-command-)/;
const MACHINE_SOURCES = ['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'];

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const isPrompt = event === 'UserPromptSubmit';
  const isFromMachine = isPrompt && isMachinePrompt(payload);
  const said = asText(isPrompt ? payload.prompt : event === 'StopFailure' ? '' : payload.last_assistant_message);
  if (event === 'SubagentStop' && (said === '' || isCompaction(payload))) return [];
  const [turn, agent] = [asText(payload.prompt_id), asText(payload.agent_id)];
  const isAnswer = event === 'SubagentStop' || event === 'Stop';
  return eventsOf(KINDS[event], {
    session: asText(payload.session_id),
    cwd: asText(payload.cwd),
    turn,
    agent,
    key: keyed(event, turn, agent, isAnswer ? blobId(said) : ''),
    text: isFromMachine ? resultIn(said) : said,
    from: isFromMachine ? 'machine' : 'user',
    isAgain: event === 'Stop' && payload.stop_hook_active === true,
    source: payload.source,
    summary: payload.compact_summary,
    reason: payload.reason,
    calls: () =>
      event === 'PostToolBatch'
        ? // A batch repeats what PostToolUse reported; where it is the only report, its text result has no exit code.
          listOf(payload.tool_calls).map((call) => toolCall(call, undefined))
        : [toolCall(payload, event === 'PostToolUse')],
  });
}

/** The client's own compaction runs as a sub-agent without a type; its text comes with PostCompact. */
function isCompaction(payload: Record<string, unknown>): boolean {
  return asText(payload.agent_type) === '' && 'agent_type' in payload;
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const isBefore = event === 'PreToolUse';
  const input = asRecord(payload.tool_input);
  if (event !== 'SubagentStart') {
    return questionIn(toEvents(isBefore ? 'PostToolUse' : event, payload), { input, isBefore });
  }
  // Sub-agents don't see their parent's context. The client's own compaction runs as one without a type.
  const session = asText(payload.session_id);
  if (session === '' || asText(payload.agent_type) === '') return undefined;
  const reader = [session, asText(payload.agent_id)].filter(Boolean).join(' ');
  return { kind: 'start', session, reader, source: '', isSubagent: true };
}

function isMachinePrompt(payload: Record<string, unknown>): boolean {
  return MACHINE_PROMPT.test(asText(payload.prompt)) || MACHINE_SOURCES.includes(asText(payload.source));
}

/** Only the sub-agent's result is worth reading in a notification. */
function resultIn(text: string): string {
  const start = text.indexOf('<result>');
  const end = text.lastIndexOf('</result>');
  return start >= 0 && end > start ? text.slice(start + '<result>'.length, end) : '';
}

/** A command that prompts the model starts with its message; one that only the client handles starts with its name. */
const COMMAND =
  /^\s*<command-message>[^<]*<\/command-message>\s*<command-name>([^<]+)<\/command-name>(?:\s*<command-args>([\s\S]*)<\/command-args>)?\s*$/;
/** Texts in the user's role that no user wrote. */
const NO_PROMPT = /^\s*(?:<command-|<local-command-|<bash-|<user-memory-|\[Request interrupted|Caveat: )/;

/** Reports events as the hooks would, so that a session with both gets each event once. */
function readTranscript(): (line: Record<string, unknown>) => LogLine | undefined {
  const open = openCalls<Record<string, unknown>>();
  let isAgain = false;
  let said = '';

  function entriesOf(line: Record<string, unknown>): LogEntry[] {
    const { content, stop_reason, model } = asRecord(line.message);
    // The client itself speaks in the model's place, as after one of its own commands.
    if (model === '<synthetic>') return [];
    const id = asText(line.uuid);
    const parts = listOf(content);
    if (line.type === 'assistant')
      return parts.flatMap((part): LogEntry[] => {
        if (part.type === 'tool_use') {
          open.begin(asText(part.id), { tool_name: part.name, tool_input: part.input, tool_use_id: part.id });
          // A plan, or what was said before a question, counts whatever the user answers.
          const plan = part.name === 'ExitPlanMode' ? asText(asRecord(part.input).plan) : '';
          const told = part.name === 'AskUserQuestion' ? said : plan;
          said = '';
          const text = told.replace(/^\s*#+ (?:plan: )?(.*)/iu, 'Plan: $1.');
          return [CALL, asHook('SubagentStop', { last_assistant_message: text }, { role: 'event' })];
        }
        const text = asText(part.text);
        if (part.type !== 'text' || text.trim() === '') return [];
        said = text;
        const role = stop_reason === 'end_turn' ? 'turn-end' : 'reply';
        return [asHook('Stop', { last_assistant_message: text, stop_hook_active: isAgain }, { role, id })];
      });
    if (line.type === 'system') {
      // Errors of stop hooks make the agent continue.
      isAgain ||= Array.isArray(line.hookErrors) && line.hookErrors.length > 0;
      const isOver = line.subtype === 'turn_duration' || line.subtype === 'stop_hook_summary';
      return isOver ? [{ role: 'over', events: () => [] }] : [];
    }
    if (line.type !== 'user') return [];
    const results = parts.filter(({ type }) => type === 'tool_result');
    if (results.length > 0) return results.flatMap((part) => resultOf(part, line.toolUseResult));
    const text = textIn(content).replace(COMMAND, (_, name: string, args = '') => `${name} ${args}`.trim());
    // An interrupted reply is not an answer.
    if (text.startsWith('[Request interrupted')) return [CALL];
    const isTyped = ![text, ...parts.map((part) => asText(part.text))].some((one) => NO_PROMPT.test(one));
    if (text.trim() === '' || !isTyped) return [];
    isAgain = false;
    return [asHook('UserPromptSubmit', { prompt: text }, { role: 'prompt', id })];
  }

  function resultOf(part: Record<string, unknown>, response: unknown): LogEntry[] {
    const call = open.end(asText(part.tool_use_id));
    if (call === undefined) return [];
    const output = textIn(part.content);
    if (part.is_error === true)
      return [asHook('PostToolUseFailure', { ...call, error: output || 'failed' }, { role: 'event' })];
    return [asHook('PostToolUse', { ...call, tool_response: response ?? output }, { role: 'event' })];
  }

  return (line) => {
    if (line.isSidechain === true || line.isMeta === true || line.isCompactSummary === true) return undefined;
    const entries = entriesOf(line);
    if (entries.length === 0) return undefined;
    const where = { session: asText(line.sessionId), cwd: asText(line.cwd), branch: asText(line.gitBranch) };
    const turn = entries.some(({ role }) => role === 'prompt') ? asText(line.promptId) || asText(line.uuid) : '';
    return { at: timeOf(line.timestamp), where: { ...where, turn }, entries };
  };
}

function asHook(event: string, payload: Record<string, unknown>, entry: Pick<LogEntry, 'role' | 'id'>): LogEntry {
  const events = ({ session, cwd, turn }: Where) =>
    toEvents(event, { session_id: session, cwd, ...(turn && { prompt_id: turn }), ...payload });
  return { ...entry, events };
}
