import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, filesRead, listOf, purposeOf, textsOf, toolEvent } from './payload.ts';

/**
 * OpenCode has no hook commands: a plugin that `init` writes calls the launcher with what its own hooks were given, as
 * `{input, output, directory}`, and with the agent's last text. Source: payloads of 1.18.33.
 */
export const opencode: Agent = {
  name: 'opencode',
  events: ['session.created', 'chat.message', 'tool.execute.after', 'session.idle'],
  quiet: ['session.created', 'chat.message'],
  replies: ['session.created', 'chat.message', 'tool.execute.after'],
  asks: ['chat.message'],
  wakes: ['session.created', 'session.idle'],
  toEvents,
  toQuestion,
  // The reply is for the plugin.
  toReply: (_event, context, { notice } = {}) => JSON.stringify({ context, ...(notice && { notice }) }),
  setup: {
    title: 'OpenCode',
    signs: { paths: ['.opencode', 'opencode.json'], programs: ['opencode'] },
    hooks: [{ path: '.opencode/plugin/git-mem.js', template: 'hosts/opencode.js', kind: 'own' }],
    mcp: [{ path: 'opencode.json', shape: 'opencode', hosts: { $schema: 'https://opencode.ai/config.json' } }],
    // Besides .opencode/skills and .claude/skills: https://opencode.ai/docs/skills.
    skills: { folder: '.agents/skills' },
    shell: { marks: ['OPENCODE'] },
    next: ['Start OpenCode in {root}: it loads the plugin without asking.'],
  },
};

const ACTIONS: Record<string, ToolAction> = { read: 'read', edit: 'edit', write: 'write', bash: 'command' };

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const input = asRecord(payload.input);
  const session = asText(payload.parent) || sessionOf(input);
  if (session === '') return [];
  const agent = agentOf(payload);
  const common = { session, cwd: asText(payload.directory), ...(agent && { agent }) };
  switch (event) {
    case 'session.created':
      return agent === '' ? [{ ...common, kind: 'session-start', source: 'startup' }] : [];
    case 'chat.message': {
      // A sub-agent's prompt is its parent's tool call.
      if (agent !== '') return [];
      const { text, id } = promptOf(payload);
      return [{ ...common, ...(id && { key: `prompt ${id}` }), kind: 'prompt', text, from: 'user' }];
    }
    case 'tool.execute.after':
      return [toolEvent(common, toolCall(input, asRecord(payload.output)))];
    case 'session.idle': {
      const id = asText(input.id);
      const kind = agent === '' ? 'turn-end' : 'report';
      return [{ ...common, ...(id && { key: `idle ${id}` }), kind, text: asText(payload.text) }];
    }
    default:
      return [];
  }
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const input = asRecord(payload.input);
  const session = asText(payload.parent) || sessionOf(input);
  if (session === '') return undefined;
  const agent = agentOf(payload);
  const reader = [session, agent].filter(Boolean).join(' ');
  switch (event) {
    case 'session.created':
      return { kind: 'start', session, reader, source: 'startup', ...(agent && { isSubagent: true }) };
    case 'chat.message':
      return agent === '' ? { kind: 'prompt', session, reader, text: promptOf(payload).text } : undefined;
    case 'tool.execute.after': {
      const paths = filesRead(toolCall(input, {}));
      const cwd = asText(payload.directory);
      return paths.length === 0 ? undefined : { kind: 'read', session, reader, cwd, paths };
    }
    default:
      return undefined;
  }
}

/** Hooks name the session themselves, events in their properties. */
function sessionOf(input: Record<string, unknown>): string {
  return asText(input.sessionID) || asText(asRecord(input.properties).sessionID);
}

/** A sub-agent has its own session; the plugin names the parent. */
function agentOf(payload: Record<string, unknown>): string {
  return asText(payload.parent) && sessionOf(asRecord(payload.input));
}

/** `opencode run` passes the prompt within quotation marks. */
function promptOf(payload: Record<string, unknown>): { text: string; id: string } {
  const output = asRecord(payload.output);
  const parts = listOf(output.parts).filter(({ type }) => type === 'text');
  const text = parts.map((part) => asText(part.text)).join('\n');
  return { text: text.replace(/^"([\s\S]*)"$/, '$1'), id: asText(asRecord(output.message).id) };
}

function toolCall(input: Record<string, unknown>, output: Record<string, unknown>): ToolCall {
  const tool = asText(input.tool);
  const args = asRecord(input.args);
  const metadata = asRecord(output.metadata);
  const action = ACTIONS[tool] ?? 'other';
  // Its own tools are single words, but for these.
  const server = /^(?!apply_|plan_|todo_)([\w-]+?)_/.exec(tool)?.[1];
  const exit = action === 'command' && typeof metadata.exit === 'number' ? metadata.exit : undefined;
  const description = purposeOf(args);
  return {
    id: asText(input.callID),
    tool,
    ...(server !== undefined && { server }),
    action,
    paths: textsOf(args, 'filePath'),
    ...(action === 'command' && { command: asText(args.command) }),
    ...(description && { description }),
    // A successful edit has a diff.
    ok: exit !== undefined ? exit === 0 : typeof metadata.diff === 'string' ? true : undefined,
    ...(exit !== undefined && { exitCode: exit }),
    output: asText(output.output),
    ...(action === 'edit' && { change: { removed: asText(args.oldString), added: asText(args.newString) } }),
    ...(action === 'write' && { change: { removed: '', added: asText(args.content) } }),
  };
}
