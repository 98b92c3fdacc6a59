import { describe, expect, it } from 'vitest';
import { copilot } from '../../../src/capture/agents/copilot.ts';
import { factoryDroid } from '../../../src/capture/agents/factory-droid.ts';
import { opencode } from '../../../src/capture/agents/opencode.ts';
import { payloadOf } from '../../support/payloads.ts';

/** What clients really reported of a sub-agent that said one sentence. */
const SAID = 'Nobody else uses the limits.';

describe('a sub-agent of OpenCode', () => {
  const idle = payloadOf('opencode-1.18.33/event-session.idle-subagent');
  const started = payloadOf('opencode-1.18.33/event-session.created-subagent');
  const asked = payloadOf('opencode-1.18.33/chat.message-subagent');

  it('is part of the session that started it', () => {
    expect(opencode.toEvents('session.created', started)).toEqual([]);
    expect(opencode.toEvents('chat.message', asked)).toEqual([]);
    const session = idle.parent;
    expect(opencode.toEvents('session.idle', idle)).toMatchObject([{ kind: 'report', session, text: SAID }]);
  });

  it('gets a sub-agent’s briefing, but no answer to its prompt', () => {
    expect(opencode.toQuestion('session.created', started)).toMatchObject({ kind: 'start', isSubagent: true });
    expect(opencode.toQuestion('chat.message', asked)).toBeUndefined();
  });
});

describe('a sub-agent of Copilot', () => {
  const asked = payloadOf('copilot-1.0.102/userPromptSubmitted-subagent');
  const stopped = payloadOf('copilot-1.0.102/agentStop-subagent');
  const session = asked.parentAgentId;

  it('is part of the session that started it, and gets memory when it starts', () => {
    expect(copilot.toEvents('userPromptSubmitted', asked)).toEqual([]);
    expect(copilot.toQuestion('userPromptSubmitted', asked)).toMatchObject({
      kind: 'start',
      session,
      isSubagent: true,
    });
  });

  it('reports the log’s content even though it was written after the sub-agent stopped', () => {
    const at = new Date(Number(stopped.timestamp) + 3).toISOString();
    const line = (content: string, more: object) => ({
      type: 'assistant.message',
      timestamp: at,
      data: { content },
      ...more,
    });
    const lines = [
      line('of its parent', {}),
      line(SAID, { agentId: stopped.agentId }),
      line('of another', { agentId: 'x' }),
    ];
    const found = copilot.log?.complete(copilot.toEvents('agentStop', stopped), stopped, lines, at);
    expect(found).toMatchObject([{ event: { kind: 'report', session, agent: stopped.agentId, text: SAID } }]);
  });
});

describe('a sub-agent of Droid', () => {
  it('gets a sub-agent’s briefing, and its task does not count as a user’s prompt', () => {
    const started = payloadOf('droid-0.225.2/SessionStart-subagent');
    expect(factoryDroid.toQuestion('SessionStart', started)).toMatchObject({ kind: 'start', isSubagent: true });
    const asked = payloadOf('droid-0.225.2/UserPromptSubmit-subagent');
    expect(factoryDroid.toEvents('UserPromptSubmit', asked)).toMatchObject([
      { kind: 'prompt', from: 'machine', text: '' },
    ]);
  });

  it('reports its result to the session that started it', () => {
    const stopped = payloadOf('droid-0.225.2/SubagentStop');
    expect(factoryDroid.toEvents('SubagentStop', stopped)).toMatchObject([{ kind: 'report', text: SAID }]);
  });
});
