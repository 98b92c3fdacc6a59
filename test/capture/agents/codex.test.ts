import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patchCalls } from '../../../src/capture/agents/apply-patch.ts';
import { codex } from '../../../src/capture/agents/codex.ts';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { createReader } from '../../../src/capture/drain/transcripts/reader.ts';
import { blobId } from '../../../src/memory/id.ts';
import { callOf, eventsOf, PAYLOADS, payloadOf } from '../../support/payloads.ts';

const V = 'codex-0.169.0';
const SESSION = '01a1faa8-7db0-7da3-afe4-ce92c1942d7e';
const TURN = '01a1faa8-7ddb-7701-8db6-df4a70b636df';

describe('the payloads of Codex', () => {
  const files = readdirSync(`${PAYLOADS}/${V}`).map((name) => `${V}/${name.replace('.json', '')}`);

  it.each(files)('%s is of an event that is kept or answered', (file) => {
    const payload = payloadOf(file);
    expect([...codex.events, ...codex.replies]).toContain(payload.hook_event_name);
    for (const event of eventsOf(file)) expect(event).toMatchObject({ session: payload.session_id, cwd: '/repo' });
  });

  it('give a prompt, an answer and the ends of a session, each with a key where it has a turn', () => {
    expect(eventsOf(`${V}/SessionStart-startup`)).toEqual([
      { kind: 'session-start', session: SESSION, cwd: '/repo', source: 'startup' },
    ]);
    expect(eventsOf(`${V}/UserPromptSubmit`)).toEqual([
      {
        kind: 'prompt',
        session: SESSION,
        turn: TURN,
        key: `UserPromptSubmit ${TURN} ${blobId('Update auth PROMPT-MARK')}`,
        cwd: '/repo',
        text: 'Update auth PROMPT-MARK',
        from: 'user',
      },
    ]);
    expect(eventsOf(`${V}/Stop`)).toMatchObject([{ kind: 'turn-end', turn: TURN, text: 'FINAL-MARK' }]);
    expect(eventsOf(`${V}/SessionEnd-other`)).toMatchObject([{ kind: 'session-end', reason: 'other' }]);
  });

  it('keep apart two prompts of one turn, and know one that is reported again', () => {
    const keyOf = (prompt: string) =>
      codex.toEvents('UserPromptSubmit', { ...payloadOf(`${V}/UserPromptSubmit`), prompt })[0]?.key;
    expect(keyOf('And the tests.')).not.toBe(keyOf('Update auth.'));
    expect(keyOf('And the tests.')).toBe(keyOf('And the tests.'));
  });

  it('do not say how a command ended', () => {
    expect(callOf(`${V}/PostToolUse-Bash`)).toEqual({
      id: 'call_1',
      tool: 'Bash',
      action: 'command',
      paths: [],
      command: 'cat src/auth.ts',
      ok: undefined,
      output: 'export const a = 1;\n',
    });
  });

  it('name a patch’s files in the patch itself, and say how it ended', () => {
    expect(callOf(`${V}/PostToolUse-apply_patch`)).toMatchObject({
      id: 'call_2',
      tool: 'apply_patch',
      action: 'edit',
      paths: ['src/auth.ts'],
      ok: true,
      exitCode: 0,
      change: { removed: 'export const a = 1;', added: 'export const a = 2;' },
    });
    expect(
      callOf(`${V}/PostToolUse-apply_patch`, { tool_response: 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno' }),
    ).toMatchObject({ ok: false, exitCode: 1 });
  });

  it('give one call per file where a patch changes several', () => {
    const command =
      '*** Begin Patch\n*** Add File: a b.ts\n+one\n+two\n*** Update File: c.ts\n*** Move to: d.ts\n@@ f()\n x\n-y\n+z\n*** Delete File: e.ts\n*** End Patch\n';
    const events = eventsOf(`${V}/PostToolUse-apply_patch`, { tool_input: { command } });
    const calls = events.flatMap((event) => (event.kind === 'tool' ? [event.call] : []));
    expect(calls).toMatchObject([
      { id: 'call_2', action: 'write', paths: ['a b.ts'], change: { removed: '', added: 'one\ntwo\n' } },
      { id: 'call_2#1', action: 'edit', paths: ['c.ts', 'd.ts'], change: { removed: 'y', added: 'z' } },
      { id: 'call_2#2', action: 'delete', paths: ['e.ts'] },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(3);
  });

  it('patch nothing where the patch is broken', () => {
    const call = { id: 'c', tool: 'apply_patch', action: 'other', paths: [], output: '' } as const;
    expect(patchCalls({ ...call, paths: [] }, '+a\n*** Move to: x\nno patch')).toEqual([call]);
  });
});

describe('a session of Codex in code mode, where the model has one tool that runs JavaScript', () => {
  const read = (name: string, folder = `${V}-code-mode`) =>
    readFileSync(`${PAYLOADS}/${folder}/${name}.jsonl`, 'utf8').trimEnd().split('\n');
  const told = (events: AgentEvent[]) =>
    events.map((event) => {
      if (event.kind !== 'tool') return event.kind;
      const { action, command, paths, tool } = event.call;
      return `${action} ${command ?? (paths.map((path) => path.replace('/repo/', '')).join(' to ') || tool)}`;
    });
  const hooks = read('hooks').flatMap((line) => {
    const payload: Record<string, unknown> = JSON.parse(line);
    return codex.toEvents(String(payload.hook_event_name), payload);
  });
  const TOLD = [
    ...['session-start', 'prompt', 'command cat src/auth.ts', 'command echo one', 'command echo bad; exit 3'],
    ...['edit src/auth.ts to src/sign.ts', 'write src/new.ts', 'delete old.txt', 'command git diff --stat'],
    ...['other mcp__gitmem__memory_search', 'turn-end', 'session-end'],
  ];

  it('reports the tools that the program calls, each with its key', () => {
    expect(told(hooks)).toEqual(TOLD);
    const keys = hooks.flatMap(({ key }) => key ?? []);
    expect([keys.length, new Set(keys).size]).toEqual([10, 10]);
  });

  it('keeps the same in its log, with how each ended', () => {
    const reader = createReader(codex.sessionLogs ?? expect.fail('Codex keeps logs.'));
    const log = read('log').flatMap((line) => (reader.read(line) ?? []).map(({ event }) => event));
    expect(told(log).sort()).toEqual(TOLD.filter((one) => !one.startsWith('session-')).sort());
    const calls = log.flatMap((event) => (event.kind === 'tool' ? [event.call] : []));
    expect(calls.find(({ command }) => command === 'echo bad; exit 3')).toMatchObject({ ok: false, exitCode: 3 });
    expect(calls.filter(({ ok }) => ok === true)).toHaveLength(7);
    expect(calls.find(({ action }) => action === 'edit')?.change).toEqual({
      removed: 'export const a = 1;',
      added: 'export const a = 2;',
    });
    expect(calls.find(({ action }) => action === 'write')?.change?.added).toBe('one\ntwo\n');
  });

  describe('in the desktop app, whose log holds programs and no item for each command', () => {
    const callsIn = (lines: string[]) => {
      const reader = createReader(codex.sessionLogs ?? expect.fail('Codex keeps logs.'));
      const log = lines.flatMap((line) => (reader.read(line) ?? []).map(({ event }) => event));
      return log.flatMap((event) => (event.kind === 'tool' ? [event.call] : []));
    };
    const lines = read('log', 'codex-0.144-desktop');

    it('reports edits, calls of servers, and commands with how they ended', () => {
      const [edit, test, commit, served, checks, ...more] = callsIn(lines);
      expect(edit).toMatchObject({ action: 'edit', paths: ['/repo/src/http.rs'], ok: true });
      expect(edit?.change?.added).toContain('fn set_test_prefer_offline');
      // It outlived its program: two later ones got the rest of its output, the last one its end.
      expect(test).toMatchObject({
        action: 'command',
        command: 'cargo test http::tests::test_',
        ok: false,
        exitCode: 101,
      });
      expect(test?.output).toMatch(/Compiling proc-macro2[\s\S]*Compiling ryu[\s\S]*Finished `test`/);
      // A program that prints only the output does not say how the command ended.
      expect(commit).toMatchObject({ command: expect.stringContaining('git commit -m'), ok: undefined });
      expect(commit?.output).toMatch(/^\[codex\/fix-ruby-lockfile-platform-options 58b01f92a\] fix/);
      expect(served?.tool).toBe('mcp__codex_apps__github.create_pull_request');
      // The program went on, and \`wait\` got its output.
      expect(checks?.command).toMatch(/^sleep 10; gh pr checks/);
      expect(checks?.output).toMatch(/^\{"bucket":"pending"/);
      expect(more).toEqual([]);
    });

    it.each([
      [
        String.raw`await tools.exec_command({ "workdir": "/r", 'cmd': 'echo "a"; echo \'b\'' })`,
        [`echo "a"; echo 'b'`],
      ],
      [String.raw`tools.exec_command({cmd:"printf 'a\\n'\nls"})`, ["printf 'a\\n'\nls"]],
      ['tools.exec_command({cmd: `one`}), tools.exec_command({cmd:"two"})', ['one', 'two']],
      ['const cmd = "ls"; tools.exec_command({cmd})', []],
      ['tools.apply_patch("+ tools.exec_command({cmd: 1})")', []],
    ])('knows the commands that stand in a program: %s', (input, expected) => {
      const call = { type: 'custom_tool_call', call_id: 'c', name: 'exec', input };
      const output = {
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: 'Script completed\nWall time 0.1 seconds\nOutput:\nx',
      };
      const program = [call, output].map((payload) =>
        JSON.stringify({ timestamp: '2026-07-16T16:40:00Z', type: 'response_item', payload }),
      );
      const calls = callsIn([lines[0] ?? '', ...program]);
      expect(calls.map(({ command }) => command)).toEqual(expected);
      expect(calls.at(-1)?.output ?? 'x').toBe('x');
    });
  });
});

describe('questions from Codex', () => {
  const ask = (file: string) => {
    const payload = payloadOf(`${V}/${file}`);
    return codex.toQuestion(String(payload.hook_event_name), payload);
  };

  it('come at the start, at a prompt, and before a file is read or patched', () => {
    expect(ask('SessionStart-startup')).toEqual({ kind: 'start', session: SESSION, source: 'startup' });
    expect(ask('UserPromptSubmit')).toMatchObject({ kind: 'prompt', text: 'Update auth PROMPT-MARK' });
    expect(ask('PreToolUse-Bash')).toMatchObject({ kind: 'read', cwd: '/repo', paths: ['src/auth.ts'] });
    expect(ask('PreToolUse-apply_patch')).toMatchObject({ kind: 'read', isEdit: true, paths: ['src/auth.ts'] });
  });

  it('are answered with the keys that Codex knows, and no others: one more and it drops them all', () => {
    expect(JSON.parse(codex.toReply('SessionStart', 'c', { notice: 'One line.' }))).toEqual({
      systemMessage: 'One line.',
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' },
    });
    expect(JSON.parse(codex.toReply('PreToolUse', 'a "b"'))).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'a "b"' },
    });
  });
});
