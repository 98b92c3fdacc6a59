import type { ToolAction, ToolCall } from './event.ts';
import { asRecord, asText, changeIn, listOf, purposeOf, textsOf } from './payload.ts';

const ACTIONS: Record<string, ToolAction> = {
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'write',
  Bash: 'command',
  PowerShell: 'command',
  Grep: 'search',
  Glob: 'search',
  LS: 'search',
  Agent: 'agent',
  Task: 'agent',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};

/** The tool call in a hook's payload. */
export function toolCall(payload: Record<string, unknown>, passed: boolean | undefined): ToolCall {
  const tool = asText(payload.tool_name);
  const id = asText(payload.tool_use_id);
  const input = asRecord(payload.tool_input);
  const response = payload.tool_response;
  const failure = asText(payload.error);
  const interrupted = asRecord(response).interrupted === true || payload.is_interrupt === true;
  const exitCode = /^Exit code (\d+)/.exec(failure)?.[1];
  const description = purposeOf(input);
  return {
    id,
    tool,
    action: ACTIONS[tool] ?? 'other',
    paths: textsOf(input, 'file_path', 'notebook_path', 'path'),
    ...(typeof input.command === 'string' && { command: input.command }),
    ...(description && { description }),
    // A background command has not ended yet.
    ok: interrupted ? false : asText(asRecord(response).backgroundTaskId) === '' ? passed : undefined,
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    output: failure || outputText(response),
    ...change(tool, input),
  };
}

function outputText(response: unknown): string {
  if (typeof response === 'string') return response;
  const record = asRecord(response);
  const file = asRecord(record.file);
  // MCP tools answer with a bare list of parts.
  const parts = Array.isArray(response) ? response : record.content;
  if (typeof file.content === 'string') return file.content;
  if (typeof record.stdout === 'string') return [record.stdout, asText(record.stderr)].filter(Boolean).join('\n');
  // An edited file's content is already in the change, a sub-agent's prompt in its own events.
  const texts = listOf(parts).map((part) => asText(part.text));
  return texts.join('\n');
}

function change(tool: string, input: Record<string, unknown>): Pick<ToolCall, 'change'> {
  if (tool === 'Write') return { change: { removed: '', added: asText(input.content) } };
  const edits = tool === 'MultiEdit' ? listOf(input.edits) : tool === 'Edit' ? [input] : [];
  return edits.length === 0 ? {} : { change: changeIn(edits) };
}
