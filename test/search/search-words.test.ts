import { expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { describeEngines } from '../index/engines.ts';
import { blobOf, observation } from '../index/scratch.ts';

/** The index with an observation for each title. */
function filled(index: MemoryIndex, titles: string[]): MemoryIndex {
  for (const title of titles) {
    const record = observation(title);
    const document = documentOf(record, blobOf(record));
    const seen = [{ store: 'team' as const, path: title, blob: document.blob, size: 1, modifiedMs: 1, changedMs: 1 }];
    index.apply({ documents: [document], seen, gone: [], folders: [] });
  }
  return index;
}

describeEngines('a query to the index of', (open) => {
  const ask = (titles: string[], text: string) => {
    const { hits } = searchIndex(filled(open(), titles), { text, limit: 20 });
    return hits.map(({ document }) => titles.find((title) => observation(title).id === document.card.id));
  };

  it.each([
    ['-redis', ['queue of jobs', 'cache of pages']],
    ['-"cache of pages"', ['redis cache', 'queue of jobs']],
    ['cache -redis', ['cache of pages']],
    ['cache -"cache of pages"', ['redis cache']],
    ['"of jobs" "queue of"', ['queue of jobs']],
    ['"redis" "queue"', []],
    ['"redis cache"', ['redis cache']],
    ['"jobs queue"', []],
    ['"no such phrase" cache', []],
    ['"no such phrase" "redis cache"', []],
    // JSON quotes for another reason than to be found.
    ['{"page": "cache", "kind": 3}', ['cache of pages', 'redis cache']],
    ['cache AND redis', ['redis cache']],
    ['redis OR jobs', ['queue of jobs', 'redis cache']],
    ['cache NOT redis', ['cache of pages']],
    ['redis*', ['redis cache']],
    ['title:redis', ['redis cache']],
    ['narrative:redis', []],
    ['type:decision -redis', []],
  ])('answers %s', (text, expected) => {
    const found = ask(['cache of pages', 'queue of jobs', 'redis cache'], text);
    expect(found.sort()).toEqual([...expected].sort());
  });

  it.each([
    ['cookie', 'cookies expire'],
    ['retry', 'it is retried'],
    ['copy', 'files are copied'],
    ['apply', 'the patch is applied'],
    ['cancel', 'jobs are cancelled'],
    ['install', 'installation fails'],
    ['deploy', 'the deployment'],
    ['userrepository', 'UserRepository.findAll is slow'],
    ['猫', '小猫咪很可爱'],
    ['strasse', 'die Straße'],
    ['user repository', 'UserRepository.findAll is slow'],
    ['claim limit', 'CLAIM_LIMIT of the queue'],
  ])('finds by %s: %s', (text, title) => {
    expect(ask(['palette of buttons', title, 'colours of links'], text)).toEqual([title]);
  });

  it('matches a word that the index contains exactly, without similar words', () => {
    expect(ask(['leak of sockets', 'leaf of the tree'], 'leaf')).toEqual(['leaf of the tree']);
  });

  it('ranks records from the time that it names first, and finds them without another word', () => {
    const index = open();
    for (const day of ['2026-05-07', '2026-05-20', '2026-06-01']) {
      const record = observation(`pages of ${day.slice(8)}`, { generated: { by: 'test', at: `${day}T10:00:00Z` } });
      const document = documentOf(record, blobOf(record));
      const seen = [{ store: 'team' as const, path: day, blob: document.blob, size: 1, modifiedMs: 1, changedMs: 1 }];
      index.apply({ documents: [document], seen, gone: [], folders: [] });
    }
    const now = new Date('2026-06-02T12:00:00Z');
    const days = (text: string) =>
      searchIndex(index, { text, limit: 9, now }).hits.map(({ document }) => document.card.created.slice(5, 10));
    expect(days('pages in May').slice(0, 2).sort()).toEqual(['05-07', '05-20']);
    expect(days('pages')[0]).toBe('06-01');
    expect(days('what happened yesterday')).toEqual(['06-01']);
    expect(days('2026-05-07')).toEqual(['05-07']);
  });

  it.each([400, 4000])('finds a known word among %i unknown ones', (count) => {
    const unknown = Array.from({ length: count }, (_, i) => `zq${i.toString(36)}x`).join(' ');
    expect(ask(['cache of pages', 'queue of jobs'], `${unknown}\nthe queue`)[0]).toBe('queue of jobs');
  });
});
