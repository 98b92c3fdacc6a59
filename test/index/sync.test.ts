import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Cache, openCache } from '../../src/index/cache.ts';
import type { MemoryIndex } from '../../src/index/memory-index.ts';
import { openIndex } from '../../src/index/open.ts';
import { sync } from '../../src/index/sync.ts';
import { encode } from '../../src/memory/codec.ts';
import type { Observation } from '../../src/memory/record.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { ENGINE } from '../support/sqlite.ts';
import { runs } from '../support/trials.ts';
import { observation, type Scratch, scratch } from './scratch.ts';

let repo: Scratch;
let cache: Cache;
beforeEach(() => {
  repo = scratch();
  cache = openCache(repo.workspace);
});
afterEach(() => {
  cache.close();
  repo.remove();
  vi.restoreAllMocks();
});

/** Waits until what changes from now on gets another time than what changed before. */
async function nextStep({ workspace }: Scratch): Promise<void> {
  const probe = join(workspace.checkout.root, 'probe');
  const time = () => {
    writeFileSync(probe, '');
    return statSync(probe).ctimeMs;
  };
  const before = time();
  await vi.waitUntil(() => time() !== before, { timeout: 60_000, interval: 1 });
}

/** All that an index can tell, free of row numbers. */
function contents(index: MemoryIndex) {
  const documents = [...index.newest()].map(({ row, ...document }) => ({ ...document, path: index.pathOf(row) }));
  const answers = ['alpha', 'beta gamma', 'delta src/a.ts'].map((text) =>
    searchIndex(index, { text, limit: 20 }).hits.map(({ document, score }) => [document.card.id, score.toFixed(6)]),
  );
  return {
    documents,
    answers,
    statistics: index.statistics(['alpha', 'beta']),
    files: [...index.files('team').keys()].sort(),
  };
}

const titles = () => cache.query((index) => [...index.newest()].map(({ card }) => card.title));

