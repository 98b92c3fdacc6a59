import { protocol } from './claude-code.ts';
import type { Agent, AgentEvent, LoggedEvent, Question } from './event.ts';
import { asRecord, asText, listOf, textIn } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Factory's Droid speaks Claude Code's protocol, with other tool names and without ids of turns and calls. `droid exec`
 * reports no prompt, a failed call is reported only before it runs, and Stop has no answer: all three are in the
 * session's log. Source: payloads and a log of 0.225.2.
 */
export const factoryDroid: Agent = {
  ...protocol,
  name: 'factory-droid',
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'SubagentStop', 'Stop', 'SessionEnd'],
  // A reply before a tool does not reach the model.
  replies: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'],
  projectVariable: 'FACTORY_PROJECT_DIR',
  asks: ['UserPromptSubmit'],
  wakes: ['SessionStart', 'Stop', 'SessionEnd'],
  toEvents: (event, payload) => protocol.toEvents(event, renamed(payload)).map(ofMachine),
  toQuestion,
  toReply: (event, context) => protocol.toReply(event, context),
  log: { event: 'Stop', path: 'transcript_path', complete },
  setup: {
    title: 'Factory Droid',
    signs: { paths: ['.factory'], programs: ['droid'] },
    hooks: [{ path: '.factory/settings.json', template: 'hosts/factory-droid.json', kind: 'merged' }],
    mcp: [{ path: '.factory/mcp.json', shape: 'claude' }],
    // https://docs.factory.ai/cli/configuration/skills
    skills: { folder: '.factory/skills' },
    switches: {
      files: ['', '~/'].flatMap((at) =>
        ['settings.json', 'settings.local.json', 'hooks.json'].map((name) => `${at}.factory/${name}`),
      ),
      off: /^(hooks\.)?hooksDisabled=true$/,
    },
    client: 'factory-cli',
    coAuthor: '138933559+factory-droid[bot]@users.noreply.github.com',
    next: [
      'Start Droid in {root}. It ignores these hooks where there is a .factory/hooks.json: move them there if you have one.',
    ],
  },
};

const NAMES: Record<string, string> = { Create: 'Write', Execute: 'Bash' };

/** A sub-agent is a session of its own, whose prompt is the call that started it. */
function ofMachine(event: AgentEvent): AgentEvent {
  const isTask = event.kind === 'prompt' && event.text.startsWith('# Task Tool Invocation\n');
  return isTask ? { ...event, text: '', from: 'machine' } : event;
}

function renamed(payload: Record<string, unknown>): Record<string, unknown> {
  const tool = asText(payload.tool_name);
  const { old_str, new_str, ...input } = asRecord(payload.tool_input);
  const change = tool === 'Edit' ? { old_string: old_str, new_string: new_str } : {};
  return {
    ...payload,
    ...('task_result' in payload && { last_assistant_message: payload.task_result }),
    tool_name: NAMES[tool] ?? tool,
    tool_input: { ...input, ...change },
  };
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const input = asRecord(payload.tool_input);
  const question = questionIn(protocol.toEvents(event, renamed(payload)), { input });
  const isSubagent = question?.kind === 'start' && asText(payload.calling_session_id) !== '';
  return isSubagent ? { ...question, isSubagent } : question;
}

/** What the log has about the turn whose last message Stop names: the prompt, failed calls, the answer. */
function complete(
  events: readonly AgentEvent[],
  payload: Record<string, unknown>,
  lines: readonly Record<string, unknown>[],
): LoggedEvent[] {
  const messages = lines.filter(({ type }) => type === 'message');
  const end = messages.findIndex(({ id }) => id === payload.message_id);
  const begin = messages.findLastIndex((line, i) => i <= end && promptOf(line) !== '');
  const turn = messages.slice(begin < 0 ? end + 1 : begin, end + 1);
  const text = textIn(partsOf(turn.at(-1), 'text'));
  return [
    ...turn.slice(0, 1).map((line) => atItsTime(line, promptEvent(line, payload))),
    ...failedCalls(turn, payload),
    ...events.map((event) => ({ event: event.kind === 'turn-end' ? { ...event, text } : event })),
  ];
}

function promptEvent(line: Record<string, unknown>, { session_id, cwd }: Record<string, unknown>): AgentEvent {
  const common = { session: asText(session_id), cwd: asText(cwd), key: `prompt ${asText(line.id)}` };
  return ofMachine({ ...common, kind: 'prompt', text: promptOf(line), from: 'user' });
}

function failedCalls(turn: Record<string, unknown>[], { session_id, cwd }: Record<string, unknown>): LoggedEvent[] {
  const calls = new Map(turn.flatMap((line) => partsOf(line, 'tool_use')).map((part) => [part.id, part]));
  return turn.flatMap((line) =>
    partsOf(line, 'tool_result').flatMap(({ tool_use_id, is_error, content }) => {
      const { name, input } = calls.get(tool_use_id) ?? {};
      if (is_error !== true) return [];
      const error = asText(content).replace(/^Error: Command failed \(exit code: (\d+)\)/, 'Exit code $1');
      const payload = { session_id, cwd, tool_use_id, tool_name: name, tool_input: input, error };
      return protocol.toEvents('PostToolUseFailure', renamed(payload)).map((event) => atItsTime(line, event));
    }),
  );
}

function atItsTime({ timestamp }: Record<string, unknown>, event: AgentEvent): LoggedEvent {
  const at = new Date(asText(timestamp));
  return { event, ...(!Number.isNaN(at.getTime()) && { at: at.toISOString() }) };
}

/** What the user wrote in a line of the log; empty for reminders, results and hook output. */
function promptOf({ message }: Record<string, unknown>): string {
  const { role, visibility } = asRecord(message);
  if (role !== 'user' || visibility !== undefined) return '';
  const texts = partsOf({ message }, 'text').map((part) => asText(part.text));
  return texts.filter((text) => !text.startsWith('<system-reminder>')).join('\n');
}

function partsOf(line: Record<string, unknown> | undefined, type: string): Record<string, unknown>[] {
  return listOf(asRecord(line?.message).content).filter((part) => part.type === type);
}
