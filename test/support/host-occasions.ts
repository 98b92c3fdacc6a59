import { readdirSync, readFileSync } from 'node:fs';
import { agentOf, PAYLOADS, payloadOf } from './payloads.ts';

/** One event as a host reports it. */
export interface Occasion {
  event: string;
  payload: Record<string, unknown>;
}

/** What a host reports in a session that asks PROMPT and reads src/auth.ts, in the order of events. */
export interface HostOccasions {
  /** The client that speaks this dialect, where a host has several; the first needs no name. */
  client?: string;
  start: Occasion[];
  prompt: Occasion[];
  /** Before and after reading, by a tool of its own and by a command. */
  read: (Occasion & { by: 'tool' | 'command' })[];
  rest: Occasion[];
  /** A recorded log that no payload names, and where the host has it in the home of the user. */
  log?: { recorded: string; place(session: string): string };
}

/** What the documented prompts ask. */
const PROMPT = 'Is the clock skew between nodes handled? Users get a 401 right after login.';

/** Payloads after the vendors' pages, each with its source. */
const DOCUMENTED = 'test/fixtures/documented';

/** What a host reports: recorded from the client, or else as its documentation has it; hosts with two dialects, both. */
export function occasionsOf(host: string): HostOccasions[] {
  const own = RECORDED[host];
  const files = readdirSync(DOCUMENTED).filter((name) => name === `${host}.json` || name.startsWith(`${host}-`));
  return [...(own ? [own] : []), ...files.map((name) => JSON.parse(readFileSync(`${DOCUMENTED}/${name}`, 'utf8')))];
}

/** Whether payloads of a host were recorded. */
export function isRecorded(host: string): boolean {
  return readdirSync(PAYLOADS).some((folder) => agentOf(folder).name === host);
}

const CLAUDE = 'claude-2.1.329';
const CODEX = 'codex-0.169.0';
const GEMINI = 'gemini-0.61.0';
const OPENCODE = 'opencode-1.18.33';
const COPILOT = 'copilot-1.0.102';
const CLINE = 'cline-3.0.65';
const DROID = 'droid-0.225.2';
const QWEN = 'qwen-0.24.4';
const KILO = 'kilo-7.7.9';
const PI = 'pi-1.6.0';
const GROK = 'grok-1.0.41';
const KIMI = 'kimi-2.1.0';

const CAT = 'cat src/auth.ts';

