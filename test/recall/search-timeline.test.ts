import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/memory/record.ts';
import { type Cache, openCache } from '../../src/recall/index/cache.ts';
import { type Anchor, timeline } from '../../src/recall/query/timeline.ts';
import { observation, type Scratch, scratch } from '../cache/scratch.ts';

let repo: Scratch;
let cache: Cache;
let records: Observation[];
beforeEach(() => {
  repo = scratch();
  cache = openCache(repo.workspace);
  records = ['one', 'two', 'three', 'four', 'five'].map((title) =>
    observation(title, { narrative: `It is about ${title}.` }),
  );
  for (const record of records) repo.put(record);
});
afterEach(() => {
  cache.close();
  repo.remove();
});

async function around(anchor: Anchor, before: number, after: number) {
  const { items } = await timeline(repo.workspace, cache, anchor, { before, after });
  return items.map(({ record }) => ('title' in record ? record.title : ''));
}

describe('timeline', () => {
  it('shows the records before and after a record, oldest first', async () => {
    expect(await around({ id: records[2]?.id ?? '' }, 1, 1)).toEqual(['two', 'three', 'four']);
    expect(await around({ id: records[0]?.id.slice(0, 8) ?? '' }, 3, 1)).toEqual(['one', 'two']);
    expect(await around({ id: records[4]?.id ?? '' }, 0, 9)).toEqual(['five']);
  });

  it('is centred on the best hit of a query', async () => {
    expect(await around({ query: 'about three' }, 1, 0)).toEqual(['two', 'three']);
  });

  it('is centred on an instant', async () => {
    expect(await around({ at: records[2]?.generated.at ?? '' }, 1, 1)).toEqual(['two', 'three']);
    expect(await around({ at: '2030-01-01T00:00:00Z' }, 2, 2)).toEqual(['four', 'five']);
    expect(await around({ at: '2000-01-01T00:00:00Z' }, 2, 2)).toEqual(['one', 'two']);
  });

  it('leaves out superseded records, but never its centre', async () => {
    repo.put(observation('six', { supersedes: [records[3]?.id ?? '', records[4]?.id ?? ''] }));
    expect(await around({ id: records[2]?.id ?? '' }, 0, 3)).toEqual(['three', 'six']);
    expect(await around({ id: records[3]?.id ?? '' }, 1, 1)).toEqual(['three', 'four', 'six']);
  });

  it('names its centre, and says when there is none', async () => {
    const { anchor } = await timeline(repo.workspace, cache, { query: 'four' }, { before: 0, after: 0 });
    expect(anchor).toBe(records[3]?.id);
    await expect(around({ id: 'zzzzzzzzzz' }, 1, 1)).rejects.toMatchObject({ code: 'no-such-record' });
    await expect(around({ query: 'xylophone' }, 1, 1)).rejects.toMatchObject({ code: 'no-such-record' });
  });
});
