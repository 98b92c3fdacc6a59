import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import type { IndexDocument, MemoryIndex } from '../../src/index/memory-index.ts';
import type { Mark } from '../../src/memory/record.ts';
import { describeEngines } from './engines.ts';
import { handles } from './index-handles.ts';
import { blobOf } from './scratch.ts';

describeEngines('the index of', (open) => {
  let index: MemoryIndex;
  beforeEach(() => {
    index = open();
  });
  afterEach(() => index.close());

  const { doc, change, add, find, rowOf } = handles(() => index);

  it('starts empty', () => {
    expect(index.files('team').size).toBe(0);
    expect(index.statistics(['x'])).toMatchObject({ documents: 0, frequencies: new Map([['x', 0]]) });
    expect(find('x')).toEqual([]);
    expect([...index.newest()]).toEqual([]);
  });

  it('returns a document unchanged', () => {
    const document = doc('Token bucket', {
      narrative: 'Rate limits',
      concepts: ['limits'],
      files_modified: ['src/a.ts'],
      files_read: ['b.md'],
      session: 's1',
      prompt_number: 3,
      branch: 'main',
      supersedes: ['aaaaaaaaaa'],
    });
    add([document]);
    expect([...index.newest()]).toEqual([{ ...document, row: rowOf(document), store: 'team' }]);
    expect(index.documents([rowOf(document), 999])).toHaveLength(1);
    expect(index.pathOf(rowOf(document))).toBe(`${document.card.id}.md`);
    expect(index.blobAt('team', `${document.card.id}.md`)).toBe(document.blob);
    expect(index.knows(document.blob)).toBe(true);
    expect(index.knows('00'.repeat(20))).toBe(false);
  });

  it('returns what counting needs without reading documents', () => {
    const [a, b, c] = [doc('Alpha'), doc('Beta'), doc('Gamma')];
    add([a]);
    add([a, b], 'private');
    change({ seen: [{ store: 'team', path: 'garbage.md', size: 1, modifiedMs: 5, changedMs: 6 }] });
    const outline = ({ blob, card: { id } }: IndexDocument, store: 'team' | 'private') => {
      return { row: expect.any(Number), blob, id, store, path: `${id}.md` };
    };
    expect(index.outlines().sort((x, y) => (x.store < y.store ? -1 : 1))).toEqual([
      outline(b, 'private'),
      outline(a, 'team'),
    ]);
    expect(index.ids(a.card.id.slice(0, 4))).toEqual([a.card.id]);
    expect(index.ids(c.card.id.slice(0, 4))).toEqual([]);
    expect(index.unreadable()).toEqual([{ store: 'team', path: 'garbage.md' }]);
  });

  it('finds documents with any of the terms, a title match before a mention', () => {
    add([
      doc('Nothing here', { narrative: 'but a bucket of words and more of them' }),
      doc('Bucket', { narrative: 'of words' }),
      doc('Other'),
    ]);
    expect(find('bucket', 'absent')).toEqual(['Bucket', 'Nothing here']);
    expect(index.candidates(new Map([['bucket', 1]]), 1, () => true)).toHaveLength(1);
    expect(index.candidates(new Map([['bucket', 1]]), 9, ({ card }) => card.title !== 'Bucket')).toHaveLength(1);
  });

  it('finds terms in every script', () => {
    add([doc('日本語 入力'), doc('नमस्ते दुनिया'), doc('naïve Σίσυφος')]);
    expect(find('日本')).toEqual(['日本語 入力']);
    expect(find('नमस्ते')).toEqual(['नमस्ते दुनिया']);
    expect(index.statistics(['naiv', '日本'])).toMatchObject({
      frequencies: new Map([
        ['naiv', 1],
        ['日本', 1],
      ]),
    });
  });

  it('counts only the records in the checkout', () => {
    const [a, b] = [doc('alpha beta'), doc('alpha')];
    add([a, b]);
    expect(index.statistics(['alpha', 'beta'])).toMatchObject({
      documents: 2,
      frequencies: new Map([
        ['alpha', 2],
        ['beta', 1],
      ]),
    });
    change({ gone: [{ store: 'team', path: `${a.card.id}.md` }] });
    expect(index.statistics(['alpha', 'beta'])).toMatchObject({
      documents: 1,
      frequencies: new Map([
        ['alpha', 1],
        ['beta', 0],
      ]),
    });
    expect(index.statistics([]).meanLengths[0]).toBe(1);
    expect(find('alpha')).toEqual(['alpha']);
  });

  it('lists newest first, sessions in their order, citations by path and statements', () => {
    const one = doc('one', { session: 's', prompt_number: 1, files_read: ['src/a.ts'] });
    const two = doc('two', { session: 's', prompt_number: 2, files_modified: ['src/a.ts'] });
    const three = doc('three', { supersedes: [one.card.id] });
    add([two, three, one]);
    expect([...index.newest()].map(({ card }) => card.title)).toEqual(['three', 'two', 'one']);
    expect(index.session('s')).toEqual([rowOf(one), rowOf(two)]);
    expect([...index.citing('src/a.ts')].sort()).toEqual([rowOf(one), rowOf(two)].sort());
    expect(index.citing('src')).toEqual([]);
    expect(index.cited()).toEqual(new Set(['src/a.ts']));
    expect(index.cited('summary')).toEqual(new Set());
    expect(index.statements().map(({ card }) => card.title)).toEqual(['three']);
  });

  it('returns the statements about given ids, including indirect ones, and no others', () => {
    const ids = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd', 'eeeeeeeeee', 'ffffffffff'] as const;
    const [first, second, third, lone] = ids;
    const mark = (id: string, rest: Pick<Mark, 'type' | 'targets' | 'by'>) => {
      const record: Mark = {
        kind: 'mark',
        id,
        generated: { by: 'test', at: '2026-11-01T12:00:00Z' },
        reason: '',
        ...rest,
      };
      return documentOf(record, blobOf(record));
    };
    add([
      doc('first', { id: first }),
      doc('second', { id: second, supersedes: [first] }),
      doc('third', { id: third }),
      mark(ids[4], { type: 'supersede', targets: [second], by: third }),
      mark(ids[5], { type: 'undo', targets: [ids[4]] }),
      doc('lone', { id: lone }),
      mark('gggggggggg', { type: 'retire', targets: [lone] }),
    ]);
    const about = (...some: string[]) =>
      index
        .statements(some)
        .map(({ card }) => card.id)
        .sort();
    // What replaced what replaced it, and whether that still holds.
    expect(about(first)).toEqual([second, ids[4], ids[5]]);
    expect(about(third)).toEqual([second, ids[4], ids[5]]);
    expect(about(lone)).toEqual(['gggggggggg']);
    expect(about(first, lone)).toHaveLength(4);
    expect(about('zzzzzzzzzz')).toEqual([]);
    change({ gone: [{ store: 'team', path: `${ids[5]}.md` }] });
    expect(about(first)).toEqual([second, ids[4]]);
  });

  it('walks from a moment in either direction, nearest first', () => {
    const at = (title: string, day: number) =>
      doc(title, { generated: { by: 'test', at: `2026-11-0${day}T12:00:00Z` } });
    const [one, two, three] = [at('one', 1), at('two', 2), at('three', 3)];
    add([two, three, one]);
    const titles = (side: 'before' | 'after', created: string, id = '') =>
      [...index.around(side, { created, id })].map(({ card }) => card.title);
    expect(titles('before', '2026-11-03T00:00:00Z')).toEqual(['two', 'one']);
    expect(titles('after', '2026-11-02T00:00:00Z')).toEqual(['two', 'three']);
    expect(titles('before', two.card.created, two.card.id)).toEqual(['one']);
    expect(titles('after', two.card.created, two.card.id)).toEqual(['two', 'three']);
    change({ gone: [{ store: 'team', path: `${one.card.id}.md` }] });
    expect(titles('before', two.card.created)).toEqual([]);
    const [first] = index.around('after', { created: '', id: '' });
    expect(first).toEqual({ ...two, row: rowOf(two), store: 'team' });
  });

  it('finds documents by the beginning of their id', () => {
    const documents = ['k3v9x2qd7m', 'k3v9aaaaaa', 'zzzzzzzzzz'].map((id) => doc(id, { id }));
    add(documents);
    const ids = (prefix: string) => index.named(prefix).map(({ card }) => card.id);
    expect(ids('k3v9').sort()).toEqual(['k3v9aaaaaa', 'k3v9x2qd7m']);
    expect(ids('zzzzzzzzzz')).toEqual(['zzzzzzzzzz']);
    expect(ids('k3v9y')).toEqual([]);
    expect(ids('%')).toEqual([]);
  });
});
