import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  newSession,
  readSession,
  readSessions,
  seenHash,
  writeSession,
} from '../../../src/capture/drain/session-state.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('state', () => scratchFolder());

const DAY_MS = 86_400_000;

describe('the drain’s state of a session', () => {
  it('reads back as it was written', ({ state }) => {
    const value = {
      ...newSession('s/../1', 'claude-code', '/repo'),
      seen: [seenHash('tool a')],
      turns: { t1: 1 },
      branch: 'main',
    };
    writeSession(state, value);
    expect(readSession(state, 's/../1')).toEqual(value);
    expect(readSession(state, 'other')).toBeUndefined();
    expect(readSessions(state, Date.now())).toEqual([value]);
    const [name = ''] = readdirSync(join(state, 'sessions'));
    expect(name).toMatch(/^[0-9a-z]{10}\.json$/);
    expect(statSync(join(state, 'sessions', name)).mode & 0o777).toBe(0o600);
  });

  it('counts as absent, without an error, when it is damaged or of another version', ({ state }) => {
    writeSession(state, newSession('a', 'claude-code', '/repo'));
    const path = join(state, 'sessions', readdirSync(join(state, 'sessions'))[0] ?? '');
    for (const text of [
      '',
      '{"session":',
      'null',
      JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), prompts: 'three' }),
    ]) {
      writeFileSync(path, text);
      expect(readSession(state, 'a')).toBeUndefined();
      expect(readSessions(state, Date.now())).toEqual([]);
    }
    expect(readSessions(join(state, 'nowhere'), Date.now())).toEqual([]);
  });

  it('is not mixed up with an older state that a killed drain left behind', ({ state }) => {
    writeSession(state, newSession('a', 'claude-code', '/repo'));
    const [name = ''] = readdirSync(join(state, 'sessions'));
    writeFileSync(join(state, 'sessions', `.tmp-0123456789ab-${name}`), readFileSync(join(state, 'sessions', name)));
    writeSession(state, { ...newSession('a', 'claude-code', '/repo'), prompts: 7 });
    expect(readSessions(state, Date.now()).map(({ prompts }) => prompts)).toEqual([7]);
  });

  it('is forgotten after three months of silence', ({ state }) => {
    for (const session of ['old', 'new']) writeSession(state, newSession(session, 'claude-code', '/repo'));
    const now = Date.now() + 91 * DAY_MS;
    for (const name of readdirSync(join(state, 'sessions'))) {
      const path = join(state, 'sessions', name);
      if (readFileSync(path, 'utf8').includes('"new"')) utimesSync(path, now / 1000, now / 1000);
    }
    expect(readSessions(state, now).map(({ session }) => session)).toEqual(['new']);
    expect(readdirSync(join(state, 'sessions'))).toHaveLength(1);
  });
});
