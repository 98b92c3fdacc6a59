import { expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import { toFloatBytes } from '../../src/index/embed/quantised.ts';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import type { QueryVector } from '../../src/search/fusion.ts';
import { meaningOf } from '../../src/search/question-vector.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { describeEngines } from '../index/engines.ts';
import { blobOf, observation } from '../index/scratch.ts';

const MODEL = 'toy/m';
const asked: QueryVector = { model: MODEL, vector: Float32Array.of(1, 0) };

/** The index with records by title, each with its likeness to what is asked; undefined for one without a vector. */
function filled(index: MemoryIndex, records: Record<string, number | undefined>): MemoryIndex {
  const rest = { size: 1, modifiedMs: 1, changedMs: 1 };
  for (const [title, likeness] of Object.entries(records)) {
    const record = observation(title);
    const document = documentOf(record, blobOf(record));
    const seen = [{ store: 'team' as const, path: title, blob: document.blob, ...rest }];
    index.apply({ documents: [document], seen, gone: [], folders: [] });
    if (likeness === undefined) continue;
    const row = Math.max(...index.rowsWithout(MODEL));
    index.putVectors(MODEL, [[row, toFloatBytes(Float32Array.of(likeness, Math.sqrt(1 - likeness ** 2)))]]);
  }
  return index;
}

const titles = (index: MemoryIndex, text: string, neural?: QueryVector) =>
  searchIndex(index, { text, limit: 10 }, neural).hits.map(({ document }) => document.card.title);

describeEngines('a query with a vector to the index of', (open) => {
  const indexOf = (records: Record<string, number | undefined>) => filled(open(), records);

  it('finds a record that shares no word with it', () => {
    const index = indexOf({ 'sign-in refused': 0.9, 'colours of buttons': 0.3 });
    expect(titles(index, 'login')).toEqual([]);
    expect(titles(index, 'login', asked)[0]).toBe('sign-in refused');
  });

  it('lets meaning add to the word scores without drowning them', () => {
    const index = indexOf({ 'login refused': 0.3, 'login page': 0.1, 'colours of buttons': 1 });
    expect(titles(index, 'login refused', asked)).toEqual(['login refused', 'login page', 'colours of buttons']);
  });

  it('lets meaning decide between equal word scores', () => {
    const index = indexOf({
      'login page colours': 0.4,
      'sign-in refused': 0.9,
      'login refused': 0.8,
      'size of links': 0.4,
      'palette of buttons': 0.4,
    });
    expect(titles(index, 'login', asked)).toEqual(['login refused', 'login page colours', 'sign-in refused']);
  });

  it('is answered without vectors where no record has one of that model', () => {
    const index = indexOf({ 'login refused': undefined, 'sign-in refused': undefined });
    const result = searchIndex(index, { text: 'login', limit: 10 }, asked);
    expect(result).toEqual({
      ...searchIndex(index, { text: 'login', limit: 10 }),
      coverage: { usable: 0, unfit: 0, unknown: 2 },
    });
    expect(meaningOf(MODEL, asked, result.coverage)).toEqual({
      embedder: 'local',
      note: expect.stringContaining('No record has a vector of toy/m yet'),
    });
  });

  it('does not rank a record without a vector below those with the usual slight similarity', () => {
    const index = indexOf({
      'the login is refused': undefined,
      'refused colours': 0.55,
      'refused buttons': 0.5,
      'sign-in fails': 0.9,
      'nothing of it': undefined,
    });
    const found = titles(index, 'login refused', asked);
    expect(found[0]).toBe('the login is refused');
    expect(found).not.toContain('nothing of it');
    const { coverage } = searchIndex(index, { text: 'login', limit: 1 }, asked);
    expect(coverage).toEqual({ usable: 3, unfit: 0, unknown: 2 });
    expect(meaningOf(MODEL, asked, coverage)).toEqual({
      embedder: MODEL,
      note: '2 of 5 records have no vector of toy/m yet and are ranked by local ones. `git mem sync` makes them.',
    });
  });

  it('gives no warning where nearly all records have vectors', () => {
    expect(meaningOf(MODEL, asked, { usable: 95, unfit: 0, unknown: 5 })).toEqual({ embedder: MODEL });
  });

  it('is not compared with vectors of another length', () => {
    const index = indexOf({ 'login refused': 0.9 });
    // Twelve numbers: as many as the stored vector has bytes, and some.
    for (const length of [1, 3, 8]) {
      const other = { model: MODEL, vector: Float32Array.from({ length }, () => 1 / Math.sqrt(length)) };
      const { hits, coverage } = searchIndex(index, { text: 'login', limit: 1 }, other);
      expect([hits.length, coverage]).toEqual([1, { usable: 0, unfit: 1, unknown: 0 }]);
      expect(meaningOf(MODEL, other, coverage).note).toContain('`git mem sync --rebuild`');
    }
  });

  it('finds what passes a filter, however many others are nearer', () => {
    const crowd = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`crowd ${i}`, 0.9]));
    const far = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`far ${i}`, 0.1]));
    const index = indexOf({ ...far, ...crowd, wanted: 0.8 });
    expect(searchIndex(index, { text: 'login', limit: 100 }, asked).hits).toHaveLength(50);
    const [newest] = [...index.newest()];
    const filter = { since: newest?.card.created ?? '' };
    const { hits } = searchIndex(index, { text: 'login', limit: 10, filter }, asked);
    expect(hits.map(({ document }) => document.card.title)).toEqual(['wanted']);
  });
});
