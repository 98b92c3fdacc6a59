import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AGENTS } from '../../src/capture/agents/agents.ts';
import { claudeCode } from '../../src/capture/agents/claude-code.ts';
import type { Agent, AgentEvent, ToolCall } from '../../src/capture/agents/event.ts';

/** Payloads as real clients sent them, one folder per version. */
export const PAYLOADS = 'test/fixtures/payloads';

/** A recorded payload (`claude-2.1.329/Stop`). */
export function payloadOf(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(`${PAYLOADS}/${file}.json`, 'utf8'));
}

/** The adapter of the client that sent a recorded payload. */
export function agentOf(file: string): Agent {
  const client = file.split('-', 1)[0] ?? '';
  return AGENTS.find(({ name }) => name.split('-').includes(client)) ?? claudeCode;
}

/** The events that a recorded payload comes to, with some of its keys changed. */
export function eventsOf(file: string, change: Record<string, unknown> = {}): AgentEvent[] {
  const payload = { ...payloadOf(file), ...change };
  // A file is called after its event.
  const event = payload.hook_event_name ?? basename(file).split('-')[0];
  return agentOf(file).toEvents(String(event), payload);
}

/** The tool call in a recorded payload, with some of its keys changed. */
export function callOf(file: string, change: Record<string, unknown> = {}): ToolCall {
  const [event] = eventsOf(file, change);
  if (event?.kind !== 'tool') throw new Error(`${file} is no tool call.`);
  return event.call;
}
