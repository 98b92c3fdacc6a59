import { blobId } from '../../memory/id.ts';
import { patchCalls } from './apply-patch.ts';
import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, eventsOf, type Kinds, keyed, kindOf, listOf, textsOf } from './payload.ts';
import { questionIn } from './question.ts';

const KINDS: Kinds = {
  TaskStart: 'session-start',
  TaskResume: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool',
  TaskComplete: 'turn-end',
  TaskCancel: 'turn-end',
};
const EVENTS = Object.keys(KINDS);

/**
 * Cline runs a program for each event, named after it, and blocks the work when one fails or prints broken JSON: ours print
 * `{"cancel":false}` whatever happens. An event's data is under the event's own name. Source: payloads of the command line
 * 3.0.65, which reports no prompt in `cline PROMPT`, passes no reply on at a task's start, and reads AGENTS.md; for the editor,
 * https://docs.cline.bot/features/hooks/hook-reference and its AttemptCompletionHandler.
 */
export const cline: Agent = {
  name: 'cline',
  events: EVENTS,
  quiet: ['TaskStart', 'TaskResume', 'TaskCancel'],
  // A late hook before a tool blocks the tool, so the reply about a file comes after it: both reach the same request.
  replies: ['TaskStart', 'TaskResume', 'UserPromptSubmit', 'PostToolUse'],
  asks: ['UserPromptSubmit'],
  wakes: ['TaskStart', 'TaskResume', 'TaskComplete', 'TaskCancel'],
  toEvents,
  toQuestion,
  toReply: (_event, context) => JSON.stringify({ cancel: false, contextModification: context }),
  setup: {
    title: 'Cline',
    // `.clinerules` may also be a file, which leaves no room for hooks.
    signs: { paths: ['.clinerules/'], programs: ['cline'] },
    hooks: EVENTS.map((event) => ({ path: `.clinerules/hooks/${event}`, template: 'hosts/cline.sh', kind: 'own' })),
    guide: { path: 'AGENTS.md' },
    next: [
      "Open {root}, and in the editor switch hooks on in Cline's settings. Add `git-mem mcp` to its MCP servers: Cline " +
        'keeps those outside of repositories.',
    ],
  },
};

/** Tools of the command line, and of the editor; `apply_patch` is recognised by its patch. */
const ACTIONS: Record<string, ToolAction> = {
  read_files: 'read',
  run_commands: 'command',
  search_codebase: 'search',
  fetch_web_content: 'fetch',
  spawn_agent: 'agent',
  read_file: 'read',
  replace_in_file: 'edit',
  write_to_file: 'write',
  execute_command: 'command',
  search_files: 'search',
  list_files: 'search',
  list_code_definition_names: 'search',
  web_fetch: 'fetch',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const agent = asText(payload.parent_agent_id) && asText(payload.agent_id);
  if (agent !== '' && event === 'TaskCancel') return [];
  const time = asText(payload.timestamp);
  return eventsOf(kindOf(KINDS, event, agent), {
    // On the command line a session has several tasks, including those of its sub-agents.
    session: asText(asRecord(payload.sessionContext).rootSessionId) || asText(payload.taskId),
    cwd: Array.isArray(payload.workspaceRoots) ? asText(payload.workspaceRoots[0]) : '',
    agent,
    key: keyed(event, time),
    text: textOf(event, payload),
    source: event === 'TaskResume' ? 'resume' : 'startup',
    calls: () => toolCalls(payload, time),
  });
}

/** Newer versions wrap the prompt in an element. */
function textOf(event: string, payload: Record<string, unknown>): string {
  if (event === 'UserPromptSubmit') {
    const prompt = asText(asRecord(payload.userPromptSubmit).prompt);
    return /^\s*<user_input\b[^>]*>([\s\S]*)<\/user_input>\s*$/.exec(prompt)?.[1] ?? prompt;
  }
  if (event !== 'TaskComplete') return '';
  const { taskMetadata } = asRecord(payload.taskComplete);
  return asText(asRecord(payload.turn).outputText) || asText(asRecord(taskMetadata).result);
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const question = questionIn(toEvents(event, payload));
  const isUnheard = question?.kind === 'start' && payload.hookName === 'agent_start';
  return isUnheard ? { ...question, isUnheard } : question;
}

/** One call may run several commands or change several files; each becomes a call of its own here. */
function toolCalls(payload: Record<string, unknown>, time: string): ToolCall[] {
  const { tool, input, results } = finished(payload);
  const made = blobId(JSON.stringify([tool, input])).slice(0, 12);
  const calls =
    tool === 'apply_patch'
      ? patchCalls({ id: '', tool, action: 'other', paths: [], output: '' }, asText(input.input))
      : tool === 'run_commands'
        ? commands(input)
        : [callOf(tool, input)];
  return calls.map((call, i) => {
    // A patch has one result for all of its files.
    const { ok, output } = results[i] ?? results[0] ?? { ok: undefined, output: '' };
    const exitCode = /^\[Command exited with code (\d+)\]/.exec(output)?.[1];
    const id = time && `${time} ${made}${i === 0 ? '' : `#${i}`}`;
    return { ...call, id, tool, ok, output, ...(exitCode !== undefined && { exitCode: Number(exitCode) }) };
  });
}

type Result = Pick<ToolCall, 'ok' | 'output'>;

/** The command line reports the whole call, the editor only its parameters. */
function finished(payload: Record<string, unknown>): {
  tool: string;
  input: Record<string, unknown>;
  results: Result[];
} {
  const { name, input, output } = asRecord(payload.tool_result);
  if (typeof name === 'string') {
    const results = Array.isArray(output) ? listOf(output) : [asRecord(output)];
    return { tool: name, input: asRecord(input), results: results.map((one) => resultOf(one.success, one.result)) };
  }
  const used = asRecord(payload.postToolUse);
  const tool = asText(used.toolName) || asText(used.tool);
  return { tool, input: asRecord(used.parameters), results: [resultOf(used.success, used.result)] };
}

function resultOf(success: unknown, result: unknown): Result {
  return { ok: typeof success === 'boolean' ? success : undefined, output: asText(result) };
}

type Made = Pick<ToolCall, 'action' | 'paths' | 'command' | 'change'>;

function commands({ commands }: Record<string, unknown>): Made[] {
  const lines = Array.isArray(commands) ? commands.map(asText) : [];
  return lines.map((command) => ({ action: 'command', paths: [], command }));
}

function callOf(tool: string, input: Record<string, unknown>): Made {
  const action = ACTIONS[tool] ?? 'other';
  return {
    action,
    paths: [...textsOf(input, 'path'), ...listOf(input.files).flatMap((file) => textsOf(file, 'path'))],
    ...(action === 'command' && { command: asText(input.command) }),
    ...(action === 'write' && { change: { removed: '', added: asText(input.content) } }),
    ...(action === 'edit' && { change: changeOf(asText(input.diff)) }),
  };
}

/** Blocks of `SEARCH`, old text, `=======`, new text, `REPLACE`. */
function changeOf(diff: string): { removed: string; added: string } {
  const blocks = [...diff.matchAll(/^[-<]{3,} ?SEARCH>?\n([\s\S]*?)^={3,}\n([\s\S]*?)^[+>]{3,} ?REPLACE>?$/gm)];
  const side = (at: 1 | 2) => blocks.map((block) => block[at] ?? '').join('');
  return blocks.length === 0 ? { removed: '', added: diff } : { removed: side(1), added: side(2) };
}
