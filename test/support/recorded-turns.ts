import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../src/agents/claude-code.ts';
import type { Agent } from '../../src/agents/event.ts';
import { assembleTurn } from '../../src/extract/assemble.ts';
import type { Turn } from '../../src/extract/turn.ts';
import { groupTurns, type SpooledEvent } from '../../src/extract/turns.ts';

/** The turns of a recorded session, uncleaned, as a drain at its end would see them. */
export function recordedTurns(folder: string, root: string, agent: Agent = claudeCode): Turn[] {
  const seen = new Set<string>();
  const events: SpooledEvent[] = [];
  const lines = readFileSync(join(folder, 'session.jsonl'), 'utf8').split('\n').filter(Boolean);
  for (const line of lines) {
    const { seq, at, event, payload } = JSON.parse(line);
    for (const one of agent.toEvents(event, payload)) {
      if (one.key !== undefined && seen.has(one.key)) continue;
      if (one.key !== undefined) seen.add(one.key);
      events.push({ name: String(seq).padStart(6, '0'), at, host: agent.name, root, event: one });
    }
  }
  let prompts = 0;
  return groupTurns(events, { idleBefore: '', all: true }).flatMap(({ turns }) =>
    turns.map((group) => {
      const users = group.events.filter(({ event }) => event.kind === 'prompt' && event.from === 'user').length;
      prompts += users;
      return assembleTurn(group, prompts);
    }),
  );
}
