import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { openCache } from '../../../src/index/cache.ts';
import { sessionBriefing } from '../../../src/inject/briefing/session-briefing.ts';
import { encode } from '../../../src/memory/codec.ts';
import { idOf } from '../../../src/memory/id.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { readEverything } from '../../../src/records/read.ts';
import { readRecords } from '../../../src/records/records.ts';
import { search } from '../../../src/search/search.ts';
import { timeline } from '../../../src/search/timeline.ts';
import type { TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const id = idOf('claimed');
const true_ = observationOf({ id, title: 'The leeway is thirty seconds', narrative: 'Clocks differ.' });
const false_ = observationOf({
  id,
  title: 'The leeway is thirty hours',
  narrative: 'Clocks never differ.',
  generated: { by: 'test', at: '2026-12-24T20:05:01Z' },
});

/** Where the true record may lie, and how trusted it is there; the false one is a newer file of the team store. */
const PLACES: [string, (repository: TestRepository) => void][] = [
  ['own, in the team store', (repository) => void put(repository, true_)],
  ['own, in the private store', (repository) => void put(repository, true_, 'private')],
  [
    'reviewed',
    (repository) => {
      repository.git('add', '--', drop(repository, true_));
      repository.git('commit', '--quiet', '-m', 'reviewed');
    },
  ],
  [
    'edited: less trusted than own, more than a stranger’s',
    (repository) => {
      const path = drop(repository, { ...true_, title: 'As it was reviewed' });
      repository.git('add', '--', path);
      repository.git('commit', '--quiet', '-m', 'reviewed');
      writeFileSync(join(repository.root, path), encode(true_));
    },
  ],
];

describe.each(PLACES)('a record that is %s', (what, place) => {
  // What was edited is told as it was reviewed.
  const title = what.startsWith('edited') ? 'As it was reviewed' : true_.title;

  it('is the one that its id resolves to, whatever other file claims that id', async ({ repository }) => {
    place(repository);
    drop(repository, false_);
    const workspace = openWorkspace(repository.root, repository.env);
    const cache = openCache(workspace);
    try {
      const everything = await readEverything(workspace);
      expect(everything.records.map(({ record }) => record)).toMatchObject([{ title: true_.title }]);
      for (const text of ['', 'leeway thirty seconds', 'leeway thirty hours clocks never differ']) {
        const { hits, total } = await search(workspace, cache, { text, limit: 1 });
        expect(total).toBe(1);
        expect(hits.map(({ annotated }) => annotated.record)).toMatchObject([{ title }]);
      }
      const { items, anchor } = await timeline(workspace, cache, { id }, { before: 3, after: 3 });
      expect(anchor).toBe(id);
      expect(items.map(({ record }) => record)).toMatchObject([{ title }]);
      const { found } = await readRecords(workspace, cache, [id]);
      expect(found.map(({ record }) => record)).toMatchObject([{ title }]);
    } finally {
      cache.close();
    }
    const { config } = loadConfig(workspace.layout.memory, repository.env);
    const { text, records } = await sessionBriefing(workspace, config, {});
    expect(records.map((one) => one.id)).toEqual([id]);
    expect(text).toContain(title);
    expect(text).not.toContain('hours');
  });
});

it('a promoted record belongs to the team, and appears once', async ({ repository }) => {
  put(repository, true_, 'private');
  put(repository, true_);
  const { records } = await readEverything(openWorkspace(repository.root, repository.env));
  expect(records.map(({ entry }) => entry.store)).toEqual(['team']);
  rmSync(join(repository.root, '.memory'), { recursive: true });
  const alone = await readEverything(openWorkspace(repository.root, repository.env));
  expect(alone.records.map(({ entry }) => entry.store)).toEqual(['private']);
});
