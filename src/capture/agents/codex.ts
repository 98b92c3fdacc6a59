import { blobId } from '../../memory/id.ts';
import { patchCalls } from './apply-patch.ts';
import { protocol } from './claude-code.ts';
import { readRollout } from './codex-rollout.ts';
import type { Agent, AgentEvent, Question, ToolCall } from './event.ts';
import { asRecord, asText, keyed, textIn, toolEvent } from './payload.ts';
import { questionIn } from './question.ts';

/**
 * Codex CLI's hook protocol: Claude Code's events with `turn_id`, tools `Bash` and `apply_patch`, results in plain
 * text. One unknown key in a reply makes Codex drop the whole reply. Source: payloads and a session of 0.169.0.
 */
export const codex: Agent = {
  name: 'codex',
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'],
  replies: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  before: { PreToolUse: 'PostToolUse' },
  asks: ['UserPromptSubmit', 'Stop'],
  wakes: ['SessionStart', 'Stop', 'SessionEnd'],
  toEvents,
  toQuestion,
  toReply(event, context, { notice } = {}) {
    // Stop takes no context; the reason of a block continues the turn.
    if (event === 'Stop') return JSON.stringify({ decision: 'block', reason: context });
    const hookSpecificOutput = { hookEventName: event, additionalContext: context };
    return JSON.stringify({ ...(notice && { systemMessage: notice }), hookSpecificOutput });
  },
  // Rollouts, one file per session.
  sessionLogs: {
    variable: 'CODEX_HOME',
    folder: '.codex',
    files: 'sessions/*/*/*/rollout-*.jsonl',
    belongs: 'cwd',
    open: readRollout,
  },
  setup: {
    title: 'Codex',
    signs: { paths: ['.codex'], programs: ['codex'] },
    // Codex waits at most 3 s for SessionEnd, whatever timeout is set, and warns about it.
    hooks: [{ path: '.codex/hooks.json', template: 'hosts/codex.json', kind: 'merged' }],
    mcp: [{ path: '.codex/config.toml', shape: 'codex' }],
    // Searched from the start directory up to the repository's top: https://developers.openai.com/codex/skills.
    skills: { folder: '.agents/skills' },
    shell: {
      marks: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'],
      session: 'CODEX_SESSION_ID',
      version: ({ CODEX_VERSION }) => CODEX_VERSION,
    },
    // `codex_hooks` is its older name; the last two are an administrator's: https://developers.openai.com/codex/hooks.
    switches: {
      files: [
        '.codex/config.toml',
        '${CODEX_HOME:-~/.codex}/config.toml',
        '/etc/codex/config.toml',
        '/etc/codex/managed_config.toml',
        '/etc/codex/requirements.toml',
      ],
      off: /^features\.(codex_)?hooks=false$|^allow_managed_hooks_only=true$/,
    },
    coAuthor: 'noreply@openai.com',
    next: [
      'Start Codex in {root}, trust the project, and approve the hooks with `/hooks`: until then Codex runs none of them, ' +
        'without saying so.',
    ],
  },
};

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const turn = asText(payload.turn_id);
  const reported = protocol.toEvents(event, { ...payload, prompt_id: turn });
  return reported.flatMap((one): AgentEvent[] => {
    if (one.kind === 'tool') return toolCalls(payload).map((call) => toolEvent(one, call));
    // A turn may have several prompts, and all of them are the user's.
    const text = asText(payload.prompt);
    return one.kind === 'prompt' ? [{ ...one, ...keyed(event, turn, blobId(text)), text, from: 'user' }] : [one];
  });
}

/** Codex has no tool for reading: it reads files with commands. */
function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const isBefore = event === 'PreToolUse';
  const input = asRecord(payload.tool_input);
  return questionIn(toEvents(isBefore ? 'PostToolUse' : event, payload), { input, isBefore });
}

/** Splits a patch into one call per file it changes. */
function toolCalls(payload: Record<string, unknown>): ToolCall[] {
  const tool = asText(payload.tool_name);
  const id = asText(payload.tool_use_id);
  // Plain text, or an MCP tool's list of parts.
  const output = textIn(payload.tool_response) || textIn(asRecord(payload.tool_response).content);
  // Nothing says how a plain command ended.
  const code = /^Exit code: (\d+)$/m.exec(output.slice(0, 200))?.[1];
  const exitCode = code === undefined ? {} : { exitCode: Number(code) };
  const ended = { ok: code === undefined ? undefined : code === '0', ...exitCode, output };
  if (tool === 'Bash')
    return [{ id, tool, action: 'command', paths: [], command: commandOf(payload), ok: undefined, output }];
  const patch = tool === 'apply_patch' ? commandOf(payload) : '';
  return patchCalls({ id, tool, action: 'other', paths: [], ...ended }, patch);
}

function commandOf(payload: Record<string, unknown>): string {
  return asText(asRecord(payload.tool_input).command);
}
