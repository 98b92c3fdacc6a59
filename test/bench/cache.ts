import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCache } from '../../src/index/cache.ts';
import { cachePath } from '../../src/index/open.ts';
import { encode } from '../../src/memory/codec.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { type Group, readSet, repositoryOf, toRecords, writeRecord } from './corpus.ts';
import { type Figure, figure, figuresIn, median, printTable } from './table.ts';

const SETS = join('..', 'shared', 'retrieval');
const NAMES = ['code-changelog', 'code-tests', 'code-szz'];

/** What each figure may be, in milliseconds unless named otherwise, by the number of records. */
const BOUNDS = {
  10000: { full: 10_000, still: 100, one: 30, swap: 300, question: 10, size: 3, memory: undefined },
  100000: { full: undefined, still: undefined, one: undefined, swap: undefined, question: 60, size: 3, memory: 1536 },
} as const;

/** Times syncs and questions over stores of two sizes; left out, with the reason, where the sets are not here. */
export async function cache(folder = SETS): Promise<Figure[]> {
  const groups = NAMES.flatMap((name) => readSet(join(folder, name)) ?? []);
  if (groups.length === 0) {
    console.log(`\nCache: left out, ${folder} is not here.`);
    return [];
  }
  const figures: Figure[] = [];
  for (const count of [10_000, 100_000] as const) {
    const rows = await measure(groups, count);
    const about = `cache of ${count.toLocaleString('en')} records`;
    printTable(about, ['', 'value', 'bound', ''], rows);
    figures.push(...figuresIn(rows, { about }));
  }
  return figures;
}

async function measure(groups: Group[], count: 10_000 | 100_000): Promise<string[][]> {
  const bounds = BOUNDS[count];
  const records = enlarged(toRecords(groups.flatMap(({ documents }) => documents)).records, count);
  const queries = groups.flatMap(({ queries: some }) => some.map(({ text }) => text));
  const workspace = repositoryOf(records);
  const cache = openCache(workspace);
  const most = (atMost: number | undefined) => (atMost === undefined ? undefined : { atMost });
  try {
    const full = await timed(() => cache.sync());
    const memory = process.resourceUsage().maxRSS / 1024;
    const text = records.reduce((sum, record) => sum + encode(record).length, 0);
    cache.close();
    const size = statSync(cachePath(workspace)).size / text;
    // Once the files are old enough that their times can be trusted.
    for (let again = 0; again < 3; again++) await cache.query(() => 0);
    const still = await middle(7, () => cache.query(() => 0));
    let edit = 0;
    const one = await middle(7, () => {
      const record = records[edit++ * 7];
      if (record !== undefined) writeRecord(workspace, { ...record, narrative: `${record.narrative} Edited.` });
      return cache.query(() => 0);
    });
    const others = records
      .slice(1000, 2000)
      .map((record) => [record, { ...record, narrative: `Other branch: ${record.title}` }] as const);
    for (const [, other] of others) writeRecord(workspace, other);
    const fresh = await timed(() => cache.query(() => 0));
    for (const [record] of others) writeRecord(workspace, record);
    const swap = await timed(() => cache.query(() => 0));
    const times: number[] = [];
    await cache.query((index) => {
      for (const text of queries.slice(0, 300)) {
        const start = performance.now();
        searchIndex(index, { text, limit: 10 });
        times.push(performance.now() - start);
      }
    });
    const first = times[0] ?? 0;
    times.sort((a, b) => a - b);
    const quantile = (q: number) => times[Math.floor(times.length * q)] ?? 0;
    return [
      figure('full sync, ms', full, 0, most(bounds.full)),
      figure('sync with nothing changed, ms', still, 0, most(bounds.still)),
      figure('one file changed, ms more', one - still, 0, most(bounds.one)),
      figure('1,000 files new on a branch, ms', fresh, 0),
      figure('switch back to 1,000 known records, ms', swap, 0, most(bounds.swap)),
      figure('first question, ms', first, 1),
      figure('question p50, ms', quantile(0.5), 1, most(bounds.question)),
      figure('question p95, ms', quantile(0.95), 1),
      figure("cache's size, times the records' text", size, 2, most(bounds.size)),
      figure('peak memory of a full sync, MB', memory, 0, most(bounds.memory)),
    ];
  } finally {
    cache.close();
    rmSync(workspace.checkout.root, { recursive: true, force: true });
  }
}

/** As many records as wanted: the given ones, then copies with other ids and a word of their own. */
function enlarged(records: Observation[], count: number): Observation[] {
  return Array.from({ length: count }, (_, i) => {
    const record = records[i % records.length] as Observation;
    const round = Math.floor(i / records.length);
    return round === 0
      ? record
      : { ...record, id: idOf(record.id, String(round)), title: `${record.title} variant${i}` };
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function middle(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await timed(work));
  return median(all);
}
