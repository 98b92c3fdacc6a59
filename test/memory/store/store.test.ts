import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../../src/memory/canonical.ts';
import { blobId, idOf } from '../../../src/memory/id.ts';
import type { MemoryRecord, Observation, StoreName } from '../../../src/memory/record.ts';
import { readLedgers } from '../../../src/memory/store/ledger.ts';
import type { Entry } from '../../../src/memory/store/source.ts';
import { openStore, recordFile, type Store } from '../../../src/memory/store/store.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { anyRecord } from '../../support/any-record.ts';
import { createRepository } from '../../support/repository.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { runs } from '../../support/trials.ts';
import { observationOf } from '../../support/written-records.ts';

const it = test.extend('store', () => openTestStore()).extend('folder', () => scratchFolder());

function openTestStore(
  name: StoreName = 'team',
  format: 'sha1' | 'sha256' = 'sha1',
): Store & { ledger: string; stage: string } {
  const folder = scratchFolder();
  const state = join(folder, 'state');
  const store = openStore({ name, dir: join(folder, 'store'), state, format });
  return { ...store, ledger: join(state, 'own'), stage: join(state, 'stage') };
}

function observation(title: string, at = '2026-11-20T20:05:01Z', id = idOf(title, at)): Observation {
  return observationOf({ id, title, narrative: 'Why.', generated: { by: 'cli', at } });
}

const entryOf = (store: Store): Entry => {
  const [entry] = store.newest();
  if (entry === undefined) throw new Error('The store is empty.');
  return entry;
};

