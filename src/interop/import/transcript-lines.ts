import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { claudeCode } from '../../agents/claude-code.ts';
import { asRecord, asText, listOf } from '../../agents/payload.ts';
import type { SpooledEvent } from '../../extract/turns.ts';

/** Longest line that is read, in UTF-16 units: pictures and whole files stand in them. */
const MAX_LINE = 8_000_000;
const CHUNK = 1 << 20;

/** A transcript of Claude Code as the events that its hooks would have reported. Lines that are none are left out. */
export function transcriptEvents(path: string, root: string): { events: SpooledEvent[]; unreadable: number } {
  const reader = createReader(root);
  let unreadable = 0;
  for (const line of linesOf(path)) {
    if (line.trim() === '') continue;
    const entry = line.length > MAX_LINE ? undefined : parsed(line);
    if (entry === undefined) unreadable++;
    else reader.read(entry);
  }
  return { events: reader.end(), unreadable };
}

/** What a person did not type: output of local commands, and notes of the client. */
const NO_PROMPT = /^\s*(?:<(?:command-|local-command-|bash-|user-memory-)|\[Request interrupted|Caveat: )/;

function createReader(root: string) {
  const events: SpooledEvent[] = [];
  const calls = new Map<string, Record<string, unknown>>();
  let common: Record<string, unknown> = {};
  let last: { text: string; at: string; branch: string } | undefined;
  let turn = '';

  const add = (name: string, payload: Record<string, unknown>, { at, branch }: { at: string; branch: string }) => {
    for (const event of claudeCode.toEvents(name, { ...common, ...(turn && { prompt_id: turn }), ...payload })) {
      const named = { name: `${at}-${String(events.length).padStart(8, '0')}`, at, host: claudeCode.name, root };
      events.push({ ...named, ...(branch && { branch }), event });
    }
  };
  const endTurn = () => {
    if (last !== undefined) add('Stop', { last_assistant_message: last.text }, last);
    last = undefined;
  };

  function read(entry: Record<string, unknown>): void {
    // Sub-agents speak in the same file in older versions.
    if (entry.isSidechain === true || entry.isMeta === true || entry.isCompactSummary === true) return;
    const where = { at: asText(entry.timestamp), branch: asText(entry.gitBranch) };
    if (where.at === '' || Number.isNaN(Date.parse(where.at))) return;
    const { content } = asRecord(entry.message);
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    if (entry.type === 'assistant') readReply(parts, where);
    else if (entry.type === 'user') {
      common = { session_id: asText(entry.sessionId), cwd: asText(entry.cwd) };
      const results = parts.filter(({ type }) => type === 'tool_result');
      for (const result of results) readResult(result, entry.toolUseResult, where);
      if (results.length === 0) readPrompt(entry, parts, where);
    }
  }

  function readReply(parts: Record<string, unknown>[], where: { at: string; branch: string }): void {
    for (const part of parts) {
      if (part.type === 'tool_use') calls.set(asText(part.id), part);
      // One line a block: the last text before the next prompt is the answer.
      if (part.type === 'text' && asText(part.text).trim() !== '') last = { text: asText(part.text), ...where };
    }
  }

  function readResult(result: Record<string, unknown>, response: unknown, where: { at: string; branch: string }): void {
    const call = calls.get(asText(result.tool_use_id));
    if (call === undefined) return;
    calls.delete(asText(result.tool_use_id));
    const said =
      typeof result.content === 'string'
        ? result.content
        : listOf(result.content)
            .map((one) => asText(one.text))
            .join('\n');
    const payload = { tool_name: call.name, tool_input: call.input, tool_use_id: call.id };
    if (result.is_error === true) add('PostToolUseFailure', { ...payload, error: said || 'failed' }, where);
    else add('PostToolUse', { ...payload, tool_response: response ?? said }, where);
  }

  function readPrompt(
    entry: Record<string, unknown>,
    parts: Record<string, unknown>[],
    where: { at: string; branch: string },
  ): void {
    const prompt = parts.flatMap(({ type, text }) => (type === 'text' ? [asText(text)] : [])).join('\n');
    if (prompt.trim() === '' || NO_PROMPT.test(prompt)) return;
    endTurn();
    // The id that hooks report too, where the version writes it.
    turn = asText(entry.promptId) || asText(entry.uuid);
    add('UserPromptSubmit', { prompt }, where);
  }

  return {
    read,
    end() {
      endTurn();
      return events;
    },
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return asRecord(JSON.parse(line));
  } catch {
    return undefined; // Counted by the caller.
  }
}

/** The lines of a file, of which a part too long to read is given as one too long to take. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) {
      const lines = decoder.write(buffer.subarray(0, n)).split('\n');
      lines[0] = rest.length > MAX_LINE ? rest : rest + lines[0];
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}
