import { describe, expect, it } from 'vitest';
import { type Comparable, type DuplicatePair, nearDuplicates } from '../../src/search/duplicates.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { trials } from '../support/trials.ts';

const BASE =
  'Tokens issued on a node whose clock runs ahead were rejected; verification now allows for skew between nodes';

function textOf(id: string, title: string, fields: Partial<Comparable> = {}): Comparable {
  return { id, group: 'observation', title, text: '', files: [], ...fields };
}

function pairs(...texts: Comparable[]): string[] {
  return nearDuplicates(texts).map(({ a, b }) => `${a}${b}`);
}

describe('near-duplicates', () => {
  it('are texts with nearly the same words, in any order', () => {
    const moved =
      'Verification now allows for skew between nodes: tokens issued on a node whose clock runs ahead were rejected';
    expect(
      pairs(textOf('a', BASE), textOf('b', moved), textOf('c', 'The parser keeps comments between rules of a sheet')),
    ).toEqual(['ab']);
    expect(nearDuplicates([textOf('a', BASE), textOf('b', BASE)])).toEqual([{ a: 'a', b: 'b', similarity: 1 }]);
  });

  it.each([
    ['another number', `${BASE} of 30 s`, `${BASE} of 60 s`, {}],
    ['a number more', BASE, `${BASE} of 30 s`, {}],
    ['another number in words', `${BASE} in three places`, `${BASE} in four places`, {}],
    ['another version', `${BASE} since 1.2`, `${BASE} since 2.1`, {}],
    ['another name', `${BASE}, signed by Alice`, `${BASE}, signed by Bob`, {}],
    ['an opposite', `${BASE}, where retries are enabled`, `${BASE}, where retries are disabled`, {}],
    ['an opposite that search leaves out', `${BASE} before the sync`, `${BASE} after the sync`, {}],
    ['a denying syllable', `${BASE}, where the schema is valid`, `${BASE}, where the schema is invalid`, {}],
    ['a name at the beginning', `Alice decided: ${BASE}`, `Bob decided: ${BASE}`, {}],
    ['another identifier', `${BASE} in verify_token`, `${BASE} in verify_lease`, {}],
    ['a denial', `${BASE}, and it is retried`, `${BASE}, and it is not retried`, {}],
    ['another kind', BASE, BASE, { group: 'summary' }],
    ['another title', BASE, 'Sessions end when their lease does', { text: BASE }],
    ['other files', BASE, BASE, { files: ['src/other.ts'] }],
  ])('are not texts that differ by %s', (_, one, other, fields) => {
    expect(
      pairs(textOf('a', one, { files: ['src/a.ts'] }), textOf('b', other, { files: ['src/a.ts'], ...fields })),
    ).toEqual([]);
  });

  it('may cite different files where a person reviews them', () => {
    const texts = [textOf('a', BASE, { files: ['src/a.ts'] }), textOf('b', BASE, { files: ['src/b.ts'] })];
    expect(nearDuplicates(texts, { withOtherFiles: true })).toEqual([{ a: 'a', b: 'b', similarity: 1 }]);
  });

  it('are not found in a few words that match by chance', () => {
    expect(pairs(textOf('a', 'Fix the parser'), textOf('b', 'Fix the parser'))).toEqual([]);
  });

  // Above 20 s under load: every pair is prepared and compared by itself.
  it('are all found, as by comparing each pair', () => {
    // As many pairs as there are trials.
    const texts = Array.from({ length: Math.sqrt(trials(300 * 300)) }, (_, i) => {
      const { id, title, narrative, files_modified } = generatedObservation(i * 3);
      return textOf(id, title, { text: narrative, files: files_modified });
    });
    const alike = texts.flatMap((one, i) =>
      texts.slice(i + 1).flatMap((other) => nearDuplicates([one, other], { threshold: 0.6 })),
    );
    let sparsePairs = 0;
    for (const threshold of [0.6, 0.8, 0.95]) {
      const each = alike.filter(({ similarity }) => similarity >= threshold);
      const found = nearDuplicates(texts, { threshold });
      expect(each.length).toBeGreaterThan(0);
      expect(each).toEqual(expect.arrayContaining(found));
      expect(namesIn(found)).toEqual(namesIn(each));
      // Of a crowd only some pairs are named.
      const crowded = new Set(
        namesIn(each).filter((id) => each.filter(({ a, b }) => a === id || b === id).length > 10),
      );
      const sparse = (list: DuplicatePair[]) => list.filter(({ a, b }) => !crowded.has(a) && !crowded.has(b));
      expect(sparse(found)).toHaveLength(sparse(each).length);
      sparsePairs += sparse(each).length;
    }
    expect(sparsePairs).toBeGreaterThan(0);
  });
});

/** The texts that pairs are made of. */
function namesIn(list: DuplicatePair[]): string[] {
  return [...new Set(list.flatMap(({ a, b }) => [a, b]))].sort();
}

describe('a large group of duplicates', () => {
  const CROWD = 500;
  const crowd = Array.from({ length: CROWD }, (_, i) => textOf(String(i), BASE));

  it('is named in a few pairs, which still connect all of it', () => {
    const found = nearDuplicates(crowd);
    expect(found.length).toBeLessThanOrEqual(10 * CROWD);
    const joined = new Map<string, string>();
    const headOf = (id: string): string => (joined.has(id) ? headOf(joined.get(id) ?? '') : id);
    for (const { a, b } of found) if (headOf(a) !== headOf(b)) joined.set(headOf(a), headOf(b));
    expect(new Set(crowd.map(({ id }) => headOf(id))).size).toBe(1);
  });
});
