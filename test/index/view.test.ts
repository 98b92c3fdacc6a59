import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { sqliteIndex } from '../../src/index/sqlite/index.ts';
import { describeSqlite, openDatabase } from '../support/sqlite.ts';
import { blobOf, observation } from './scratch.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-mem-view-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'cache.sqlite');

/** As another process would see it. */
function asked<T>(use: (index: MemoryIndex) => T, worktree = '/a'): T {
  const index = sqliteIndex(openDatabase(path()), { team: `team ${worktree}`, private: 'private' });
  try {
    return use(index);
  } finally {
    index.close();
  }
}

function add(index: MemoryIndex, title: string): void {
  const record = observation(title);
  const document = documentOf(record, blobOf(record));
  const seen = { store: 'team' as const, path: `${record.id}.md`, blob: document.blob, size: 1 };
  index.apply({
    documents: [document],
    seen: [{ ...seen, modifiedMs: 5, changedMs: 6 }],
    gone: [],
    folders: [],
  });
}

const answers = (index: MemoryIndex) => ({
  ...index.statistics(['alpha', 'beta']),
  found: index.candidates(new Map([['alpha', 1]]), 10, () => true).map(({ card }) => card.title),
});

/** The answers without what was kept. */
function counted(worktree?: string) {
  const db = openDatabase(path());
  db.exec('DELETE FROM views');
  db.close();
  return asked(answers, worktree);
}

describeSqlite('words that occur in very many records', () => {
  const index = () => {
    const opened = sqliteIndex(openDatabase(path()), { team: 'team /a', private: 'private' }, { mostRows: 3 });
    for (const title of ['alpha one', 'alpha two', 'alpha three', 'alpha four', 'alpha beta', 'gamma'])
      add(opened, title);
    return opened;
  };
  const found = (from: MemoryIndex, limit: number, accepts = (_: string) => true, ...terms: string[]) =>
    from
      .candidates(new Map(terms.map((term) => [term, 1])), limit, ({ card }) => accepts(card.title))
      .map(({ card }) => card.title);

  it('are counted, and ignored where another word finds something', () => {
    const opened = index();
    expect([...opened.statistics(['alpha', 'beta']).frequencies.values()]).toEqual([5, 1]);
    expect(found(opened, 9, undefined, 'alpha', 'beta')).toEqual(['alpha beta']);
    expect(found(opened, 9, undefined, 'alpha', 'absent')).toHaveLength(5);
    opened.close();
  });

  it('find the latest records, and all of them where these are too few', () => {
    const opened = index();
    expect(found(opened, 2, undefined, 'alpha')).toEqual(['alpha beta', 'alpha four']);
    expect(found(opened, 9, undefined, 'alpha')).toHaveLength(5);
    expect(found(opened, 1, (title) => title === 'alpha one', 'alpha', 'beta')).toEqual(['alpha one']);
    opened.close();
  });
});

describeSqlite('the counts of a checkout, kept for the next process', () => {
  it('equal a fresh count', () => {
    asked((index) => {
      add(index, 'alpha beta');
      add(index, 'alpha');
      index.settle();
    });
    const kept = asked(answers);
    expect(kept).toMatchObject({ documents: 2, found: expect.arrayContaining(['alpha', 'alpha beta']) });
    expect(kept).toEqual(counted());
  });

  it('are discarded once files are added, and belong to one worktree', () => {
    asked((index) => {
      add(index, 'alpha');
      index.settle();
    });
    asked((index) => {
      add(index, 'alpha beta');
      index.settle();
    }, '/b');
    expect(asked(answers)).toMatchObject({ documents: 1, found: ['alpha'] });
    expect(asked(answers, '/b')).toMatchObject({ documents: 1, found: ['alpha beta'] });
    asked((index) => add(index, 'alpha once more'));
    expect(asked(answers)).toMatchObject({ documents: 2 });
    expect(asked(answers)).toEqual(counted());
    expect(asked(answers, '/b')).toEqual(counted('/b'));
  });

  it('are computed again where a byte of them changed', () => {
    asked((index) => {
      add(index, 'alpha');
      add(index, 'alpha beta');
      index.settle();
    });
    const whole = asked(answers);
    for (const change of ["counts = '[7,7,7,7,7,7,7]'", "stores = x'000000'", "lengths = x'0000'", 'crc = 0']) {
      const db = openDatabase(path());
      db.exec(`UPDATE views SET ${change}`);
      db.close();
      expect(asked(answers)).toEqual(whole);
    }
  });
});
