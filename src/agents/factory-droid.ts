import { claudeCode } from './claude-code.ts';
import type { Agent } from './event.ts';
import { asText } from './payload.ts';

/**
 * Factory's Droid speaks Claude Code's protocol, with tools of other names. Written from
 * https://docs.factory.ai/reference/hooks-reference; no payload of it has been recorded.
 */
export const factoryDroid: Agent = {
  ...claudeCode,
  name: 'factory-droid',
  events: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'SubagentStop', 'Stop', 'SessionEnd'],
  replies: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  asks: ['UserPromptSubmit', 'PostToolUse'],
  wakes: ['SessionStart', 'Stop', 'SessionEnd'],
  toEvents: (event, payload) => claudeCode.toEvents(event, renamed(payload)),
  toQuestion: (event, payload) => claudeCode.toQuestion(event, renamed(payload)),
  setup: {
    title: 'Factory Droid',
    signs: { paths: ['.factory'], programs: ['droid'] },
    hooks: [{ path: '.factory/settings.json', template: 'hosts/factory-droid.json', kind: 'merged' }],
    mcp: [{ path: '.factory/mcp.json', shape: 'claude' }],
    // https://docs.factory.ai/cli/configuration/skills
    skills: { folder: '.factory/skills' },
    next: [
      'Start Droid in {root}. It ignores these hooks where there is a .factory/hooks.json: move them there if you have one.',
    ],
  },
};

const NAMES: Record<string, string> = { Create: 'Write', Execute: 'Bash' };

function renamed(payload: Record<string, unknown>): Record<string, unknown> {
  const tool = asText(payload.tool_name);
  return NAMES[tool] === undefined ? payload : { ...payload, tool_name: NAMES[tool] };
}
