import { protocol } from './claude-code.ts';
import type { Agent, AgentEvent } from './event.ts';
import { asRecord, asText } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Grok Build runs a repository's Claude Code hooks, with Claude Code's keys beside its own; the launcher recognises
 * it by its environment variables. Of all replies, only the one before a tool reaches the model. A sub-agent is a
 * session of its own. Source: payloads of 1.0.41.
 */
export const grok: Agent = {
  ...protocol,
  name: 'grok',
  quiet: ['PostToolBatch', 'SubagentStop', 'Stop'],
  // SubagentStart is registered for Claude Code; here it asks nothing.
  replies: ['PreToolUse', 'SubagentStart'],
  asks: [],
  toEvents,
  toQuestion: (_event, payload) =>
    questionIn(toEvents('PostToolUse', payload), { input: asRecord(payload.tool_input), isBefore: true }),
  setup: {
    title: 'Grok Build',
    signs: { paths: ['.grok'], programs: ['grok'] },
    hooks: [{ path: '.claude/settings.json', template: 'hosts/claude-code.json', kind: 'merged' }],
    mcp: [{ path: '.mcp.json', shape: 'claude' }],
    skills: { folder: '.claude/skills' },
    guide: { path: 'AGENTS.md' },
    shell: { marks: ['GROK_AGENT'], session: 'GROK_SESSION_ID' },
    next: ['Start Grok in {root} and trust the folder: it runs the hooks of a project in trusted folders only.'],
  },
};

const NAMES: Record<string, string> = {
  read_file: 'Read',
  search_replace: 'Edit',
  write: 'Write',
  run_terminal_command: 'Bash',
  grep: 'Grep',
  list_dir: 'LS',
  spawn_subagent: 'Agent',
  web_search: 'WebSearch',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  // A session reports Stop once more after its end.
  if (event === 'Stop' && payload.reason === 'shutdown') return [];
  const { target_file: file_path, ...input } = asRecord(payload.tool_input);
  const tool = asText(payload.tool_name);
  const { error, output } = resultOf(asRecord(payload.tool_response));
  const reported = protocol.toEvents(event === 'PostToolUse' && error ? 'PostToolUseFailure' : event, {
    ...payload,
    prompt_id: payload.promptId,
    last_assistant_message: payload.lastAssistantMessage,
    stop_hook_active: payload.stopHookActive,
    tool_name: NAMES[tool] ?? tool,
    tool_input: { ...input, ...(file_path !== undefined && { file_path }) },
    ...(error ? { error } : { tool_response: output }),
  });
  const isTask = payload.subagentType !== undefined;
  return reported.map((one) => (isTask && one.kind === 'prompt' ? { ...one, text: '', from: 'machine' } : one));
}

/** A command reports its exit code; an edit reports that it did not find the old text. */
function resultOf(result: Record<string, unknown>): { error?: string; output: string } {
  const { exit_code: code, output_for_prompt, text, NoMatchesFound, FileContent } = result;
  const output = asText(output_for_prompt).replace(/^exit: \d+\n/, '') || asText(text);
  const failure = typeof code === 'number' && code !== 0 ? `Exit code ${code}\n${output}` : '';
  const error = failure || asText(asRecord(NoMatchesFound).message);
  return { ...(error && { error }), output: output || asText(asRecord(FileContent).raw_output) };
}
