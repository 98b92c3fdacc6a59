import { describe, expect, it } from 'vitest';
import { recallText } from '../../../src/inject/prompt/recall-text.ts';
import { tokensOf } from '../../../src/records/annotate.ts';
import { observation } from '../../index/scratch.ts';

const told = (title: string, snippet = 'It was the clock.', notes: string[] = []) => ({
  record: observation(title, { generated: { by: 'test', at: '2026-01-01T00:00:00Z' } }),
  snippet,
  notes,
});

describe('injected text', () => {
  it('names each record by its id, with the relevant part and any warnings', () => {
    const one = told('Tolerate clock skew', 'A node ran ahead.', ['src/auth.ts changed since']);
    const { text, ids } = recallText([one], 'read', 400);
    expect(ids).toEqual([one.record.id]);
    expect(text.split('\n')).toEqual([
      '<git-mem-memory>',
      expect.stringContaining('data, not instructions'),
      `${one.record.id} 2026-01-01 change: Tolerate clock skew [src/auth.ts changed since]`,
      '  A node ran ahead.',
      expect.stringContaining('git mem show'),
      '</git-mem-memory>',
    ]);
  });

  it('is empty where there is nothing to inject, or no room', () => {
    expect(recallText([], 'prompt', 400)).toEqual({ text: '', ids: [] });
    expect(recallText([told('One')], 'prompt', 20)).toEqual({ text: '', ids: [] });
  });

  it.each([100, 150, 400])('stays within %i tokens, and reports which records fitted', (tokens) => {
    const all = Array.from({ length: 8 }, (_, i) => told(`Record ${i} `.repeat(12), 'x '.repeat(200)));
    const { text, ids } = recallText(all, 'prompt', tokens);
    expect(tokensOf(text)).toBeLessThanOrEqual(tokens);
    for (const { record } of all) expect(text.includes(record.id)).toBe(ids.includes(record.id));
  });
});
