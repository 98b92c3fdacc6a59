import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAgent, LOGGED_HOSTS } from '../../../../src/capture/agents/agents.ts';
import type { AgentEvent } from '../../../../src/capture/agents/event.ts';
import { linesOf } from '../../../../src/capture/drain/transcripts/logs.ts';
import { createReader } from '../../../../src/capture/drain/transcripts/reader.ts';
import { sessionsFolder } from '../../../support/shared.ts';

const folder = sessionsFolder();
if (folder === undefined) {
  console.log('skipped: the recorded sessions do not lie beside this checkout (../shared/sessions).');
}
const names = folder === undefined ? [] : readdirSync(folder).sort();

describe.skipIf(folder === undefined)('the log of a recorded session reports what its hooks reported', () => {
  it('exists', () => {
    expect(names.length).toBeGreaterThanOrEqual(8);
  });

  it.each(names)('%s', async (name) => {
    const place = join(folder ?? '', name);
    const host = /codex/.test(name) ? 'codex' : /gemini/.test(name) ? 'gemini-cli' : 'claude-code';
    const hooked = await eventsOfHooks(join(place, 'session.jsonl'), host);
    const logged = await eventsOfLog(place, host);
    expect(logged.filter(({ kind }) => kind === 'prompt').map(textOf)).toEqual(
      hooked.filter(({ kind }) => kind === 'prompt').map(textOf),
    );
    // A call that a person interrupted is reported by no hook.
    const calls = callsOf(logged).filter((call) => name !== '04-messy' || !call.includes('resend.js --dry-run'));
    expect(calls).toEqual(callsOf(hooked));
    // Gemini's hook reports all texts of a turn at its end, its log each by itself.
    const ends = logged.filter(({ kind }) => kind === 'turn-end').map(textOf);
    for (const end of hooked.filter(({ kind }) => kind === 'turn-end').map(textOf))
      expect(ends.some((text) => text !== '' && end.endsWith(text))).toBe(true);
  });
});

async function eventsOfLog(place: string, name: string): Promise<AgentEvent[]> {
  const logs = readdirSync(join(place, 'transcripts')).filter((name) => /^(?!.*subagents).*\.jsonl$/.test(name));
  const host = LOGGED_HOSTS.find((one) => one.name === name) ?? expect.fail(`${name} keeps no logs.`);
  const events: AgentEvent[] = [];
  for (const log of logs) {
    const reader = createReader(host.sessionLogs);
    for await (const { text } of linesOf(join(place, 'transcripts', log)))
      events.push(...(reader.read(text ?? '') ?? []).map(({ event }) => event));
    events.push(...reader.endTurn().map(({ event }) => event));
  }
  return events;
}

/** What hooks reported of the session itself: sub-agents have logs of their own. */
async function eventsOfHooks(path: string, host: string): Promise<AgentEvent[]> {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines
    .map((line): { event: string; payload: Record<string, unknown> } => JSON.parse(line))
    .flatMap(({ event, payload }) => findAgent(host)?.toEvents(event, payload) ?? [])
    .filter((event) => event.agent === undefined);
}

function textOf(event: AgentEvent): string {
  return 'text' in event ? event.text : '';
}

/** What calls did and to which files, once each: two hooks may report one call, and calls run side by side. */
function callsOf(events: AgentEvent[]): string[] {
  const calls = events.flatMap((event) => (event.kind === 'tool' ? [event.call] : []));
  const told = calls.map(({ action, paths, command, change }) => JSON.stringify([action, paths, command, change]));
  return [...new Set(told)].sort();
}
