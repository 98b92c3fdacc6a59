import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accept,
  acknowledge,
  countEvents,
  type EventHead,
  pending,
  readEvent,
  setAside,
} from '../../../src/capture/spool/spool.ts';
import { sweep } from '../../../src/memory/store/sweep.ts';
import { bundle } from '../../support/bundle.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { runs } from '../../support/trials.ts';

const it = test.extend('state', () => join(scratchFolder(), 'state'));

const HEAD: EventHead = { host: 'claude-code', event: 'Stop', root: '/home/u/repo' };

const acceptMany = await bundle(`
  import { accept } from './src/capture/spool/spool.ts';
  const [state, who] = process.argv.slice(2);
  const head = { host: 'claude-code', event: 'Stop', root: '/' + who };
  for (let i = 0; i < 50; i++) accept(state, head, Buffer.from(who.repeat(20000)));
`);

function only(state: string): string {
  const [event, ...others] = pending(state);
  if (event === undefined || others.length > 0) throw new Error(`${others.length + (event ? 1 : 0)} events wait.`);
  return event.name;
}

describe('an accepted event', () => {
  it('waits until it is acknowledged', ({ state }) => {
    accept(state, { ...HEAD, branch: 'main', commit: 'abc' }, Buffer.from('{"a":1}\n'));
    const name = only(state);
    expect(readEvent(state, name)).toEqual({ head: { ...HEAD, branch: 'main', commit: 'abc' }, payload: '{"a":1}\n' });
    expect(countEvents(state)).toEqual({ pending: 1, failed: 0 });
    acknowledge(state, name);
    acknowledge(state, name);
    expect(pending(state)).toEqual([]);
    expect(readdirSync(join(state, 'spool', 'tmp'))).toEqual([]);
  });

  it('keeps its payload byte for byte, and its header whatever it contains', ({ state }) => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\n/g, ''));
    fc.assert(
      fc.property(
        fc.record({ host: line, event: line, root: line, branch: line, commit: line }),
        fc.uint8Array(),
        (head, payload) => {
          accept(state, head, payload);
          const name = only(state);
          const { branch, commit, ...must } = head;
          expect(readEvent(state, name)?.head).toEqual({
            ...must,
            ...(branch && { branch }),
            ...(commit && { commit }),
          });
          const bytes = readFileSync(join(state, 'spool', 'new', name));
          expect(bytes.subarray(bytes.length - payload.length).equals(payload)).toBe(true);
          acknowledge(state, name);
        },
      ),
      runs(50),
    );
  });

  it.each([
    'with spaces',
    'trailing ',
    'it\'s a "repo"',
    'back\\slash',
    'ümläut 日本',
    'equals=sign: x',
    'two\nlines',
    '\n\nbranch evil\n\n',
  ])('survives the odd name of a root: %j', (name) => {
    const state = join(scratchFolder(), 'state');
    accept(state, { ...HEAD, root: `/${name}` }, Buffer.from('\n\n{"a":1}'));
    expect(readEvent(state, only(state))).toEqual({
      head: { ...HEAD, root: `/${name.replaceAll('\n', ' ')}` },
      payload: '\n\n{"a":1}',
    });
  });

  it('is visible to its owner alone', ({ state }) => {
    accept(state, HEAD, Buffer.from('secret'));
    for (const folder of ['.', 'spool', 'spool/tmp', 'spool/new'])
      expect(statSync(join(state, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(state, 'spool', 'new', only(state))).mode & 0o777).toBe(0o600);
  });

  it('from one of several concurrent writers is present and complete', async ({ state }) => {
    const writers = ['a', 'b', 'c'].map(
      (who) => new Promise((resolve) => spawn(process.execPath, [acceptMany, state, who]).on('close', resolve)),
    );
    expect(await Promise.all(writers)).toEqual([0, 0, 0]);
    const events = pending(state).map(({ name }) => readEvent(state, name));
    expect(events).toHaveLength(150);
    for (const event of events) expect(event?.payload).toBe((event?.head.root.slice(1) ?? '').repeat(20_000));
  });

  it('that cannot be written is an error, and no partial event waits', ({ state }) => {
    mkdirSync(state);
    writeFileSync(join(state, 'spool'), '');
    expect(() => accept(state, HEAD, Buffer.from('x'))).toThrow(/spool is not a folder/);
    expect(pending(state)).toEqual([]);
  });
});

describe('the pending events', () => {
  it('are ordered by time, and by name within the same time', ({ state }) => {
    mkdirSync(join(state, 'spool', 'new'), { recursive: true });
    for (const [name, seconds] of [
      ['c', 3],
      ['a', 4],
      ['b', 4],
      ['d', 1.5],
      ['e', 1.25],
    ] as const) {
      writeFileSync(join(state, 'spool', 'new', name), 'xy');
      utimesSync(join(state, 'spool', 'new', name), seconds, seconds);
    }
    expect(pending(state).map(({ name }) => name)).toEqual(['e', 'd', 'c', 'a', 'b']);
    expect(pending(state)[0]).toEqual({ name: 'e', timeMs: 1250, size: 2 });
  });

  it('are none where there is no spool, or a file in its place', () => {
    const folder = scratchFolder();
    expect(pending(join(folder, 'none'))).toEqual([]);
    writeFileSync(join(folder, 'spool'), '');
    expect(pending(folder)).toEqual([]);
    expect(countEvents(folder)).toEqual({ pending: 0, failed: 0 });
  });

  it('do not include folders and hidden files', ({ state }) => {
    mkdirSync(join(state, 'spool', 'new', 'folder'), { recursive: true });
    writeFileSync(join(state, 'spool', 'new', '.nfs0001'), '');
    expect(pending(state)).toEqual([]);
  });
});

it.each([
  ['empty', ''],
  ['only a payload', '{"a":1}'],
  ['another format', 'git-mem-event 2\nhost a\nevent b\nroot c\n\n{}'],
  ['no root', 'git-mem-event 1\nhost a\nevent b\n\n{}'],
  ['no end of the header', 'git-mem-event 1\nhost a\nevent b\nroot c\n'],
  ['binary', '\0\x01\x02\n\n'],
])('a file that is not an event is reported, set aside and not lost: %s', (_, content) => {
  const state = join(scratchFolder(), 'state');
  mkdirSync(join(state, 'spool', 'new'), { recursive: true });
  writeFileSync(join(state, 'spool', 'new', 'x'), content);
  expect(readEvent(state, 'x')).toBeUndefined();
  setAside(state, 'x');
  expect(countEvents(state)).toEqual({ pending: 0, failed: 1 });
  expect(readFileSync(join(state, 'spool', 'failed', 'x'), 'utf8')).toBe(content);
});

it('sweeping removes what killed hooks left, and keeps files that may still be being written', ({ state }) => {
  accept(state, HEAD, Buffer.from('x'));
  const tmp = join(state, 'spool', 'tmp');
  for (const [name, seconds] of [
    ['old', 1000],
    ['fresh', 3000],
  ] as const) {
    writeFileSync(join(tmp, name), 'half');
    utimesSync(join(tmp, name), seconds, seconds);
  }
  sweep(tmp, { ageMs: 0, nowMs: 2_000_000 });
  expect(readdirSync(tmp)).toEqual(['fresh']);
  expect(pending(state)).toHaveLength(1);
  sweep(join(state, 'nowhere'), { ageMs: 0, nowMs: 2_000_000 });
});