describe('a record that is put into a store', () => {
  it('is a readable file whose blob is in this clone’s ledger', () => {
    for (const format of ['sha1', 'sha256'] as const) {
      const store = openTestStore('team', format);
      const record = observation('Clock runs ahead');
      expect(store.put(record)).toEqual({
        path: expect.stringMatching(
          new RegExp(`^observations/2026-11/20261120T200501Z-clock-runs-ahead-[0-9a-z]{4}-${record.id}[.]md$`),
        ),
        created: true,
      });
      const stored = store.read(entryOf(store));
      expect(stored.record).toEqual(record);
      expect(stored.blob).toBe(blobId(readFileSync(join(store.dir, stored.entry.path)), format));
      expect(ledgerAt(store.ledger)).toEqual(new Set([stored.blob]));
      expect(stored.text).toContain('title: "Clock runs ahead"');
    }
  });

  it('has the blob that git gives it', () => {
    const repository = createRepository();
    const { team } = openWorkspace(repository.root, repository.env).stores;
    const { path } = team.put(observation('Clock'));
    repository.write('.memory/.gitattributes', '* text eol=lf\n');
    repository.git('add', '.');
    expect(team.read(entryOf(team)).blob).toBe(repository.git('rev-parse', `:.memory/${path}`).trim());
  });

  it('is found again by its id, with another title and in another month', ({ store }) => {
    const { path } = store.put(observation('First title', '2026-11-20T20:05:01Z', 'k3v9x2qd7m'));
    const bytes = readFileSync(join(store.dir, path));
    expect(store.put(observation('Second title', '2026-11-20T20:05:01Z', 'k3v9x2qd7m'))).toEqual({
      path,
      created: false,
    });
    expect(store.put(observation('Third title', '2026-12-24T20:05:01Z', 'k3v9x2qd7m'))).toEqual({
      path,
      created: false,
    });
    expect(readFileSync(join(store.dir, path))).toEqual(bytes);
    expect([...store.newest()]).toHaveLength(1);
    expect(ledgerAt(store.ledger).size).toBe(1);
  });

  it('of any shape is written inside the store and reads back unchanged', ({ store }) => {
    fc.assert(
      fc.property(fc.oneof(...Object.values(anyRecord)), (record) => {
        const { path, created } = store.put(record);
        const entry = [...store.newest(record.kind)].find((one) => one.path === path);
        if (entry === undefined) throw new Error(`${path} is not listed.`);
        if (created) expect(store.read(entry).record).toEqual(canonical(record));
      }),
      runs(40),
    );
    const files = execFileSync('find', [dirname(store.dir), '-type', 'f'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
    const lists = [store.ledger, `${store.ledger}-marks`, `${store.ledger}-paths`];
    const besides = files.filter((file) => !file.startsWith(store.dir) && !file.includes('/held/'));
    expect(lists).toEqual(expect.arrayContaining(besides));
  });

  it.each(['', '../../evil', 'K3V9X2QD7M', 'k3v9x2qd7'])('is refused with the id %j', (id) => {
    const store = openTestStore();
    expect(() => store.put(observation('Title', '2026-11-20T20:05:01Z', id))).toThrow('is not the id of a record');
    expect(existsSync(store.dir)).toBe(false);
  });

  it('can be read by its owner alone in the private store', () => {
    const store = openTestStore('private');
    const { path } = store.put(observation('Title'));
    expect(statSync(join(store.dir, path)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(join(store.dir, path))).mode & 0o777).toBe(0o700);
  });
});

describe('a listing', () => {
  it('is newest first over months and kinds, and stops when its reader does', ({ store }) => {
    const times = [
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00Z',
      '2026-11-20T20:05:01Z',
      '2026-11-20T20:05:02Z',
      '2026-11-21T00:00:00Z',
    ];
    for (const time of times) store.put(observation(`At ${time}`, time));
    const prompt: MemoryRecord = {
      id: 'aaaaaaaaaa',
      kind: 'prompt',
      text: 'x',
      generated: { by: 'cli', at: '2026-11-20T20:05:01Z' },
    };
    store.put({ ...prompt, id: 'zzzzzzzzzz' });
    store.put(prompt);
    expect([...store.newest('observation')].map(({ time }) => time)).toEqual([...times].reverse());
    expect([...store.newest('prompt')].map(({ id }) => id)).toEqual(['zzzzzzzzzz', 'aaaaaaaaaa']);
    expect([...store.newest()].map(({ time }) => time)).toEqual(
      [...times.slice(2), times[2], times[2]]
        .sort()
        .reverse()
        .concat(times[1] ?? '', times[0] ?? ''),
    );
    expect(store.newest('observation').next().value).toMatchObject({
      kind: 'observation',
      slug: 'at-2026-11-21t00-00-00z',
      store: 'team',
    });
    expect([...store.newest('mark')]).toEqual([]);
  });

  it('skips files that are not records', ({ store }) => {
    const { path } = store.put(observation('Title'));
    const folder = dirname(join(store.dir, path));
    for (const name of ['README.md', '.tmp-20261120T200501Z-k3v9x2qd7m.md', 'notes.txt'])
      writeFileSync(join(folder, name), '');
    mkdirSync(join(store.dir, 'observations', 'drafts'));
    writeFileSync(join(store.dir, 'observations', '2026-10'), 'a file where a month should be');
    expect([...store.newest()]).toHaveLength(1);
  });

  it('of a missing store is empty', () => expect([...openTestStore().newest()]).toEqual([]));
});

describe('a file in a store', () => {
  const fileIn = (store: Store, name = '20261120T200501Z-title-k3v9x2qd7m.md') => {
    const path = join(store.dir, 'observations', '2026-11', name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };

  it('that is a link is not followed, because it could lead anywhere', ({ store }) => {
    const outside = join(store.dir, '..', 'outside.md');
    writeFileSync(outside, '---\nid: "k3v9x2qd7m"\ntitle: "Outside"\n---\n');
    symlinkSync(outside, fileIn(store));
    expect(() => store.read(entryOf(store))).toThrow('is not a regular file');
  });

  it('that is a pipe does not hang its reader', ({ store }) => {
    execFileSync('mkfifo', [fileIn(store)]);
    expect(() => store.read(entryOf(store))).toThrow('is not a regular file');
  });

  it('that is huge is not read', ({ store }) => {
    writeFileSync(fileIn(store), '');
    truncateSync(fileIn(store), 5_000_000_000);
    expect(() => store.read(entryOf(store))).toThrow('has 5000000000 bytes');
  });

  it('that does not parse gives an error with its path, and stays unchanged', ({ store }) => {
    writeFileSync(fileIn(store), 'no record');
    expect(() => store.read(entryOf(store))).toThrow(
      /^observations\/2026-11\/20261120T200501Z-title-k3v9x2qd7m\.md is not a record/,
    );
    expect(readFileSync(fileIn(store), 'utf8')).toBe('no record');
  });

  it('that was written by hand needs no id of its own', ({ store }) => {
    writeFileSync(fileIn(store), '---\ntype: decision\ntitle: By hand\n---\nBecause.\n');
    expect(store.read(entryOf(store)).record).toMatchObject({
      id: 'k3v9x2qd7m',
      type: 'decision',
      narrative: 'Because.',
    });
  });
});

describe('the ledger', () => {
  it('is empty when it is missing or not a file', ({ folder }) => {
    expect(ledgerAt(join(folder, 'own'))).toEqual(new Set());
    writeFileSync(join(folder, 'file'), 'a\n\nb\n');
    expect(ledgerAt(join(folder, 'file', 'own'))).toEqual(new Set());
    expect(ledgerAt(join(folder, 'file'))).toEqual(new Set(['a', 'b']));
  });

  it('is combined with those in other state folders, whichever of them exist', ({ folder }) => {
    const [ledger, other, missing] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')];
    writeFileSync(ledger, 'one\n');
    writeFileSync(other, 'two\none\n');
    expect(readLedgers({ ledger, otherLedgers: [missing, other] })).toEqual(new Set(['one', 'two']));
    expect(readLedgers({ ledger: missing, otherLedgers: [other] })).toEqual(new Set(['two', 'one']));
  });
});

describe('a workspace', () => {
  it('has the team store in each worktree, and one private store and ledger for all', () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
    const linked = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    const [main, side] = [openWorkspace(repository.root, repository.env), openWorkspace(linked, repository.env)];
    expect(side.stores.team.dir).toBe(join(linked, '.memory'));
    expect(main.stores.team.dir).toBe(join(repository.root, '.memory'));
    expect(side.stores.private.dir).toBe(main.stores.private.dir);
    expect(side.ledger).toBe(main.ledger);
    expect(main.format).toBe('sha1');
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it('cannot be opened outside a checkout, and says what to do', ({ folder }) => {
    expect(() => openWorkspace(folder, {})).toThrow(
      expect.objectContaining({ code: 'not-a-repository', hint: expect.stringContaining('git init') }),
    );
  });
});

describe('writing many records at once', () => {
  it('gives the same files and the same ledger as one by one', async () => {
    const records = Array.from({ length: 120 }, (_, i) => observation(`Nr ${i}`));
    const [many, single] = [openTestStore('private'), openTestStore('private')];
    const paths = await many.putNew(records.map(recordFile));
    expect(paths).toEqual(records.map((record) => single.put(record).path));
    for (const path of paths) {
      expect(readFileSync(join(many.dir, path))).toEqual(readFileSync(join(single.dir, path)));
      expect(statSync(join(many.dir, path)).mode & 0o777).toBe(0o600);
    }
    expect(ledgerAt(many.ledger)).toEqual(ledgerAt(single.ledger));
    expect(readdirSync(many.stage)).toEqual([]);
    expect(many.ids().sort()).toEqual(records.map(({ id }) => id).sort());
    expect(await many.putNew([])).toEqual([]);
  });

  it('leaves existing files alone, and writes no file for a record without an id', async ({ store }) => {
    const [first, second] = [observation('One'), observation('Two')];
    const { path } = store.put(first);
    writeFileSync(join(store.dir, path), 'edited by hand');
    await store.putNew([first, second].map(recordFile));
    expect(readFileSync(join(store.dir, path), 'utf8')).toBe('edited by hand');
    expect(store.ids()).toHaveLength(2);
    expect(() => recordFile({ ...first, id: '../x' })).toThrow(expect.objectContaining({ code: 'bad-record' }));
  });
});

function ledgerAt(ledger: string): Set<string> {
  return readLedgers({ ledger, otherLedgers: [] });
}
