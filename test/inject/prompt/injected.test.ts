import { appendFileSync, existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  claimStart,
  noteInjected,
  readInjected,
  resetInjected,
  sweepInjected,
} from '../../../src/inject/prompt/injected.ts';
import { idOf } from '../../../src/memory/id.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('state', () => scratchFolder());

const [A, B] = [idOf('a'), idOf('b')];
const fileOf = (state: string) => join(state, 'injected', readdirSync(join(state, 'injected'))[0] ?? '');

describe('the list of records injected into a session', () => {
  it('is kept for that session alone', ({ state }) => {
    expect(noteInjected(state, 's1', [A])).toEqual([A]);
    expect([...readInjected(state, 's1').ids]).toEqual([A]);
    expect(readInjected(state, 's2')).toEqual({ ids: new Set(), hasForgotten: false });
    expect(readInjected(state, 's1 agent').ids.size).toBe(0);
  });

  it('gives a record to the first caller that notes it', ({ state }) => {
    expect(noteInjected(state, 's1', [A])).toEqual([A]);
    expect(noteInjected(state, 's1', [A, B])).toEqual([B]);
  });

  it('is cleared with the context, and remembers that it was', ({ state }) => {
    noteInjected(state, 's1', [A]);
    resetInjected(state, 's1', true);
    expect(readInjected(state, 's1')).toEqual({ ids: new Set(), hasForgotten: true });
    expect(noteInjected(state, 's1', [A])).toEqual([A]);
    resetInjected(state, 's1', false);
    expect(readInjected(state, 's1')).toEqual({ ids: new Set(), hasForgotten: false });
  });

  it('gives the start to the first host that asks, and to that host again', ({ state }) => {
    const now = Date.now();
    expect(claimStart(state, 's1', { host: 'claude-code', now })).toBe(true);
    expect(claimStart(state, 's1', { host: 'copilot', now })).toBe(false);
    expect(claimStart(state, 's2', { host: 'copilot', now })).toBe(true);
    expect(claimStart(state, 's1', { host: 'claude-code', now })).toBe(true);
    expect(claimStart(state, 's1', { host: 'copilot', now: now + 60_000 })).toBe(true);
  });

  it('ignores a claim of the start by a host that was killed while writing it', () => {
    const now = Date.now();
    for (const torn of ['', 'c', 'claude-code']) {
      const state = scratchFolder();
      expect(claimStart(state, 's1', { host: 'claude-code', now })).toBe(true);
      writeFileSync(fileOf(state), torn);
      expect(claimStart(state, 's1', { host: 'copilot', now }), torn).toBe(true);
      expect(claimStart(state, 's1', { host: 'claude-code', now }), torn).toBe(false);
    }
  });

  it('survives damage', ({ state }) => {
    noteInjected(state, 's1', [A]);
    appendFileSync(fileOf(state), `\u0000\u0001 garbage\n\n${B}`);
    expect([...readInjected(state, 's1').ids]).toEqual([A, B]);
  });

  it('stays bounded: a session with thousands of entries gets no more', ({ state }) => {
    noteInjected(state, 's1', [A]);
    writeFileSync(fileOf(state), 'x'.repeat(300_000));
    expect(noteInjected(state, 's1', [B])).toEqual([]);
    expect(readInjected(state, 's1').ids.size).toBe(0);
  });

  it('is empty where it cannot be written', ({ state }) => {
    writeFileSync(join(state, 'injected'), 'in the way');
    expect(noteInjected(state, 's1', [A])).toEqual([]);
    expect(readInjected(state, 's1').ids.size).toBe(0);
    resetInjected(state, 's1', true);
    sweepInjected(state, Date.now());
  });

  it('accepts any text as a session’s name', ({ state }) => {
    for (const name of ['../../etc/passwd', '\u0000', 'x'.repeat(10_000), 'ü\n']) {
      expect(noteInjected(state, name, [A])).toEqual([A]);
    }
    expect(readdirSync(state)).toEqual(['injected']);
  });

  it('is swept two weeks after its last entry', ({ state }) => {
    noteInjected(state, 'old', [A]);
    const old = fileOf(state);
    utimesSync(old, new Date(0), new Date(0));
    noteInjected(state, 'new', [A]);
    sweepInjected(state, Date.now());
    expect(existsSync(old)).toBe(false);
    expect(readInjected(state, 'new').ids.size).toBe(1);
  });
});
