import { protocol } from './claude-code.ts';
import type { Agent, AgentEvent } from './event.ts';
import { asRecord, asText, textIn } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Qwen Code speaks Claude Code's protocol, with the tools and results of Gemini CLI. Replies before a tool and to a
 * starting sub-agent do not reach the model. Source: payloads of 0.24.4, and the page on hooks in its package.
 */
export const qwenCode: Agent = {
  ...protocol,
  name: 'qwen-code',
  quiet: ['UserPromptSubmit', 'PostToolBatch', 'SubagentStop', 'PreCompact'],
  replies: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'],
  forgetsStart: true,
  toEvents,
  toQuestion: (event, payload) => questionIn(toEvents(event, payload), { input: asRecord(payload.tool_input) }),
  toReply: (event, context) => protocol.toReply(event, context),
  setup: {
    title: 'Qwen Code',
    signs: { paths: ['.qwen', 'QWEN.md'], programs: ['qwen'] },
    hooks: [{ path: '.qwen/settings.json', template: 'hosts/qwen-code.json', kind: 'merged' }],
    mcp: [{ path: '.qwen/settings.json', shape: 'claude', hosts: { $version: 4 } }],
    skills: { folder: '.qwen/skills' },
    client: 'qwen-cli',
    shell: { marks: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'], session: 'QWEN_CODE_SESSION_ID' },
    switches: {
      files: ['.qwen/settings.json', '${QWEN_HOME:-~/.qwen}/settings.json', '/etc/qwen-code/settings.json'],
      off: /^disableAllHooks=true$/,
    },
    coAuthor: 'qwen-coder@alibabacloud.com',
    next: ['Start Qwen Code in {root} and trust the folder: it runs the hooks of a project in trusted folders only.'],
  },
};

const NAMES: Record<string, string> = {
  read_file: 'Read',
  edit: 'Edit',
  write_file: 'Write',
  run_shell_command: 'Bash',
  grep_search: 'Grep',
  glob: 'Glob',
  list_directory: 'LS',
  agent: 'Agent',
  web_fetch: 'WebFetch',
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  // Qwen Code reports an empty prompt whenever a result goes back to the model.
  const isContinuation = event === 'UserPromptSubmit' && asText(payload.prompt) === '';
  return isContinuation ? [] : protocol.toEvents(event, renamed(payload));
}

/** A payload as Claude Code would have sent it. */
function renamed(payload: Record<string, unknown>): Record<string, unknown> {
  const tool = asText(payload.tool_name);
  const response = asRecord(payload.tool_response);
  const error = asText(payload.error);
  // The last lines say how a command ended.
  const code = /^Exit Code: (\d+)$/m.exec(error.slice(-200))?.[1];
  return {
    ...payload,
    tool_name: NAMES[tool] ?? tool,
    ...('tool_response' in payload && { tool_response: responseOf(response) }),
    ...(code !== undefined && { error: `Exit code ${code}\n${error}` }),
  };
}

/** The result as text; empty where a file was changed, because the input says how. */
function responseOf({ returnDisplay: shown, llmContent }: Record<string, unknown>): string {
  return typeof asRecord(shown).originalContent === 'string' ? '' : asText(shown) || textIn(llmContent);
}
