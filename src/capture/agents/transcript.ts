import { type Agent, type AgentEvent, EVENT_KINDS, TOOL_ACTIONS, type ToolCall } from './event.ts';
import { asRecord, asText, eventsOf } from './payload.ts';

/**
 * Events read from a host's log (`git mem sync --transcripts`) or piped in (`git mem capture --stdin`): the payload is
 * already our own event. This is not a host, and no hook reports for it.
 */
export const transcript: Pick<Agent, 'name' | 'toEvents'> = { name: 'transcript', toEvents };

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const key = asText(payload.key);
  const said = eventsOf(
    EVENT_KINDS.find((kind) => kind === event),
    {
      session: asText(payload.session),
      cwd: asText(payload.cwd),
      turn: asText(payload.turn),
      agent: asText(payload.agent),
      text: asText(payload.text),
      from: payload.from === 'machine' ? 'machine' : 'user',
      source: payload.source,
      summary: payload.summary,
      reason: payload.reason,
      isAgain: payload.isAgain === true,
      calls: () => [asCall(asRecord(payload.call))],
    },
  );
  return said.map(({ key: _, ...one }) => ({ ...one, ...(key && { key }) }));
}

function asCall(call: Record<string, unknown>): ToolCall {
  const change = asRecord(call.change);
  const [command, description] = [asText(call.command), asText(call.description)];
  return {
    id: asText(call.id),
    tool: asText(call.tool),
    action: TOOL_ACTIONS.find((action) => action === call.action) ?? 'other',
    paths: Array.isArray(call.paths) ? call.paths.map(asText).filter(Boolean) : [],
    ...(command && { command }),
    ...(description && { description }),
    ok: typeof call.ok === 'boolean' ? call.ok : undefined,
    ...(typeof call.exitCode === 'number' && { exitCode: call.exitCode }),
    output: asText(call.output),
    ...(call.change !== undefined && { change: { removed: asText(change.removed), added: asText(change.added) } }),
  };
}
