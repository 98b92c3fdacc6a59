import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweep } from '../../../src/memory/store/sweep.ts';

it('looks at a few of many files at a time, and at each of them sooner or later', () => {
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-sweep-'));
  try {
    for (let i = 0; i < 200; i++) {
      writeFileSync(join(folder, `old-${i}`), '');
      utimesSync(join(folder, `old-${i}`), 0, 0);
      writeFileSync(join(folder, `new-${i}`), '');
    }
    const left = () => readdirSync(folder).filter((name) => name.startsWith('old')).length;
    const now = Date.now();
    sweep(folder, { ageMs: 1000 * 60, nowMs: now });
    expect(left()).toBeGreaterThanOrEqual(200 - 64);
    for (let second = 1; second <= 200; second++) sweep(folder, { ageMs: 1000 * 60, nowMs: now + second * 37 });
    expect(left()).toBe(0);
    expect(readdirSync(folder)).toHaveLength(200);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
