import { jsonIn } from '../../json.ts';
import { patchCalls } from './apply-patch.ts';
import { type RanCommand, readPrograms } from './codex-script.ts';
import type { LogEntry, LogLine, ToolCall } from './event.ts';
import { asRecord, asText, commonOf, textIn, toolEvent } from './payload.ts';
import { answered, asked, CALL, openCalls, timeOf } from './session-logs.ts';

/** Tools that run a command; their names in a rollout differ from those in hooks. */
const SHELLS = ['exec_command', 'shell', 'shell_command', 'local_shell'];

/** A call of a tool. `process`: the running command whose further output it asks for. */
type Begun = Pick<ToolCall, 'tool' | 'command'> & { patch: string; process: string };

/**
 * Reads the lines of a rollout, Codex's log of a session. Long because its kinds of lines are one table and share the
 * unfinished calls.
 */
export function readRollout(): (line: Record<string, unknown>) => LogLine | undefined {
  const open = openCalls<Begun>();
  const running = new Map<string, { id: string; begun: Begun; output: string }>();
  const programs = readPrograms();
  const isRepeated = copiedHistory();

  /** Outside code mode the model's own call, which has the same id, ends later and says more. */
  const unlessOpen = (entry: LogEntry) => (open.has(entry.id ?? '') ? [] : [entry]);

  function callBegun({ type, call_id, name, arguments: given, input }: Record<string, unknown>): LogEntry[] {
    if (type === 'custom_tool_call' && name === 'exec') programs.begin(asText(call_id), asText(input));
    else if (name === 'wait') programs.goOn(asText(call_id), asText(asRecord(jsonIn(asText(given))).cell_id));
    else {
      const { cmd, command, session_id } = asRecord(jsonIn(asText(given)));
      const line = asText(cmd) || (Array.isArray(command) ? asText(command[2]) : asText(command));
      const patch = type === 'custom_tool_call' ? asText(input) : '';
      const begun = { tool: asText(name), patch, process: `${session_id}` };
      open.begin(asText(call_id), { ...begun, ...(line && { command: line }) });
    }
    return [CALL];
  }

  function callEnded({ call_id, output: given }: Record<string, unknown>): LogEntry[] {
    const begun = open.end(asText(call_id));
    if (begun === undefined) return programs.end(asText(call_id), given).map(ran);
    const printed = asText(given);
    const before = running.get(begun.process);
    const { output, ...call } = before ?? { id: asText(call_id), begun, output: '' };
    const ended = { output: `${output}\n${printed}`.trim(), ...endOf(printed) };
    running.delete(begun.process);
    if (ended.left !== undefined) running.set(ended.left, { ...call, output: ended.output });
    // Output with neither is the reason for a refusal.
    const isRun = SHELLS.includes(call.begun.tool) || call.begun.patch !== '';
    const isRefused = isRun && (ended.code ?? ended.left) === undefined;
    // Reported when it begins, in case nothing waits for it, and when it has ended.
    if (before !== undefined && ended.left !== undefined) return [];
    return [finished(call.id, call.begun, { ...ended, ok: isRefused ? false : undefined })];
  }

  function entriesOf(type: unknown, payload: Record<string, unknown>): LogEntry[] {
    const item = asRecord(payload.item);
    const event = asText(payload.type);
    const kind = event === 'item_completed' ? `${event} ${asText(item.type)}` : event;
    switch (`${asText(type)} ${kind}`) {
      case 'event_msg item_completed UserMessage':
        return asked(textIn(item.content), asText(item.id));
      case 'event_msg user_message':
        return asked(asText(payload.message), '');
      case 'event_msg item_completed CommandExecution': {
        if (item.status === 'declined') return [];
        const command = Array.isArray(item.command) ? asText(item.command[2]) : '';
        const code = typeof item.exit_code === 'number' ? item.exit_code : undefined;
        const ended = { output: asText(item.aggregated_output), code };
        programs.areItemised();
        return [finished(asText(item.id), { tool: 'exec_command', command, patch: '' }, ended)];
      }
      case 'event_msg item_completed FileChange':
        return unlessOpen(patched(asText(item.id), item, item.status === 'completed'));
      case 'event_msg patch_apply_end':
        return unlessOpen(patched(asText(payload.call_id), payload, payload.success === true));
      case 'event_msg item_completed McpToolCall':
        return unlessOpen(served(asText(item.id), item, item.result, item.status === 'completed'));
      case 'event_msg mcp_tool_call_end': {
        const { Ok: result } = asRecord(payload.result);
        return unlessOpen(served(asText(payload.call_id), asRecord(payload.invocation), result, result !== undefined));
      }
      case 'event_msg agent_message':
        return answered(asText(payload.message), 'reply');
      case 'event_msg task_complete':
        return [...programs.endTurn().map(ran), ...answered(asText(payload.last_agent_message), 'turn-end')];
      case 'event_msg turn_aborted':
        // An interrupted reply is not an answer.
        return [CALL, ...programs.endTurn().map(ran)];
      case 'response_item function_call':
      case 'response_item custom_tool_call':
        return callBegun(payload);
      case 'response_item function_call_output':
      case 'response_item custom_tool_call_output':
        return callEnded(payload);
      default:
        return [];
    }
  }

  return (line) => {
    if (isRepeated(line)) return undefined;
    const payload = asRecord(line.payload);
    const entries = entriesOf(line.type, payload);
    const where = placeOf(line.type, payload);
    if (entries.length === 0 && where === undefined) return undefined;
    return { at: timeOf(line.timestamp), where: { ...where, turn: asText(payload.turn_id) }, entries };
  };
}