describe('sync', () => {
  // Within a file system's step nothing may be concluded from times; after it whole folders are passed over.
  it.each([
    { pauseMs: 0, all: 25 },
    { pauseMs: 130, all: 50 },
  ])(
    'equals a rebuild after every sequence of changes, $pauseMs ms apart',
    async ({ pauseMs, all }) => {
      // The pause is one of the clock: the file system's own step is waited for, and is shorter.
      const now = Date.now;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + pauseMs);
      const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon'), {
        minLength: 1,
        maxLength: 4,
      });
      const action = fc.record({
        slot: fc.nat({ max: 7 }),
        what: fc.constantFrom('write', 'edit', 'delete', 'rename', 'break', 'touch'),
        words,
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(action, { maxLength: 5 }), { minLength: 1, maxLength: 6 }),
          async (rounds) => {
            const world = scratch();
            const kept = openCache(world.workspace);
            try {
              const slots = new Map<number, { record: Observation; path: string }>();
              for (const round of rounds) {
                for (const { slot, what, words: some } of round) {
                  const held = slots.get(slot);
                  if (held === undefined || what === 'write') {
                    if (held !== undefined) rmSync(held.path, { force: true });
                    const record = observation(some.join(' '), {
                      narrative: some.join(' '),
                      files_modified: ['src/a.ts'],
                      session: 's',
                    });
                    slots.set(slot, { record, path: world.write(record, slot % 3 === 0 ? 'private' : 'team') });
                  } else if (what === 'delete') {
                    rmSync(held.path, { force: true });
                    slots.delete(slot);
                  } else if (what === 'rename') {
                    const path = join(
                      dirname(held.path),
                      held.path.slice(dirname(held.path).length + 1).replace('Z-', 'Z-re-'),
                    );
                    renameSync(held.path, path);
                    held.path = path;
                  } else if (what === 'break') writeFileSync(held.path, 'no record');
                  else if (what === 'touch') utimesSync(held.path, 1_700_000_000, 1_700_000_000.5);
                  else writeFileSync(held.path, encode({ ...held.record, narrative: `${some.join(' ')} edited` }));
                }
                if (pauseMs > 0) await nextStep(world);
                await kept.query(() => 0);
              }
              const synced = await kept.query(contents);
              const fresh = await openIndex(world.workspace, { prefer: 'memory' });
              // A cache in memory starts from the file; an index of an empty place starts from nothing.
              fresh.index.close();
              const rebuilt = openCache(world.workspace);
              await rebuilt.sync({ rebuild: true });
              expect(synced).toEqual(await rebuilt.query(contents));
              rebuilt.close();
            } finally {
              kept.close();
              world.remove();
            }
          },
        ),
        runs(all),
      );
    },
    60_000,
  );

  it('reads nothing again when nothing has changed', async () => {
    const path = repo.write(observation('steady'));
    utimesSync(path, 1_600_000_000, 1_600_000_000.5);
    const { index } = await openIndex(repo.workspace);
    const later = Date.now() + 60_000;
    expect(await sync(repo.workspace, index, later)).toMatchObject({ changed: 1, added: 1 });
    const before = index.version();
    expect(await sync(repo.workspace, index, later)).toMatchObject({ changed: 0, added: 0, gone: 0 });
    expect(index.version()).toBe(before);
    index.close();
  });

  it('notices an edit within the same instant and of the same size', async () => {
    const record = observation('same', { narrative: 'alpha' });
    const path = repo.write(record);
    await titles();
    writeFileSync(path, encode({ ...record, narrative: 'gamma' }));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const found = await cache.query((index) => index.statistics(['gamma']).frequencies.get('gamma'));
    expect(found).toBe(1);
  });

  it('treats new timestamps as a hint only', async () => {
    const path = repo.write(observation('touched'));
    await titles();
    utimesSync(path, 1_500_000_000, 1_500_000_000);
    const report = await cache.query((_, seen) => seen);
    expect(report).toMatchObject({ changed: 0, added: 0, gone: 0 });
  });

  it('restores 1,000 known records without decoding one', async () => {
    const records = Array.from({ length: 1000 }, (_, i) => observation(`record ${i}`));
    const paths = records.map((record) => repo.write(record));
    await cache.sync();
    for (const path of paths) rmSync(path);
    expect(await titles()).toEqual([]);
    for (const record of records) repo.write(record);
    const report = await cache.query((_, seen) => seen);
    // MiniSearch drops what no file holds, and decodes it again.
    const { kind } = cache.state() ?? {};
    expect(report).toMatchObject({ changed: 1000, added: kind === 'sqlite' ? 0 : 1000 });
    expect(kind).toBe(ENGINE === 'minisearch' ? 'minisearch' : 'sqlite');
    expect(await titles()).toHaveLength(1000);
  }, 60_000);

  it('skips files that are not records, warns once, and indexes one when it is repaired', async () => {
    const record = observation('mended');
    const path = repo.write(record);
    writeFileSync(path, '---\nid: [\n---\n');
    const report = await cache.query((_, seen) => seen);
    expect(report.problems).toMatchObject([{ store: 'team' }]);
    expect(await titles()).toEqual([]);
    writeFileSync(path, encode(record));
    expect(await titles()).toEqual(['mended']);
  });

  it('is not misled by folders, links and names like a FIFO’s', async () => {
    const path = repo.write(observation('real'));
    const fake = path.replace('real', 'fake').replace(/[0-9a-z]{10}\.md$/, 'aaaaaaaaaa.md');
    mkdirSync(fake);
    symlinkSync('/nowhere', fake.replace('aaaaaaaaaa', 'bbbbbbbbbb'));
    expect(await titles()).toEqual(['real']);
  });

  it('shows each worktree its own records from one cache', async () => {
    repo.write(observation('of the first'));
    await titles();
    const other = scratch({ GIT_MEM_STATE: repo.workspace.layout.state });
    other.write(observation('of the second'));
    const second = openCache(other.workspace);
    try {
      expect(await second.query((index) => [...index.newest()].map(({ card }) => card.title))).toEqual([
        'of the second',
      ]);
      expect(await titles()).toEqual(['of the first']);
      expect(await second.query((index) => index.statistics(['first', 'second']).documents)).toBe(1);
    } finally {
      second.close();
      other.remove();
    }
  });
});
