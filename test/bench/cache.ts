import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCache } from '../../src/cache/cache.ts';
import { cachePath } from '../../src/cache/open.ts';
import { encode } from '../../src/memory/codec.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { searchIndex } from '../../src/recall/search.ts';
import { readSet, repositoryOf, toRecords, writeRecord } from './corpus.ts';

const SETS = join('..', 'shared', 'retrieval');
const NAMES = ['code-changelog', 'code-tests', 'code-szz'];

/** Times a sync and a question over a store of this many records. Prints the reason where the sets are not here. */
export async function run(count = 10_000, folder = SETS): Promise<void> {
  const groups = NAMES.flatMap((name) => readSet(join(folder, name)) ?? []);
  if (groups.length === 0) return console.log(`cache: left out, ${folder} is not here.`);
  const records = enlarged(toRecords(groups.flatMap(({ documents }) => documents)).records, count);
  const queries = groups.flatMap(({ queries: some }) => some.map(({ text }) => text));
  const workspace = repositoryOf(records);
  const cache = openCache(workspace);
  const print = (what: string, ms: number | string) => console.log(`  ${what.padEnd(44)}${ms}`);
  try {
    console.log(`cache, ${records.length} records`);
    print('full sync, ms', await timed(() => cache.sync()));
    const ageing = Array.from({ length: 3 }, () => () => cache.query(() => 0));
    for (const again of ageing) await again();
    const still = await median(7, () => cache.query(() => 0));
    print('nothing changed, ms', still);
    let edit = 0;
    const one = await median(7, () => {
      const record = records[edit++ * 7];
      if (record !== undefined) writeRecord(workspace, { ...record, narrative: `${record.narrative} Edited.` });
      return cache.query(() => 0);
    });
    print('one file changed, ms more', one - still);
    const others = records
      .slice(1000, 2000)
      .map((record) => [record, { ...record, narrative: `Other branch: ${record.title}` }] as const);
    for (const [, other] of others) writeRecord(workspace, other);
    print('1,000 files new on a branch, ms', await timed(() => cache.query(() => 0)));
    for (const [record] of others) writeRecord(workspace, record);
    print('switch back to 1,000 known records, ms', await timed(() => cache.query(() => 0)));
    const times: number[] = [];
    await cache.query((index) => {
      for (const text of queries.slice(0, 300)) {
        const start = performance.now();
        searchIndex(index, { text, limit: 10 });
        times.push(performance.now() - start);
      }
    });
    print('first question, ms', (times[0] ?? 0).toFixed(1));
    times.sort((a, b) => a - b);
    print(
      'question p50 and p95, ms',
      [0.5, 0.95].map((q) => (times[Math.floor(times.length * q)] ?? 0).toFixed(1)).join(' '),
    );
    cache.close();
    const text = records.reduce((sum, record) => sum + encode(record).length, 0);
    print('cache size, times the text', (statSync(cachePath(workspace)).size / text).toFixed(2));
    print('peak memory, MB', Math.round(process.resourceUsage().maxRSS / 1024));
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
  return Math.round(performance.now() - start);
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await timed(work));
  return all.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
