import { afterEach, expect, it } from 'vitest';
import { openCache } from '../../../src/index/cache.ts';
import { findForFiles } from '../../../src/inject/prompt/file-recall.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { observation, type Scratch, scratch } from '../../index/scratch.ts';

let store: Scratch | undefined;
afterEach(() => store?.remove());

async function titlesFor(records: Observation[], paths: string[]): Promise<string[]> {
  store = scratch();
  for (const record of records) store.write(record);
  const cache = openCache(store.workspace);
  try {
    return await cache.query((index) => findForFiles(index, paths).map(({ document }) => document.card.title));
  } finally {
    cache.close();
  }
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `src/other-${i}.ts`);

it('prefers records that modified the file, then those that cite few files, then the newest', async () => {
  const records = [
    observation('Only read it', { files_read: ['src/a.ts'] }),
    observation('Modified four', { files_modified: ['src/a.ts', ...many(3)] }),
    observation('Modified it alone, earlier', { files_modified: ['src/a.ts'] }),
    observation('Modified it alone, later', { files_modified: ['src/a.ts'] }),
    observation('About another file', { files_modified: ['src/b.ts'] }),
  ];
  expect(await titlesFor(records, ['src/a.ts'])).toEqual([
    'Modified it alone, later',
    'Modified it alone, earlier',
    'Modified four',
    'Only read it',
  ]);
});

it('skips records that cite too many files to be about any of them', async () => {
  const records = [
    observation('A sweeping rename', { files_modified: ['src/a.ts', ...many(20)] }),
    observation('A long reading', { files_read: ['src/a.ts', ...many(5)] }),
  ];
  expect(await titlesFor(records, ['src/a.ts'])).toEqual([]);
});

it('lists a record once, however many of its files are read', async () => {
  const records = [observation('Both', { files_modified: ['src/a.ts', 'src/b.ts'] })];
  expect(await titlesFor(records, ['src/a.ts', 'src/b.ts'])).toEqual(['Both']);
});

it('finds nothing for a file without a record', async () => {
  expect(await titlesFor([observation('Elsewhere', { files_modified: ['src/a.ts'] })], ['src/c.ts'])).toEqual([]);
});
