import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import {
  asRecord,
  asText,
  eventsOf,
  type Kinds,
  keyed,
  kindOf,
  listOf,
  purposeOf,
  textIn,
  textsOf,
} from './payload.ts';
import { questionIn } from './question.ts';

const KINDS: Kinds = {
  'session.created': 'session-start',
  'chat.message': 'prompt',
  'tool.execute.after': 'tool',
  'session.idle': 'turn-end',
};

/**
 * OpenCode has no hook commands: a plugin that `init` writes calls the launcher with `{input, output, directory}`, the arguments
 * of its own hooks, and with the agent's last text. Source: payloads of 1.18.33.
 */
export const opencode: Agent = {
  name: 'opencode',
  events: Object.keys(KINDS),
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

/** Kilo's command line is OpenCode's with other folders: the same plugin works for it. Source: payloads of 7.7.9. */
export const kilo: Agent = {
  ...opencode,
  name: 'kilo',
  setup: {
    title: 'Kilo',
    signs: { paths: ['.kilo', 'kilo.json'], programs: ['kilo'] },
    // The plugin reports as `kilo` when it is in this folder.
    hooks: [{ path: '.kilo/plugin/git-mem.js', template: 'hosts/opencode.js', kind: 'own' }],
    mcp: [{ path: 'kilo.json', shape: 'opencode', hosts: { $schema: 'https://app.kilo.ai/config.json' } }],
    skills: { folder: '.agents/skills' },
    shell: { marks: ['KILO'] },
    next: ['Start Kilo in {root}: it loads the plugin without asking.'],
  },
};

const ACTIONS: Record<string, ToolAction> = { read: 'read', edit: 'edit', write: 'write', bash: 'command' };

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const input = asRecord(payload.input);
  const agent = agentOf(payload);
  const isPrompt = event === 'chat.message';
  const { text, id } = promptOf(payload);
  return eventsOf(kindOf(KINDS, event, agent), {
    session: asText(payload.parent) || sessionOf(input),
    cwd: asText(payload.directory),
    agent,
    key: isPrompt ? keyed('prompt', id) : keyed('idle', asText(input.id)),
    text: isPrompt ? text : asText(payload.text),
    calls: () => [toolCall(input, asRecord(payload.output))],
  });
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const [session, agent] = [asText(payload.parent), agentOf(payload)];
  if (event === 'session.created' && agent !== '')
    return { kind: 'start', session, reader: `${session} ${agent}`, source: 'startup', isSubagent: true };
  return questionIn(toEvents(event, payload));
}

/** Hooks name the session directly, events in their properties. */
function sessionOf(input: Record<string, unknown>): string {
  return asText(input.sessionID) || asText(asRecord(input.properties).sessionID);
}

/** A sub-agent has its own session; the plugin names the parent. */
function agentOf(payload: Record<string, unknown>): string {
  return asText(payload.parent) && sessionOf(asRecord(payload.input));
}

/** `opencode run` passes the prompt in quotation marks. */
function promptOf(payload: Record<string, unknown>): { text: string; id: string } {
  const output = asRecord(payload.output);
  const text = textIn(listOf(output.parts).filter(({ type }) => type === 'text'));
  return { text: text.replace(/^"([\s\S]*)"$/, '$1'), id: asText(asRecord(output.message).id) };
}

function toolCall(input: Record<string, unknown>, output: Record<string, unknown>): ToolCall {
  const tool = asText(input.tool);
  const args = asRecord(input.args);
  const metadata = asRecord(output.metadata);
  const action = ACTIONS[tool] ?? 'other';
  // Its own tools are single words, except these.
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
