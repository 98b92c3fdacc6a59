import { blobId } from '../memory/id.ts';
import type { Agent, AgentEvent, Question, ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, textsOf } from './payload.ts';

const EVENTS = ['TaskStart', 'TaskResume', 'UserPromptSubmit', 'PostToolUse', 'TaskComplete', 'TaskCancel'];

/**
 * Cline runs a program for each event, named after it, and blocks the work when one fails or prints broken JSON: ours print
 * `{"cancel":false}` whatever happens. A task is a session without an end; what an event is about lies under the event's
 * own name. Written from https://docs.cline.bot/features/hooks/hook-reference, and the result of a task from Cline's own
 * AttemptCompletionHandler; no payload of it has been recorded.
 */
export const cline: Agent = {
  name: 'cline',
  events: EVENTS,
  replies: ['TaskStart', 'TaskResume', 'UserPromptSubmit'],
  asks: ['UserPromptSubmit', 'PostToolUse'],
  wakes: ['TaskStart', 'TaskResume', 'TaskComplete', 'TaskCancel'],
  toEvents,
  toQuestion,
  toReply: (_event, context) => JSON.stringify({ cancel: false, contextModification: context }),
  setup: {
    title: 'Cline',
    // `.clinerules` may be a file as well: then there is no place for hooks.
    signs: { paths: ['.clinerules/'], programs: ['cline'] },
    // A hook before a tool that is late blocks the tool: none is registered.
    hooks: EVENTS.map((event) => ({ path: `.clinerules/hooks/${event}`, template: 'hosts/cline.sh', kind: 'own' })),
    next: [
      "Open {root}, and switch hooks on in Cline's settings. Add `git-mem mcp` to its MCP servers: Cline keeps those " +
        'outside of repositories.',
    ],
  },
};

const ACTIONS: Record<string, ToolAction> = {
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
  const session = asText(payload.taskId);
  if (session === '') return [];
  const [root] = Array.isArray(payload.workspaceRoots) ? payload.workspaceRoots : [];
  const common = { session, cwd: asText(root) };
  const time = asText(payload.timestamp);
  const key = time === '' ? {} : { key: `${event} ${time}` };
  switch (event) {
    case 'TaskStart':
    case 'TaskResume':
      return [{ ...common, kind: 'session-start', source: sourceOf(event) }];
    case 'UserPromptSubmit':
      return [{ ...common, ...key, kind: 'prompt', text: promptOf(payload), from: 'user' }];
    case 'PostToolUse': {
      const call = toolCall(asRecord(payload.postToolUse), time);
      return [{ ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call }];
    }
    case 'TaskComplete': {
      const { taskMetadata } = asRecord(payload.taskComplete);
      return [{ ...common, ...key, kind: 'turn-end', text: asText(asRecord(taskMetadata).result) }];
    }
    case 'TaskCancel':
      return [{ ...common, ...key, kind: 'turn-end', text: '' }];
    default:
      return [];
  }
}

function toQuestion(event: string, payload: Record<string, unknown>): Question | undefined {
  const session = asText(payload.taskId);
  if (session === '') return undefined;
  if (event === 'UserPromptSubmit') return { kind: 'prompt', session, reader: session, text: promptOf(payload) };
  return event === 'TaskStart' || event === 'TaskResume'
    ? { kind: 'start', session, source: sourceOf(event) }
    : undefined;
}

function sourceOf(event: string): string {
  return event === 'TaskResume' ? 'resume' : 'startup';
}

/** Newer versions pass the prompt within an element. */
function promptOf(payload: Record<string, unknown>): string {
  const prompt = asText(asRecord(payload.userPromptSubmit).prompt);
  return /^\s*<user_input\b[^>]*>([\s\S]*)<\/user_input>\s*$/.exec(prompt)?.[1] ?? prompt;
}

function toolCall(used: Record<string, unknown>, time: string): ToolCall {
  const tool = asText(used.toolName) || asText(used.tool);
  const input = asRecord(used.parameters);
  const action = ACTIONS[tool] ?? 'other';
  return {
    id: time && `${time} ${blobId(JSON.stringify([tool, input])).slice(0, 12)}`,
    tool,
    action,
    paths: textsOf(input, 'path'),
    ...(action === 'command' && { command: asText(input.command) }),
    ok: typeof used.success === 'boolean' ? used.success : undefined,
    output: asText(used.result),
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
