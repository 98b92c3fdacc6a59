import { describe, expect, it } from 'vitest';
import { renderTurn } from '../../../src/capture/extract/material.ts';
import { callOf, turnOf } from '../../support/turns.ts';

describe('renderTurn', () => {
  it('lists what happened in order', () => {
    const text = renderTurn(
      turnOf({
        prompt: 'fix the 401s',
        calls: [
          callOf({ action: 'read', paths: ['src/auth.ts'], output: 'export const skew = 0;' }),
          callOf({ action: 'read', paths: ['src/clock.ts'], output: 'export const now = Date.now;' }),
          callOf({ action: 'search', paths: ['src'], description: 'skew', output: 'src/auth.ts:1' }),
          callOf({ action: 'search', paths: ['src'], output: 'src/auth.ts:1' }),
          callOf({ action: 'command', command: 'cd /repo && git diff', output: '+export const skew = 0;' }),
          callOf({
            action: 'command',
            command: 'cd "/repo/packages/a" && npm test',
            description: 'Run tests',
            ok: false,
            exitCode: 1,
            output: 'not ok 4',
          }),
          callOf({
            action: 'edit',
            paths: ['src/auth.ts'],
            change: { removed: '{\nskew = 0\n}', added: '{\nskew = 30\n// s\n}' },
          }),
          callOf({ action: 'other', tool: 'mcp__db__query', output: '3 rows' }),
        ],
        reports: ['The clocks differ.'],
        reply: 'Fixed.',
      }),
    );
    expect(text).toBe(
      [
        'USER: fix the 401s',
        '> read src/auth.ts, src/clock.ts',
        '> search skew in src',
        '$ git diff',
        '$ npm test (exit 1)',
        '# Run tests',
        'not ok 4',
        '> edit src/auth.ts',
        'old: skew = 0',
        'new: skew = 30',
        '// s',
        '> mcp__db__query',
        '3 rows',
        'SUB-AGENT: The clocks differ.',
        'AGENT: Fixed.',
      ].join('\n'),
    );
  });

  it('says who asked and whether the turn was cut short', () => {
    expect(renderTurn(turnOf({ prompt: 'Task done.', promptFrom: 'machine', interrupted: true }))).toBe(
      'MACHINE: Task done.\nThe turn was interrupted.',
    );
  });

  it('elides large fields with a marker', () => {
    const output = `first line\n${'x'.repeat(300_000)}\nlast line`;
    const text = renderTurn(
      turnOf({ prompt: 'go', calls: [callOf({ action: 'command', command: 'npm run dump', output })] }),
    );
    expect(text).toMatch(/first line\nx+\[… 299,\d{3} characters left out …\]x+\nlast line/);
    expect(text.length).toBeLessThan(1_000);
  });

  it('removes terminal colours and runs of blank lines', () => {
    const output = '\u001b[1m\u001b[32mok\u001b[0m\r\n\n\n\n\u001b]0;title\u0007done';
    expect(renderTurn(turnOf({ calls: [callOf({ action: 'command', command: 'x', output })] }))).toBe(
      '$ x\nok\n\ndone',
    );
  });

  it('keeps a turn of hundreds of calls within its limit, with the request and the conclusion whole', () => {
    const call = callOf({ action: 'command', command: 'npm test '.repeat(20), output: 'line of output\n'.repeat(200) });
    const prompt = 'Please find out why this is slow. '.repeat(20).trim();
    const reply = 'The index was missing, and now it is there. '.repeat(20).trim();
    const text = renderTurn(turnOf({ prompt, reply, calls: Array.from({ length: 150 }, () => call) }));
    expect(text.length).toBeLessThanOrEqual(6_000);
    expect(text).toContain(prompt);
    expect(text).toContain(reply);
    const huge = renderTurn(turnOf({ prompt, reply, calls: Array.from({ length: 3_000 }, () => call) }));
    expect(huge.length).toBeLessThanOrEqual(6_000);
    expect(huge.startsWith(`USER: ${prompt}`)).toBe(true);
    expect(huge.endsWith(reply)).toBe(true);
  });

  it('says what a sub-agent reported once, and no fragment of a description', () => {
    const report = 'The clocks differ by two seconds.';
    const agent = callOf({ action: 'agent', tool: 'Task', output: report });
    expect(renderTurn(turnOf({ calls: [agent], reports: [report] }))).toBe(`> agent\n${report}`);
    const calls = Array.from({ length: 90 }, () =>
      callOf({
        action: 'command',
        command: 'npm test',
        description: 'Run the whole suite again',
        output: 'ok '.repeat(99),
      }),
    );
    const text = renderTurn(turnOf({ calls }));
    expect(text.match(/# (.*)/)?.[1] ?? 'Run the whole suite again').toBe('Run the whole suite again');
  });
});
