import { blobId } from '../../memory/id.ts';
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
    // A command in the background has not ended.
    ok: interrupted ? false : asText(asRecord(response).backgroundTaskId) === '' ? passed : undefined,
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    output: failure || outputText(response),
    ...change(tool, input),
    ...blobAfter(tool, input, asRecord(response)),
  };
}

function outputText(response: unknown): string {
  if (typeof response === 'string') return response;
  const record = asRecord(response);
  const file = asRecord(record.file);
  // MCP tools answer with the bare list of parts.
  const parts = Array.isArray(response) ? response : record.content;
  if (typeof file.content === 'string') return file.content;
  if (typeof record.stdout === 'string') return [record.stdout, asText(record.stderr)].filter(Boolean).join('\n');
  // The edited file's content is in the change already, the sub-agent's prompt in its own events.
  const texts = listOf(parts).map((part) => asText(part.text));
  return texts.join('\n');
}

function change(tool: string, input: Record<string, unknown>): Pick<ToolCall, 'change'> {
  if (tool === 'Write') return { change: { removed: '', added: asText(input.content) } };
  const edits = tool === 'MultiEdit' ? listOf(input.edits) : tool === 'Edit' ? [input] : [];
  return edits.length === 0 ? {} : { change: changeIn(edits) };
}

/** The blob id of the file as the call left or saw it, where the payload holds the whole content. */
function blobAfter(
  tool: string,
  input: Record<string, unknown>,
  response: Record<string, unknown>,
): Pick<ToolCall, 'blob'> {
  // The user edited the proposal before it was written, so the payload does not hold the file's new content.
  if (response.userModified === true) return {};
  if (tool === 'Write' && typeof input.content === 'string') return { blob: blobId(input.content) };
  const before = response.originalFile;
  const { oldString, newString } = response;
  if (tool === 'Edit' && typeof before === 'string' && typeof oldString === 'string' && typeof newString === 'string') {
    const at = before.indexOf(oldString);
    if (at < 0 || oldString === '') return {};
    const after =
      response.replaceAll === true
        ? before.split(oldString).join(newString)
        : before.slice(0, at) + newString + before.slice(at + oldString.length);
    return { blob: blobId(after) };
  }
  const file = asRecord(response.file);
  const whole = file.startLine === 1 && typeof file.numLines === 'number' && file.numLines === file.totalLines;
  return tool === 'Read' && whole && typeof file.content === 'string' ? { blob: blobId(file.content) } : {};
}
