import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { log } from '../../../src/memory/store/log.ts';
import { scratchFolder } from '../../support/scratch.ts';

const NOW = new Date('2026-11-20T20:05:01.123Z');

describe('the hook log', () => {
  it('gets one line per message, with its time, readable by its owner alone', () => {
    const state = join(scratchFolder(), 'state');
    log(state, 'first\nsecond\tthird', NOW);
    log(state, 'next', NOW);
    expect(readFileSync(join(state, 'hook.log'), 'utf8')).toBe(
      '2026-11-20T20:05:01.123Z first second third\n2026-11-20T20:05:01.123Z next\n',
    );
    expect(statSync(join(state, 'hook.log')).mode & 0o777).toBe(0o600);
  });

  it('is rotated once it is long, and only once', () => {
    const state = scratchFolder();
    writeFileSync(join(state, 'hook.log.1'), 'oldest');
    writeFileSync(join(state, 'hook.log'), 'x'.repeat(256 * 1024 + 1));
    log(state, 'new', NOW);
    expect(readFileSync(join(state, 'hook.log'), 'utf8')).toBe('2026-11-20T20:05:01.123Z new\n');
    expect(statSync(join(state, 'hook.log.1')).size).toBe(256 * 1024 + 1);
  });

  it('causes no failure where it cannot be written', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    log(join(folder, 'file', 'state'), 'lost', NOW);
    mkdirSync(join(folder, 'hook.log'));
    log(folder, 'lost', NOW);
    expect(statSync(join(folder, 'hook.log')).isDirectory()).toBe(true);
  });
});