/** What was recorded reads src/auth.ts or src/rate.mjs, and asks for something else: the prompt and one command are put in. */
const RECORDED: Record<string, HostOccasions> = {
  'claude-code': {
    start: [recorded('SessionStart', `${CLAUDE}/SessionStart-startup`)],
    prompt: [recorded('UserPromptSubmit', `${CLAUDE}/UserPromptSubmit`, { prompt: PROMPT })],
    read: [
      // Before a call it says what it says after it, but for the result.
      {
        ...recorded('PreToolUse', `${CLAUDE}/PostToolUse-Read`, { tool_response: undefined }),
        by: 'tool',
      },
      {
        ...recorded('PreToolUse', `${CLAUDE}/PreToolUse-Bash`, { tool_input: { command: 'cat src/auth.ts' } }),
        by: 'command',
      },
      { ...recorded('PostToolUse', `${CLAUDE}/PostToolUse-Read`), by: 'tool' },
    ],
    rest: [
      recorded('PostToolUse', `${CLAUDE}/PostToolUse-Edit`),
      recorded('PostToolUseFailure', `${CLAUDE}/PostToolUseFailure-Bash`),
      recorded('SubagentStop', `${CLAUDE}/SubagentStop`, { agent_type: 'Explore' }),
      recorded('Stop', `${CLAUDE}/Stop`),
      recorded('SessionEnd', `${CLAUDE}/SessionEnd-other`),
    ],
  },
  codex: {
    start: [recorded('SessionStart', `${CODEX}/SessionStart-startup`)],
    prompt: [recorded('UserPromptSubmit', `${CODEX}/UserPromptSubmit`, { prompt: PROMPT })],
    read: [
      { ...recorded('PreToolUse', `${CODEX}/PreToolUse-Bash`), by: 'command' },
      { ...recorded('PostToolUse', `${CODEX}/PostToolUse-Bash`), by: 'command' },
    ],
    rest: [
      recorded('PreToolUse', `${CODEX}/PreToolUse-apply_patch`),
      recorded('PostToolUse', `${CODEX}/PostToolUse-apply_patch`),
      recorded('Stop', `${CODEX}/Stop`),
      recorded('SessionEnd', `${CODEX}/SessionEnd-other`),
    ],
  },
  'gemini-cli': {
    start: [recorded('SessionStart', `${GEMINI}/SessionStart-startup`)],
    prompt: [recorded('BeforeAgent', `${GEMINI}/BeforeAgent`, { prompt: PROMPT })],
    read: [
      { ...recorded('BeforeTool', `${GEMINI}/BeforeTool-read_file`), by: 'tool' },
      { ...recorded('AfterTool', `${GEMINI}/AfterTool-read_file`), by: 'tool' },
      {
        ...recorded('AfterTool', `${GEMINI}/AfterTool-run_shell_command`, {
          tool_input: { command: 'cat src/auth.ts' },
        }),
        by: 'command',
      },
    ],
    rest: [
      recorded('AfterTool', `${GEMINI}/AfterTool-replace`),
      recorded('AfterAgent', `${GEMINI}/AfterAgent`),
      recorded('SessionEnd', `${GEMINI}/SessionEnd-exit`),
    ],
  },
  opencode: {
    start: [recorded('session.created', `${OPENCODE}/event-session.created`)],
    prompt: [recorded('chat.message', `${OPENCODE}/chat.message`)],
    read: [
      { ...recorded('tool.execute.after', `${OPENCODE}/tool.execute.after-read`), by: 'tool' },
      { ...recorded('tool.execute.after', `${OPENCODE}/tool.execute.after-bash`), by: 'command' },
    ],
    rest: [
      recorded('tool.execute.after', `${OPENCODE}/tool.execute.after-edit`),
      // The plugin adds what the agent said.
      recorded('session.idle', `${OPENCODE}/event-session.idle`, { text: 'Done.' }),
      recorded('session.idle', `${OPENCODE}/event-session.idle-subagent`),
    ],
  },
  kilo: {
    start: [recorded('session.created', `${KILO}/event-session.created`)],
    prompt: [recorded('chat.message', `${KILO}/chat.message`)],
    read: [
      { ...recorded('tool.execute.after', `${KILO}/tool.execute.after-read`), by: 'tool' },
      { ...recorded('tool.execute.after', `${KILO}/tool.execute.after-bash`), by: 'command' },
    ],
    rest: [
      recorded('tool.execute.after', `${KILO}/tool.execute.after-edit`),
      recorded('session.idle', `${KILO}/event-session.idle`),
      recorded('session.idle', `${KILO}/event-session.idle-subagent`),
    ],
  },
  pi: {
    start: [recorded('session_start', `${PI}/session_start`)],
    prompt: [recorded('before_agent_start', `${PI}/before_agent_start`)],
    read: [
      { ...recorded('tool_result', `${PI}/tool_result-read`), by: 'tool' },
      { ...recorded('tool_result', `${PI}/tool_result-bash`), by: 'command' },
    ],
    rest: ['tool_result-edit', 'agent_settled', 'session_shutdown'].map((name) =>
      recorded(name.split('-')[0] ?? '', `${PI}/${name}`),
    ),
  },
  grok: {
    start: [recorded('SessionStart', `${GROK}/SessionStart`)],
    prompt: [recorded('UserPromptSubmit', `${GROK}/UserPromptSubmit`, { prompt: PROMPT })],
    read: [
      { ...recorded('PreToolUse', `${GROK}/PreToolUse-read_file`), by: 'tool' },
      {
        ...recorded('PreToolUse', `${GROK}/PreToolUse-run_terminal_command`, { tool_input: { command: CAT } }),
        by: 'command',
      },
      { ...recorded('PostToolUse', `${GROK}/PostToolUse-read_file`), by: 'tool' },
    ],
    rest: ['PostToolUse-search_replace', 'Stop', 'Stop-shutdown', 'SessionEnd'].map((name) =>
      recorded(name.split('-')[0] ?? '', `${GROK}/${name}`),
    ),
  },
  'kimi-code': {
    start: [recorded('SessionStart', `${KIMI}/SessionStart-startup`)],
    prompt: [recorded('UserPromptSubmit', `${KIMI}/UserPromptSubmit`, { prompt: [{ type: 'text', text: PROMPT }] })],
    read: [
      { ...recorded('PostToolUse', `${KIMI}/PostToolUse-Read`), by: 'tool' },
      { ...recorded('PostToolUse', `${KIMI}/PostToolUse-Bash`, { tool_input: { command: CAT } }), by: 'command' },
    ],
    rest: ['PostToolUse-Edit', 'PostToolUseFailure-Bash', 'SubagentStop', 'Stop', 'SessionEnd'].map((name) =>
      recorded(name.split('-')[0] ?? '', `${KIMI}/${name}`),
    ),
    log: {
      recorded: `${PAYLOADS}/${KIMI}/log.jsonl`,
      place: (session) => `.kimi-code/sessions/wd_repo_0/${session}/agents/main/wire.jsonl`,
    },
  },
  'qwen-code': {
    start: [recorded('SessionStart', `${QWEN}/SessionStart-startup`)],
    prompt: [
      recorded('UserPromptSubmit', `${QWEN}/UserPromptSubmit`, { prompt: PROMPT }),
      // What goes back to the model is reported like a prompt.
      recorded('UserPromptSubmit', `${QWEN}/UserPromptSubmit-continued`),
    ],
    read: [
      { ...recorded('PostToolUse', `${QWEN}/PostToolUse-read_file`), by: 'tool' },
      {
        ...recorded('PostToolUse', `${QWEN}/PostToolUse-run_shell_command`, { tool_input: { command: CAT } }),
        by: 'command',
      },
    ],
    rest: [
      recorded('PostToolUse', `${QWEN}/PostToolUse-edit`),
      recorded('PostToolUseFailure', `${QWEN}/PostToolUseFailure-run_shell_command`),
      recorded('SubagentStop', `${QWEN}/SubagentStop`),
      recorded('Stop', `${QWEN}/Stop`),
      // Not by `qwen -p`: what its page on hooks says of the terminal interface.
      recorded('SessionEnd', `${QWEN}/SessionStart-startup`, { reason: 'prompt_input_exit' }),
    ],
  },
  copilot: {
    start: [recorded('sessionStart', `${COPILOT}/sessionStart`)],
    prompt: [recorded('userPromptSubmitted', `${COPILOT}/userPromptSubmitted`, { prompt: PROMPT })],
    read: [
      { ...recorded('preToolUse', `${COPILOT}/preToolUse-view`), by: 'tool' },
      { ...recorded('postToolUse', `${COPILOT}/postToolUse-view`), by: 'tool' },
      { ...recorded('postToolUse', `${COPILOT}/postToolUse-bash`, { toolArgs: { command: CAT } }), by: 'command' },
    ],
    rest: [
      recorded('postToolUse', `${COPILOT}/postToolUse-edit`),
      recorded('agentStop', `${COPILOT}/agentStop`, { transcriptPath: logOf(COPILOT) }),
      recorded('agentStop', `${COPILOT}/agentStop-subagent`),
      recorded('sessionEnd', `${COPILOT}/sessionEnd`),
    ],
  },
  cline: {
    start: [recorded('TaskStart', `${CLINE}/TaskStart`)],
    prompt: [],
    read: [
      { ...recorded('PreToolUse', `${CLINE}/PreToolUse-read_files`), by: 'tool' },
      { ...recorded('PostToolUse', `${CLINE}/PostToolUse-read_files`), by: 'tool' },
      {
        ...recorded('PostToolUse', `${CLINE}/PostToolUse-run_commands`, {
          tool_result: { name: 'run_commands', input: { commands: [CAT] }, output: [] },
        }),
        by: 'command',
      },
    ],
    rest: [
      recorded('PostToolUse', `${CLINE}/PostToolUse-apply_patch`),
      recorded('TaskComplete', `${CLINE}/TaskComplete`),
    ],
  },
  'factory-droid': {
    start: [recorded('SessionStart', `${DROID}/SessionStart`)],
    // `droid exec` reports none: what the documentation says of the terminal interface.
    prompt: [recorded('UserPromptSubmit', `${DROID}/SessionStart`, { prompt: PROMPT })],
    read: [
      { ...recorded('PreToolUse', `${DROID}/PreToolUse-Read`), by: 'tool' },
      { ...recorded('PostToolUse', `${DROID}/PostToolUse-Read`), by: 'tool' },
      { ...recorded('PostToolUse', `${DROID}/PostToolUse-Execute`, { tool_input: { command: CAT } }), by: 'command' },
    ],
    rest: [
      recorded('PostToolUse', `${DROID}/PostToolUse-Edit`),
      recorded('SubagentStop', `${DROID}/SubagentStop`),
      recorded('Stop', `${DROID}/Stop`, { transcript_path: logOf(DROID) }),
      recorded('SessionEnd', `${DROID}/SessionEnd`),
    ],
  },
};

/** The log of a recorded client. */
function logOf(client: string): string {
  return `${PAYLOADS}/${client}/log.jsonl`;
}

function recorded(event: string, file: string, change: Record<string, unknown> = {}): Occasion {
  const text = JSON.stringify({ ...payloadOf(file), ...change });
  const asked = text
    .replaceAll(String.raw`\"Update auth PROMPT-MARK\"`, PROMPT)
    .replaceAll('"echo hi"', '"cat src/auth.ts"')
    .replaceAll(/src\/(?:rate|token|keys)\.mjs/g, 'src/auth.ts')
    .replaceAll(/Users get a 401[^"\\]*/g, PROMPT);
  return { event, payload: JSON.parse(asked) };
}
