import { describe, expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import { foldIn, LATENT, learnTerms } from '../../src/index/embed/latent.ts';
import { orthonormalise, principalAxes, randomSigns } from '../../src/index/embed/linear.ts';
import { LOCAL_MODELS, latentOf, learn, spell } from '../../src/index/embed/local.ts';
import { fromNibbles, fromScaledBytes, toNibbles, toScaledBytes } from '../../src/index/embed/quantised.ts';
import { describeEngines } from './engines.ts';
import { blobOf, observation } from './scratch.ts';

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('linear algebra', () => {
  it('makes columns orthonormal, and null beyond the rank', () => {
    const rows = 40;
    const matrix = randomSigns(rows * 4, 1);
    for (let r = 0; r < rows; r++) matrix[r * 4 + 3] = (matrix[r * 4] ?? 0) + (matrix[r * 4 + 1] ?? 0);
    orthonormalise(matrix, rows, 4);
    const column = (c: number) => Array.from({ length: rows }, (_, r) => matrix[r * 4 + c] ?? 0);
    const lengths = [0, 1, 2, 3].map((c) => Math.round(dot(column(c), column(c)) * 1e4) / 1e4).sort();
    expect(lengths).toEqual([0, 1, 1, 1]);
    expect(Math.abs(dot(column(0), column(1)))).toBeLessThan(1e-4);
  });

  it('finds the direction in which a matrix stretches most', () => {
    // Two directions of lengths 10 and 1.
    const matrix = Float32Array.from(
      { length: 200 },
      (_, i) => (i % 2 === 0 ? 10 : 1) * ((i * 7919) % 13 > 6 ? 1 : -1),
    );
    const axes = principalAxes(matrix, 100, 2, 1);
    const first = Array.from({ length: 100 }, (_, r) => matrix[r * 2] ?? 0);
    expect(Math.abs(dot(axes, first)) / Math.sqrt(dot(first, first))).toBeGreaterThan(0.99);
  });
});

/** Records about two subjects of a hundred words each. */
const subjects = Array.from({ length: 300 }, (_, i) => {
  const subject = i % 2 === 0 ? 'auth' : 'sql';
  const words = Array.from(
    { length: 9 },
    (__, w) => `${subject}${((i * 7919 + w * 104_729 + i * w * 31) % 1009) % 100}`,
  );
  const name = subject === 'sql' ? 'vacuum' : i % 4 === 0 ? 'signin' : 'authenticate';
  return [name, ...words, `only${i}`];
});

describe('latent semantic analysis', () => {
  it('puts words that co-occur near each other, always at the same coordinates', () => {
    const terms = learnTerms(subjects);
    const again = learnTerms(subjects);
    const vector = (word: string) => foldIn([word], (term) => terms?.get(term)) ?? [];
    const pairs = Array.from({ length: 400 }, (_, i) => [i % 20, 20 + Math.floor(i / 20)] as const);
    const mean = (a: string, b: string) =>
      pairs.reduce((sum, [x, y]) => sum + dot(vector(`${a}${x}`), vector(`${b}${y}`)), 0) / pairs.length;
    expect(mean('auth', 'auth')).toBeGreaterThan(mean('auth', 'sql') + 0.02);
    expect(mean('sql', 'sql')).toBeGreaterThan(mean('auth', 'sql') + 0.02);
    expect(terms?.get('signin')).toEqual(again?.get('signin'));
    expect(terms?.has('only3')).toBe(false);
  });

  it('returns nothing for few records, or for unknown words', () => {
    expect(learnTerms(subjects.slice(0, LATENT.fewestDocuments - 1))).toBeUndefined();
    expect(foldIn(['unheard'], () => undefined)).toBeUndefined();
    expect(learnTerms(Array.from({ length: 60 }, (_, i) => [`w${i}`]))).toBeUndefined();
  });

  it('survives a store of identical records and of empty ones', () => {
    const equal = learnTerms(Array.from({ length: 60 }, () => ['same', 'words']));
    for (const vector of equal?.values() ?? []) expect(vector.every(Number.isFinite)).toBe(true);
    expect(learnTerms(Array.from({ length: 60 }, () => []))).toBeUndefined();
  });
});

describe('spelling vectors', () => {
  it('put misspelt words near the correct ones', () => {
    const likeness = (a: string, b: string) => dot(spell([a]) ?? [], spell([b]) ?? []);
    expect(likeness('authentication', 'authentcation')).toBeGreaterThan(0.6);
    expect(likeness('authentication', 'database')).toBeLessThan(0.3);
    expect(spell([])).toBeUndefined();
  });

  it('fit in a few bytes', () => {
    const vector = spell(['authentication', 'login']) ?? new Float32Array();
    const kept = fromNibbles(toNibbles(vector));
    expect(dot(vector, kept) / Math.sqrt(dot(kept, kept))).toBeGreaterThan(0.97);
    const scaled = fromScaledBytes(toScaledBytes(vector));
    expect(dot(vector, scaled)).toBeCloseTo(1, 2);
  });
});

describeEngines('learning vectors in the index of', (open) => {
  function filled(count: number) {
    const index = open();
    const add = (from: number, to: number) => {
      const documents = subjects.slice(from, to).map((words, i) => {
        const record = observation(words.join(' '), { narrative: `number ${from + i}` });
        return documentOf(record, blobOf(record));
      });
      const seen = documents.map(({ blob }, i) => ({
        store: 'team' as const,
        path: `${from + i}`,
        blob,
        size: 1,
        modifiedMs: 1,
        changedMs: 1,
      }));
      index.apply({ documents, seen, gone: [], folders: [] });
    };
    add(0, count);
    return { index, add };
  }

  it('starts at fifty records, folds new ones in, and starts over after a fifth more', () => {
    const { index, add } = filled(40);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBeUndefined();
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toBeUndefined();
    add(40, 60);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('60');
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toHaveLength(LATENT.dimensions);
    add(60, 70);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('60');
    add(70, 80);
    learn(index);
    expect(index.meta(LOCAL_MODELS.latent)).toBe('80');
    for (const model of Object.values(LOCAL_MODELS)) expect([...index.vectors(model)]).toHaveLength(80);
  });

  it('drops its model when the store shrinks below that number', () => {
    const { index } = filled(60);
    learn(index);
    index.apply({
      documents: [],
      seen: [],
      folders: [],
      gone: Array.from({ length: 30 }, (_, i) => ({ store: 'team', path: String(i) })),
    });
    learn(index);
    expect(latentOf(index, ['auth0', 'auth1', 'auth2', 'auth3', 'signin'])).toBeUndefined();
  });
});
