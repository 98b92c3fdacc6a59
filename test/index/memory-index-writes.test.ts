import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { describeEngines } from './engines.ts';
import { handles } from './index-handles.ts';

describeEngines('writing to the index of', (open) => {
  let index: MemoryIndex;
  beforeEach(() => {
    index = open();
  });
  afterEach(() => index.close());

  const { doc, at, change, add, find, rowOf } = handles(() => index);

  it('moves a file without forgetting its content', () => {
    const document = doc('moved');
    add([document]);
    change({ gone: [{ store: 'team', path: `${document.card.id}.md` }], seen: [at(document, 'new.md')] });
    expect([...index.files('team').keys()]).toEqual(['new.md']);
    // An index that lives with the process may drop content that no file holds at any moment between.
    expect(index.blobAt('team', 'new.md')).toBe(document.blob);
    expect(find('mov')).toEqual(['moved']);
  });

  it("keeps a document while either store has it, as the team's where both do", () => {
    const document = doc('promoted');
    add([document], 'private');
    expect([...index.newest()][0]?.store).toBe('private');
    add([document], 'team');
    expect([...index.newest()].map(({ store }) => store)).toEqual(['team']);
    change({ gone: [{ store: 'team', path: `${document.card.id}.md` }] });
    expect([...index.newest()].map(({ store }) => store)).toEqual(['private']);
    expect(index.statistics([]).documents).toBe(1);
  });

  it("replaces a file's content", () => {
    const [before, after] = [doc('before'), doc('after')];
    change({ documents: [before], seen: [at(before, 'one.md')] });
    change({ documents: [after], seen: [at(after, 'one.md')] });
    expect([...index.newest()].map(({ card }) => card.title)).toEqual(['after']);
    expect(index.statistics(['befor']).frequencies.get('befor')).toBe(0);
  });

  it('remembers a file that is not a record', () => {
    change({ seen: [{ store: 'team', path: 'bad.md', size: 1, modifiedMs: 2, changedMs: 3 }] });
    expect(index.files('team').get('bad.md')).toMatchObject({ size: 1, modifiedMs: 2, changedMs: 3 });
    expect(index.blobAt('team', 'bad.md')).toBeUndefined();
    expect(index.statistics([]).documents).toBe(0);
  });

  it('keeps vectors by model and row, and drops all of a model at once', () => {
    const [a, b] = [doc('a1'), doc('b1')];
    add([a, b]);
    expect(index.rowsWithout('m').sort()).toEqual([rowOf(a), rowOf(b)].sort());
    index.putVectors('m', [[rowOf(a), Uint8Array.of(1, 2)]]);
    index.replaceModel('n', [['term', Uint8Array.of(9)]]);
    expect([...(index.vector('m', rowOf(a)) ?? [])]).toEqual([1, 2]);
    expect([...index.vectors('m')].map(([row]) => row)).toEqual([rowOf(a)]);
    expect(index.rowsWithout('m')).toEqual([rowOf(b)]);
    expect([...(index.termVector('n', 'term') ?? [])]).toEqual([9]);
    expect(index.termVector('n', 'other')).toBeUndefined();
    index.replaceModel('m', []);
    expect([...index.vectors('m')]).toEqual([]);
  });

  it('changes its version with every change', () => {
    const before = index.version();
    expect(index.version()).toBe(before);
    add([doc('new')]);
    expect(index.version()).not.toBe(before);
  });

  it('applies all changes or none', () => {
    const document = doc('half');
    const broken = {
      store: 'team',
      path: undefined as unknown as string,
      size: 1,
      modifiedMs: 1,
      changedMs: 1,
    } as const;
    try {
      change({ documents: [document], seen: [at(document, 'x.md'), broken] });
    } catch {
      expect([...index.newest()]).toEqual([]);
      expect(index.knows(document.blob)).toBe(false);
    }
  });

  it('keeps notes', () => {
    index.setMeta('k', 'v');
    index.setMeta('k', 'w');
    expect([index.meta('k'), index.meta('other')]).toEqual(['w', undefined]);
  });
});
