import { describe, expect, it } from 'vitest';
import { callOf, eventsOf } from '../../support/payloads.ts';

describe('a prompt that no user typed', () => {
  it.each([
    [
      '<task-notification>\n<task-id>a</task-id>\n<result>The review is done: no race.</result>\n</task-notification>',
      {},
      'The review is done: no race.',
    ],
    ['<task-notification><status>failed</status></task-notification>', {}, ''],
    ['  <system-reminder>x</system-reminder>', {}, ''],
    ['wake up', { source: 'loop_wakeup' }, ''],
    ['tick', { source: 'schedule_wakeup' }, ''],
    ['<result>inner </result> kept</result>', { source: 'system' }, 'inner </result> kept'],
  ])('is a machine’s, and only its result is kept: %j', (prompt, more, text) => {
    expect(eventsOf('claude-2.1.329/UserPromptSubmit', { prompt, ...more })).toMatchObject([
      { kind: 'prompt', from: 'machine', text },
    ]);
  });

  it.each([
    ['what does <task-notification> mean?', {}],
    ['hello', { source: 'user' }],
    ['hello', { source: 'sdk' }],
    ['', {}],
  ])('is told apart from one that a user typed: %j', (prompt, more) => {
    expect(eventsOf('claude-2.1.329/UserPromptSubmit', { prompt, ...more })).toMatchObject([
      { from: 'user', text: prompt },
    ]);
  });
});

describe('the key of an event', () => {
  const keyOf = (file: string, change = {}) => eventsOf(`claude-2.1.329/${file}`, change)[0]?.key;

  it('is the same when the event is reported again, and different for every other event', () => {
    const keys = ['UserPromptSubmit', 'Stop', 'PostToolUse-Bash', 'PostToolUse-Edit', 'PostCompact-manual'].map(
      (file) => keyOf(file),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(
      ['UserPromptSubmit', 'Stop', 'PostToolUse-Bash', 'PostToolUse-Edit', 'PostCompact-manual'].map((file) =>
        keyOf(file),
      ),
    ).toEqual(keys);
  });

  it('differs between two ends of one turn by their text, as when a hook made the agent continue', () => {
    expect(keyOf('Stop', { last_assistant_message: 'First.' })).not.toBe(
      keyOf('Stop', { last_assistant_message: 'Second.' }),
    );
  });

  it('is absent where the client gives no ids to build it from', () => {
    expect(keyOf('Stop', { prompt_id: undefined })).toBeUndefined();
    expect(keyOf('PostToolUse-Bash', { tool_use_id: '' })).toBeUndefined();
  });
});

it('an interrupted command does not count as passed', () => {
  expect(callOf('claude-2.1.329/PostToolUse-Bash', { tool_response: { stdout: 'x', interrupted: true } }).ok).toBe(
    false,
  );
  expect(callOf('claude-2.1.329/PostToolUseFailure-Bash', { is_interrupt: true, error: 'stopped' })).toMatchObject({
    ok: false,
    output: 'stopped',
  });
});
