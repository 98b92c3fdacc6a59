import { isObject } from '../../json.ts';
import { blobId } from '../../memory/id.ts';
import type { AgentEvent, ToolCall } from './event.ts';

export { fieldsOf as asRecord } from '../../json.ts';

/** A string, or the empty string for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The JSON objects of a list; anything else in it is left out. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts under some keys of an object, empty ones left out. */
export function textsOf(record: Record<string, unknown>, ...keys: string[]): string[] {
  return keys.map((key) => asText(record[key])).filter((text) => text !== '');
}

/** Text, or the texts in a list of parts, one per line. */
export function textIn(content: unknown): string {
  return (
    asText(content) ||
    listOf(content)
      .map((part) => asText(part.text))
      .filter(Boolean)
      .join('\n')
  );
}

type Change = Exclude<ToolCall['change'], undefined>;
type Common = Pick<AgentEvent, 'session' | 'cwd' | 'turn' | 'agent'>;

/** What all events of a payload or of a line share. */
export function commonOf({ session, cwd, turn = '', agent = '' }: Common): Common {
  return { session, cwd, ...(turn && { turn }), ...(agent && { agent }) };
}

/** An event's key: the host's id for what it reports, and whatever else tells it from others; empty without an id. */
export function keyed(event: string, id: string, ...others: string[]): { key?: string } {
  return id === '' ? {} : { key: [event, id, ...others].filter(Boolean).join(' ') };
}

/** What a call is for: what the agent said, or the pattern of a search. */
export function purposeOf(input: Record<string, unknown>): string {
  return asText(input.description) || asText(input.pattern);
}

/** An id for a call of a host without ids: when it ended and what it was, because two may end in one millisecond. */
export function callId(time: string, ...what: unknown[]): string {
  return time && `${time} ${blobId(JSON.stringify(what)).slice(0, 12)}`;
}

/** What the edits in a list replaced, and with what. */
export function changeIn(edits: Record<string, unknown>[], before = 'old_string', after = 'new_string'): Change {
  const side = (name: string) => edits.map((edit) => asText(edit[name])).join('\n');
  return { removed: side(before), added: side(after) };
}

/** Event kinds by the host's names for them; undefined for an event that says nothing itself. */
export type Kinds = Readonly<Record<string, AgentEvent['kind'] | undefined>>;

/** What a payload says, as far as its kind of event needs it. */
interface Said extends Common {
  key?: { key?: string };
  text?: string;
  from?: 'user' | 'machine';
  source?: unknown;
  summary?: unknown;
  reason?: unknown;
  isAgain?: boolean;
  calls?: () => ToolCall[];
}

/** The events of a payload; none without a session. */
export function eventsOf(kind: AgentEvent['kind'] | undefined, { key, ...said }: Said): AgentEvent[] {
  if (said.session === '') return [];
  const common = commonOf(said);
  const { text = '', from = 'user' } = said;
  switch (kind) {
    case 'session-start':
      return [{ ...common, kind, source: asText(said.source) || 'startup' }];
    case 'prompt':
      return [{ ...common, ...key, kind, text, from }];
    case 'tool':
      return said.calls?.().map((call) => toolEvent(common, call)) ?? [];
    case 'report':
      return [{ ...common, ...key, kind, text }];
    case 'turn-end':
      return [{ ...common, ...key, kind, text, ...(said.isAgain && { isAgain: true }) }];
    case 'compaction':
      return [{ ...common, ...key, kind, summary: asText(said.summary) }];
    case 'session-end':
      return [{ ...common, kind, reason: asText(said.reason) }];
    default:
      return [];
  }
}

/** A sub-agent's start and prompt are its parent's call, its end is a report. */
export function kindOf(kinds: Kinds, event: string, agent: string): AgentEvent['kind'] | undefined {
  const kind = kinds[event];
  if (agent === '') return kind;
  return kind === 'session-start' || kind === 'prompt' ? undefined : kind === 'turn-end' ? 'report' : kind;
}

/** The event of a finished call. Its key is the call's id, so that a call that is reported twice counts once. */
export function toolEvent(common: Common, call: ToolCall): AgentEvent {
  return { ...common, ...keyed('tool', call.id), kind: 'tool', call };
}