/** How a command or patch ended, from the lines that Codex puts above its output, or the process that it left running. */
function endOf(output: string): { code: number | undefined; left: string | undefined } {
  const [head = ''] = output.slice(0, 400).split('\nOutput:');
  const [, code] = /^(?:Process exited with code|Exit code:) (\d+)$/mu.exec(head) ?? [];
  const [, left] = /^Process running with session ID (\d+)$/mu.exec(head) ?? [];
  // Versions of 2025 wrote an object.
  const { exit_code = code } = asRecord(asRecord(jsonIn(output)).metadata);
  return { code: exit_code === undefined ? undefined : Number(exit_code), left };
}

/** The session's place, as a line names it; undefined for lines of another kind. */
function placeOf(type: unknown, payload: Record<string, unknown>): LogLine['where'] {
  const thread = asText(payload.thread_id);
  if (type === 'session_meta') {
    const branch = asText(asRecord(payload.git).branch);
    return { session: asText(payload.id) || asText(payload.session_id), cwd: asText(payload.cwd), branch };
  }
  if (type === 'turn_context') return { cwd: asText(payload.cwd) };
  if (type !== 'event_msg') return undefined;
  const isSettings = payload.type === 'thread_settings_applied';
  if (isSettings) return { session: thread, cwd: asText(asRecord(payload.thread_settings).cwd) };
  const isPrompt = payload.type === 'item_completed' && asRecord(payload.item).type === 'UserMessage';
  if (isPrompt) return { session: thread };
  return payload.type === 'task_started' ? {} : undefined;
}

/** A file change that the log reports on its own. */
function patched(id: string, { changes, stdout, stderr }: Record<string, unknown>, ok: boolean): LogEntry {
  const ended = { output: asText(stdout) || asText(stderr), ok };
  return finished(id, { tool: 'apply_patch', patch: patchOf(changes) }, ended);
}

/** An MCP call that the log reports on its own. */
function served(id: string, { server, tool }: Record<string, unknown>, result: unknown, ok: boolean): LogEntry {
  const name = `mcp__${asText(server)}__${asText(tool)}`;
  return finished(id, { tool: name, patch: '' }, { output: textIn(asRecord(result).content), ok });
}

/** A command that a program of code mode ran. */
function ran({ id, command, output, exitCode }: RanCommand): LogEntry {
  return finished(id, { tool: 'exec_command', command, patch: '' }, { output, code: exitCode });
}

/** The calls that a finished tool stands for: a patch is one call for each file that it changes. */
function finished(
  id: string,
  { tool, command, patch }: Pick<ToolCall, 'tool' | 'command'> & { patch: string },
  {
    output,
    code,
    ok = code === undefined ? undefined : code === 0,
  }: { output: string; code?: number | undefined; ok?: boolean | undefined },
): LogEntry {
  const isCommand = SHELLS.includes(tool);
  const call: ToolCall = {
    id,
    tool,
    action: isCommand ? 'command' : 'other',
    paths: [],
    output,
    ...(isCommand && command !== undefined && { command }),
    ok,
    ...(code !== undefined && { exitCode: code }),
  };
  return {
    role: 'event',
    id,
    events: (where) => patchCalls(call, patch).map((one) => toolEvent(commonOf(where), one)),
  };
}

/** An item's changes in the notation of patches. */
function patchOf(changes: unknown): string {
  const files = Object.entries(asRecord(changes)).map(([path, given]) => {
    const { type, content, unified_diff, move_path } = asRecord(given);
    if (type === 'delete') return `*** Delete File: ${path}`;
    if (type === 'add') return `*** Add File: ${path}\n${asText(content).replace(/^(?=[\s\S])/gm, '+')}`;
    const moved = asText(move_path) && `*** Move to: ${asText(move_path)}\n`;
    return `*** Update File: ${path}\n${moved}${asText(unified_diff)}`;
  });
  return files.join('\n');
}

/**
 * Tells which lines only repeat what another session did. A forked session's log opens with its own line and then repeats its
 * parent's, under the parent's ids, up to the first turn that began after the session itself.
 */
function copiedHistory(): (line: Record<string, unknown>) => boolean {
  let beganMs: number | undefined;
  let isOpen = false;
  return ({ type, payload }) => {
    const { id, forked_from_id, turn_id } = asRecord(payload);
    if (!isOpen && type === 'session_meta') {
      isOpen = true;
      beganMs = asText(forked_from_id) === '' ? undefined : timeIn(asText(id));
      return false;
    }
    if (beganMs === undefined) return false;
    const turnMs = timeIn(asText(turn_id));
    if (turnMs === undefined || turnMs < beganMs) return true;
    beganMs = undefined;
    return false;
  };
}

/** The time in a UUID of version 7, in milliseconds since 1970; undefined for any other id. */
function timeIn(id: string): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id);
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}
