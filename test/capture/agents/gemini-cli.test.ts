import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../src/capture/agents/gemini-cli.ts';
import { callOf, eventsOf, PAYLOADS, payloadOf } from '../../support/payloads.ts';

const V = 'gemini-0.61.0';
const SESSION = '57634921-bc76-4fce-9429-80e1f6f90c90';

describe('the payloads of Gemini CLI', () => {
  it.each(readdirSync(`${PAYLOADS}/${V}`))('%s names its session, or says nothing', (name) => {
    for (const event of eventsOf(`${V}/${name.replace('.json', '')}`))
      expect(event).toMatchObject({ session: SESSION, cwd: '/repo' });
  });

  it('give a prompt without the text injected before it, an answer, and the ends of a session', () => {
    expect(eventsOf(`${V}/SessionStart-startup`)).toMatchObject([{ kind: 'session-start', source: 'startup' }]);
    expect(eventsOf(`${V}/BeforeAgent`)).toEqual([
      {
        kind: 'prompt',
        session: SESSION,
        cwd: '/repo',
        key: 'BeforeAgent 2026-11-20T20:29:23.580Z',
        text: 'Update auth PROMPT-MARK',
        from: 'user',
      },
    ]);
    expect(eventsOf(`${V}/AfterAgent`)).toMatchObject([{ kind: 'turn-end', text: 'Reading.\nFINAL-MARK' }]);
    expect(eventsOf(`${V}/SessionEnd-exit`)).toMatchObject([{ kind: 'session-end', reason: 'exit' }]);
    const twice = '<hook_context>a</hook_context>\n\n<hook_context>b\nc</hook_context>\n\ndo <hook_context>';
    expect(eventsOf(`${V}/BeforeAgent`, { prompt: twice })).toMatchObject([{ text: 'do <hook_context>' }]);
  });

  it('give nothing before a tool or a compression', () => {
    for (const file of ['BeforeTool-read_file', 'BeforeTool-run_shell_command', 'PreCompress-auto'])
      expect(eventsOf(`${V}/${file}`)).toEqual([]);
  });

  it('read, edit, write and run', () => {
    expect(callOf(`${V}/AfterTool-read_file`)).toMatchObject({
      action: 'read',
      paths: ['/repo/src/auth.ts'],
      output: 'export const a = 1;\n',
    });
    expect(callOf(`${V}/AfterTool-replace`)).toMatchObject({
      action: 'edit',
      paths: ['/repo/src/auth.ts'],
      ok: true,
      output: '',
      change: { removed: 'a = 1', added: 'a = 2' },
    });
    expect(
      callOf(`${V}/AfterTool-replace`, { tool_response: { llmContent: 'Failed to edit', returnDisplay: 'no' } }),
    ).toMatchObject({ ok: false, output: 'no' });
    expect(callOf(`${V}/AfterTool-run_shell_command`)).toMatchObject({
      action: 'command',
      command: 'echo hi',
      description: 'd',
      ok: true,
      output: 'hi',
    });
    const failed = { llmContent: '<untrusted_context>\nOutput: x\nExit Code: 1\nProcess Group PGID: 1\n' };
    expect(callOf(`${V}/AfterTool-run_shell_command`, { tool_response: failed })).toMatchObject({
      ok: false,
      exitCode: 1,
    });
  });

  it('distinguish two calls in one millisecond, and give a repeated report the same key', () => {
    const [one, same, other] = [
      eventsOf(`${V}/AfterTool-read_file`),
      eventsOf(`${V}/AfterTool-read_file`),
      eventsOf(`${V}/AfterTool-read_file`, { tool_input: { file_path: '/repo/b.ts' } }),
    ].map(([event]) => event?.key);
    expect(one).toMatch(/^tool 2026/);
    expect([same === one, other === one]).toEqual([true, false]);
  });
});

it('questions from Gemini CLI come at the start, at a prompt, and after a file was read', () => {
  const ask = (file: string) => {
    const payload = payloadOf(`${V}/${file}`);
    return geminiCli.toQuestion(String(payload.hook_event_name), payload);
  };
  expect(ask('SessionStart-startup')).toEqual({ kind: 'start', session: SESSION, source: 'startup' });
  expect(ask('BeforeAgent')).toMatchObject({ kind: 'prompt', text: 'Update auth PROMPT-MARK' });
  expect(ask('AfterTool-read_file')).toMatchObject({ kind: 'read', paths: ['/repo/src/auth.ts'] });
  expect(ask('AfterTool-replace')).toBeUndefined();
  expect(ask('BeforeTool-read_file')).toBeUndefined();
  expect(JSON.parse(geminiCli.toReply('SessionStart', 'c', { notice: 'One line.' }))).toEqual({
    systemMessage: 'One line.',
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' },
  });
  expect(JSON.parse(geminiCli.toReply('AfterTool', 'c'))).toEqual({
    hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'c' },
  });
});
