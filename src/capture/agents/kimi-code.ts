import { protocol } from './claude-code.ts';
import type { Agent, AgentEvent } from './event.ts';
import { asRecord, asText, keyed, textIn } from './payload.ts';
import { questionIn } from './question.ts';
import { codeAfter, timeOf } from './session-logs.ts';

const EVENTS = protocol.events.filter((event) => event !== 'PostToolBatch' && event !== 'PreCompact');

/**
 * Kimi Code speaks Claude Code's protocol, with some keys of its own. Of all replies only the one to a prompt reaches the model.
 * Its hooks are the user's own and run in untrusted folders too, so they call the program on PATH, never one from a repository.
 * Source: payloads and a log of 2.1.0.
 */
export const kimiCode: Agent = {
  ...protocol,
  name: 'kimi-code',
  events: EVENTS,
  quiet: ['SubagentStop', 'Stop'],
  replies: ['SessionStart', 'UserPromptSubmit', 'PostCompact'],
  startsWithPrompt: true,
  asks: ['UserPromptSubmit'],
  toEvents,
  toQuestion: (event, payload) => questionIn(toEvents(event, payload)),
  toReply: (_event, context) => (context === '' ? '' : JSON.stringify({ message: context })),
  log: {
    event: 'Stop',
    path: { variable: 'KIMI_CODE_HOME', folder: '.kimi-code', files: 'sessions/*/{session_id}/agents/main/wire.jsonl' },
    // Only the log has the answer. A sub-agent's Stop looks like the session's own, but comes within a turn or after it.
    complete(events, _payload, lines, at) {
      const steps = lines.filter(({ time }) => (timeOf(time) ?? at) <= at).map((line) => asRecord(line.event));
      const last = steps.findLast(({ type }) => type === 'step.begin' || type === 'step.end');
      if (last?.type === 'step.begin' || last?.finishReason === 'tool_use') return [];
      const text = textIn(steps.filter(({ stepUuid }) => stepUuid === last?.uuid).map(({ part }) => part));
      const said = { ...keyed('Stop', asText(last?.uuid)), text };
      return events.map((event) => ({ event: event.kind === 'turn-end' ? { ...event, ...said } : event }));
    },
  },
  setup: {
    title: 'Kimi Code',
    signs: { paths: ['.kimi-code'], programs: ['kimi'] },
    hooks: [],
    mcp: [{ path: '.mcp.json', shape: 'claude' }],
    skills: { folder: '.kimi-code/skills' },
    next: [
      'Once for all repositories, add git-mem to your own hooks of Kimi Code, which does nothing where there is no memory: ' +
        `for event in ${EVENTS.join(' ')}; do printf '\\n[[hooks]]\\nevent = "%s"\\ncommand = "git-mem hook kimi-code"\\n` +
        `timeout = 10\\n' $event; done >>"\${KIMI_CODE_HOME:-$HOME/.kimi-code}/config.toml"`,
      'Start Kimi Code in {root} and trust the folder: it starts the MCP servers of a project in trusted folders only.',
    ],
  },
};

function toEvents(event: string, { error: failure, ...payload }: Record<string, unknown>): AgentEvent[] {
  const error = asText(asRecord(failure).message);
  const code = codeAfter(error, 'Command failed with exit code: ');
  // A compaction drops earlier replies, so it counts as a session start.
  return protocol.toEvents(event === 'PostCompact' ? 'SessionStart' : event, {
    source: 'compact',
    ...payload,
    prompt: textIn(payload.prompt),
    last_assistant_message: payload.response,
    tool_name: payload.tool_name === 'FetchURL' ? 'WebFetch' : payload.tool_name,
    tool_use_id: payload.tool_call_id,
    tool_response: payload.tool_output,
    error: code === undefined ? error : `Exit code ${code}\n${error}`,
  });
}
