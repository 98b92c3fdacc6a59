import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesWithIds } from '../../../src/inject/briefing/marks.ts';
import { tallyPath } from '../../../src/inject/briefing/tally.ts';
import { idOf } from '../../../src/memory/id.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { createRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

const MONTHS = ['2020-01', '2020-02', '2020-03'] as const;

function createMemory() {
  const repository = createRepository();
  const bring = (name: string, month: string) => {
    put(repository, observationOf({ id: idOf(name), generated: { by: 'test', at: `${month}-05T10:00:00Z` } }));
  };
  for (const month of MONTHS) for (const i of [1, 2, 3]) bring(`${month} ${i}`, month);
  const workspace = openWorkspace(repository.root, repository.env);
  const notes = tallyPath(workspace.layout.state, workspace.checkout, 'pinned');
  // The folders are long settled.
  const find = (...names: string[]) => {
    const files = filesWithIds(workspace, new Set(names.map((name) => idOf(name))), Date.now() + 60_000);
    return files.map(({ entry }) => entry.id).sort();
  };
  return { repository, bring, workspace, notes, find };
}

const idsOf = (...names: string[]) => names.map((name) => idOf(name)).sort();

describe('the lookup of records by id at session start', () => {
  it('finds records however old, with notes and without', () => {
    const { find, notes } = createMemory();
    const wanted = ['2020-01 2', '2020-03 1'];
    expect(find(...wanted)).toEqual(idsOf(...wanted));
    expect(find(...wanted)).toEqual(idsOf(...wanted));
    expect(find('2020-03 1')).toEqual(idsOf('2020-03 1'));
    expect(find('2020-02 3', '2020-03 1')).toEqual(idsOf('2020-02 3', '2020-03 1'));
    for (const damage of [
      '',
      '{"ids":',
      '[]',
      'null',
      '{"ids":[1],"folders":[[],["a"],7]}',
      '{"ids":{},"folders":3}',
    ]) {
      writeFileSync(notes, damage);
      expect(find(...wanted), damage).toEqual(idsOf(...wanted));
    }
  });

  it('does not search folders that did not change', () => {
    const { find, notes, bring } = createMemory();
    expect(find('2020-01 2', '2020-02 1')).toHaveLength(2);
    // Seen by what it leads to where the notes say something else.
    const told = readFileSync(notes, 'utf8');
    const [, name = ''] = new RegExp(`"([^"]*${idOf('2020-02 1')}[.]md)"`).exec(told) ?? [];
    expect(name).not.toBe('');
    writeFileSync(notes, told.replace(`,"${name}"`, ''));
    expect(find('2020-01 2', '2020-02 1')).toEqual(idsOf('2020-01 2'));
    bring('another', '2020-02');
    expect(find('2020-01 2', '2020-02 1')).toEqual(idsOf('2020-01 2', '2020-02 1'));
  });

  it('finds records that were added, moved or deleted since', () => {
    const { find, repository, workspace } = createMemory();
    expect(find('2020-01 2', 'later')).toEqual(idsOf('2020-01 2'));
    put(repository, observationOf({ id: idOf('later'), generated: { by: 'test', at: '2019-12-31T10:00:00Z' } }));
    expect(find('2020-01 2', 'later')).toEqual(idsOf('2020-01 2', 'later'));
    rmSync(join(workspace.stores.team.dir, 'observations/2020-01'), { recursive: true });
    expect(find('2020-01 2', 'later')).toEqual(idsOf('later'));
  });

  it('takes no notes on a folder that has just changed', () => {
    const { workspace, bring, find } = createMemory();
    const soon = () => filesWithIds(workspace, new Set(idsOf('new', '2020-01 1')));
    expect(soon()).toHaveLength(1);
    bring('new', '2020-02');
    expect(soon()).toHaveLength(2);
    expect(find('new', '2020-01 1')).toHaveLength(2);
  });

  it('needs no notes: with a state folder that is not writable, and with none', () => {
    const { workspace, find, notes } = createMemory();
    rmSync(workspace.layout.state, { recursive: true, force: true });
    writeFileSync(workspace.layout.state, 'a file in the place of the folder');
    expect(find('2020-01 2')).toEqual(idsOf('2020-01 2'));
    expect(() => readFileSync(notes)).toThrow();
  });
});
