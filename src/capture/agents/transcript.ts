import { type Agent, type AgentEvent, TOOL_ACTIONS, type ToolCall } from './event.ts';
import { asRecord, asText } from './payload.ts';

/**
 * Events read from a host's log (`git mem sync --transcripts`) or piped in (`git mem capture --stdin`): the payload is
 * already our own event. This is not a host, and no hook reports for it.
 */
export const transcript: Pick<Agent, 'name' | 'toEvents'> = { name: 'transcript', toEvents };

function toEvents(event: string, payload: Record<string, unknown>): AgentEvent[] {
  const session = asText(payload.session);
  if (session === '') return [];
  const [turn, key, agent] = [asText(payload.turn), asText(payload.key), asText(payload.agent)];
  const ids = { ...(turn && { turn }), ...(key && { key }), ...(agent && { agent }) };
  const again = payload.isAgain === true && { isAgain: true as const };
  const common = { session, cwd: asText(payload.cwd), ...ids };
  switch (event) {
    case 'session-start':
      return [{ ...common, kind: event, source: asText(payload.source) }];
    case 'prompt':
      return [
        { ...common, kind: event, text: asText(payload.text), from: payload.from === 'machine' ? 'machine' : 'user' },
      ];
    case 'tool':
      return [{ ...common, kind: event, call: asCall(asRecord(payload.call)) }];
    case 'report':
      return [{ ...common, kind: event, text: asText(payload.text) }];
    case 'turn-end':
      return [{ ...common, kind: event, text: asText(payload.text), ...again }];
    case 'compaction':
      return [{ ...common, kind: event, summary: asText(payload.summary) }];
    case 'session-end':
      return [{ ...common, kind: event, reason: asText(payload.reason) }];
    default:
      return [];
  }
}

function asCall(call: Record<string, unknown>): ToolCall {
  const change = asRecord(call.change);
  const [command, description, blob] = [asText(call.command), asText(call.description), asText(call.blob)];
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
    ...(blob && { blob }),
  };
}
