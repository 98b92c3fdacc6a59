import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget, readSpending } from '../../../src/capture/extract/budget.ts';
import { ProviderError } from '../../../src/capture/extract/provider.ts';

let folder: string;
let file: string;
let now: Date;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-mem-budget-'));
  file = join(folder, 'state', 'budget.json');
  now = new Date('2026-11-20T22:00:00Z');
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (dailyTokens = 10_000, account = 'anthropic') =>
  createBudget({ file, account, dailyTokens, now: () => now });
const totals = () => readSpending(file, now).totals;
const model = 'anthropic/claude-haiku-4-5';

describe('the token budget', () => {
  it('counts across processes', () => {
    expect(open().remaining()).toBe(10_000);
    open().spend({ input: 3_000, output: 500 }, model);
    open().spend({ input: 1_000, output: 500 }, model);
    expect(open().remaining()).toBe(5_000);
  });

  it('resets at midnight UTC and keeps the totals', () => {
    open().spend({ input: 9_000, output: 2_000 }, model);
    expect(open().remaining()).toBe(0);
    now = new Date('2026-11-21T00:00:00Z');
    expect(open().remaining()).toBe(10_000);
    open().spend({ input: 1, output: 1 }, 'gemini/flash');
    expect(totals()).toEqual({
      [model]: { input: 9_000, output: 2_000, calls: 1 },
      'gemini/flash': { input: 1, output: 1, calls: 1 },
    });
  });

  it('is separate for each account, and shown as one sum', () => {
    open().spend({ input: 9_000, output: 0 }, model);
    open(500, 'gemini MINE').spend({ input: 300, output: 100 }, 'gemini/flash');
    expect([open().remaining(), open(500, 'gemini MINE').remaining()]).toEqual([1_000, 100]);
    expect([open().today(), open(500, 'gemini MINE').today(), open(1, 'constructor').today()]).toEqual([9_000, 400, 0]);
    expect(readSpending(file, now).today).toBe(9_400);
  });

  it('counts a free model in the totals only, and never caps it', () => {
    const free = createBudget({ file, account: 'ollama', dailyTokens: 10, now: () => now, isFree: true });
    free.reserve(1_000_000);
    free.spend({ input: 9_000, output: 2_000 }, 'ollama/qwen');
    expect(open().remaining()).toBe(10_000);
    expect([free.today(), readSpending(file, now).today]).toEqual([11_000, 0]);
    expect(totals()).toEqual({ 'ollama/qwen': { input: 9_000, output: 2_000, calls: 1 } });
  });

  it('refuses a call that would exceed the cap, until midnight', () => {
    const budget = open();
    budget.spend({ input: 8_000, output: 0 }, model);
    budget.reserve(2_000);
    try {
      budget.reserve(2_001);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ class: 'quota', retryAfterMs: 2 * 3_600_000 });
    }
  });

  const contents = ['', 'garbage', '{}', '[]', '{"day":"2026-11-20","today":{"input":"x","output":-5}}', '\u0000'];
  it.each(contents)('treats %j as an empty file', (content) => {
    open().spend({ input: 1, output: 0 }, model);
    writeFileSync(file, content);
    expect(open().remaining()).toBe(10_000);
    open().spend({ input: 100, output: 0 }, model);
    expect(open().remaining()).toBe(9_900);
  });

  it('ignores invalid counts', () => {
    open().spend({ input: Number.NaN, output: -3 }, model);
    expect(totals()).toEqual({ [model]: { input: 0, output: 0, calls: 1 } });
  });

  it('leaves one file of valid JSON and no temporary file', () => {
    open().spend({ input: 1, output: 2 }, model);
    expect(readdirSync(join(folder, 'state'))).toEqual(['budget.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ day: '2026-11-20', today: { input: 1, output: 2 } });
  });

  it('still counts within the process where the file cannot be written', () => {
    // A file in the folder's place fails for every user, root included.
    writeFileSync(join(folder, 'state'), '');
    chmodSync(join(folder, 'state'), 0o400);
    const budget = open();
    budget.spend({ input: 6_000, output: 0 }, model);
    budget.spend({ input: 6_000, output: 0 }, model);
    expect(budget.remaining()).toBe(0);
  });
});
