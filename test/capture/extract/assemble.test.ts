import { describe, expect, it } from 'vitest';
import type { AgentEvent, ToolCall } from '../../../src/capture/agents/event.ts';
import { assembleTurn } from '../../../src/capture/extract/assemble.ts';
import type { SpooledEvent } from '../../../src/capture/extract/turns.ts';

const common = { session: 's1', turn: 't1', cwd: '/home/u/repo/src' };
const call: ToolCall = { id: 'c1', tool: 'Read', action: 'read', paths: [], ok: true, output: 'text' };

function turnOf(...events: Partial<SpooledEvent & { event: AgentEvent }>[]) {
  const spooled = events.map((event, i) => ({
    name: `file${i}`,
    at: `2026-11-20T20:0${i}:00.000Z`,
    host: 'claude-code',
    root: '/home/u/repo',
    event: { ...common, kind: 'prompt' as const, text: '', from: 'user' as const },
    ...event,
  }));
  return assembleTurn({ session: 's1', turn: 't1', events: spooled, complete: true }, 3);
}

const prompt = (text: string, from: 'user' | 'machine' = 'user', key?: string) => ({
  event: { ...common, kind: 'prompt' as const, text, from, ...(key && { key }) },
});
const stop = (text: string, agent?: string) => ({
  event: { ...common, kind: 'turn-end' as const, text, ...(agent && { agent }) },
});
const tool = (paths: string[], more: Partial<AgentEvent> = {}) => ({
  event: { ...common, kind: 'tool' as const, call: { ...call, paths }, ...more } as AgentEvent,
});

describe('a turn', () => {
  it('has the prompt, calls, reports and reply of its events', () => {
    const report = { event: { ...common, kind: 'report' as const, text: 'Found it.', agent: 'a1' } };
    expect(turnOf(prompt('Fix it.', 'user', 'k1'), tool(['a.ts']), report, stop('Fixed.'))).toEqual({
      session: 's1',
      key: 'k1',
      promptNumber: 3,
      prompt: 'Fix it.',
      promptFrom: 'user',
      interrupted: false,
      inputs: [],
      saved: false,
      calls: [{ ...call, paths: ['src/a.ts'], at: '2026-11-20T20:01:00.000Z' }],
      reports: ['Found it.'],
      reply: 'Fixed.',
      startedAt: '2026-11-20T20:00:00.000Z',
      endedAt: '2026-11-20T20:03:00.000Z',
    });
  });

  it('keeps the answer before a hook let it go on, unless it changed something then', () => {
    const again = (text: string) => ({ event: { ...common, kind: 'turn-end' as const, text, isAgain: true as const } });
    const answers = [stop('The parser keeps the first key now.'), again('The change is small and needs no docs.')];
    expect(turnOf(...answers).reply).toBe('The parser keeps the first key now.');
    const edit = { event: { ...common, kind: 'tool' as const, call: { ...call, action: 'edit' as const } } };
    expect(turnOf(answers[0] ?? {}, edit, answers[1] ?? {}).reply).toBe('The change is small and needs no docs.');
    expect(turnOf(stop(''), again('The parser keeps both keys now.')).reply).toBe('The parser keeps both keys now.');
  });

  it('is named after its file where its first event has no key', () => {
    expect(turnOf(prompt('Fix it.')).key).toBe('file0');
  });

  it('of no events is empty', () => {
    expect(turnOf()).toMatchObject({ key: '', prompt: '', calls: [], interrupted: false, startedAt: '', endedAt: '' });
  });

  it('is not marked as interrupted without an end: nobody saw it end, and a sub-agent’s end does not count', () => {
    expect(turnOf(prompt('Fix it.'), stop('Sub-agent done.', 'a1'))).toMatchObject({ interrupted: false, reply: '' });
  });

  it('is closed where the agent saved its memory itself and the save did not fail', () => {
    const save = (ok: boolean) =>
      tool([], { call: { ...call, tool: 'mcp__git-mem__save_observation', ok } } as Partial<AgentEvent>);
    expect(turnOf(prompt('Fix it.'), save(true)).saved).toBe(true);
    expect(turnOf(prompt('Fix it.'), save(false)).saved).toBe(false);
    expect(turnOf(prompt('Fix it.'), tool(['a.ts'])).saved).toBe(false);
  });

  it('keeps its last answer, even when it ended in an error after that', () => {
    expect(turnOf(prompt('Fix it.'), stop('First.'), stop('Second.')).reply).toBe('Second.');
    expect(turnOf(prompt('Fix it.'), stop('First.'), stop(''))).toMatchObject({ reply: 'First.', interrupted: false });
  });

  it('is the user’s even when a machine’s prompt was part of it', () => {
    expect(turnOf(prompt('Fix it.'), prompt('Done.', 'machine'))).toMatchObject({
      prompt: 'Fix it.\n\nDone.',
      promptFrom: 'user',
    });
    expect(turnOf(prompt('Done.', 'machine')).promptFrom).toBe('machine');
    expect(turnOf(tool([])).promptFrom).toBe('user');
  });

  it('records which calls a sub-agent made', () => {
    expect(turnOf(tool([], { agent: 'a1' }), tool([])).calls.map(({ agent }) => agent)).toEqual(['a1', undefined]);
  });
});

describe('the paths of a call', () => {
  it.each([
    ['/home/u/repo/src/a.ts', 'src/a.ts'],
    ['a.ts', 'src/a.ts'],
    ['./deep/../a.ts', 'src/a.ts'],
    ['../README.md', 'README.md'],
    ['/home/u/repo/..data/x', '..data/x'],
    ['/home/u/repo/with space/ä.ts', 'with space/ä.ts'],
    ['/home/u/repo/.gitignore', '.gitignore'],
    ['/home/u/repo/.github/x.yml', '.github/x.yml'],
    ['/home/u/repo/sub/.git/x', 'sub/.git/x'],
    ['/etc/passwd', undefined],
    ['/home/u/repository/x', undefined],
    ['../../x', undefined],
    ['..', undefined],
    ['/home/u/repo', undefined],
    ['/home/u/repo/', undefined],
    ['/home/u/repo/.git/config', undefined],
    ['/home/u/repo/.git', undefined],
    ['/home/u/repo/.memory/observations/x.md', undefined],
    ['/home/u/repo/.memory', undefined],
  ])('are relative to the top of the worktree, and only inside it: %s', (path, expected) => {
    expect(turnOf(tool([path])).calls[0]?.paths).toEqual(expected === undefined ? [] : [expected]);
  });

  it('are relative to the worktree’s top where the host does not give its directory', () => {
    expect(turnOf(tool(['a.ts'], { cwd: '' })).calls[0]?.paths).toEqual(['a.ts']);
  });
});
