import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withCache } from '../../src/index/cache.ts';
import { warm } from '../../src/index/warm.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { search } from '../../src/search/search.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** Above the size from which not all files are checked for every question. */
const MANY = 1100;

const edited: Observation = { ...generatedObservation(7), title: 'Marmalade is cooked at night' };

function write({ root }: TestRepository, record: Observation, place = storePath(record)): void {
  const path = join(root, '.memory', place);
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, encode(record));
}

/** The ids of the first hits, as a process of its own finds them. */
function found(workspace: Workspace, text: string): Promise<string[]> {
  return withCache(workspace, async (cache) => {
    const { hits } = await search(workspace, cache, { text, limit: 3 });
    return hits.map(({ annotated }) => annotated.record.id);
  });
}

afterEach(() => void vi.useRealTimers());

async function large(): Promise<{ repository: TestRepository; workspace: Workspace }> {
  const repository = createRepository();
  for (let i = 0; i < MANY; i++) write(repository, generatedObservation(i));
  repository.commit('Memory');
  // Folders that changed a moment ago have all files checked.
  const before = new Date(Date.now() - 3_600_000);
  for (const folder of ['observations/2026-01', 'observations']) {
    utimesSync(join(repository.root, '.memory', folder), before, before);
  }
  const workspace = openWorkspace(repository.root, repository.env);
  await warm(workspace);
  return { repository, workspace };
}

describe('a search of a large store', () => {
  it('shows a hit as it was edited in place a moment ago', async () => {
    const { repository, workspace } = await large();
    const record = { ...generatedObservation(7), narrative: 'Quinces keep.' };
    const { title, id } = record;
    const [first] = await found(workspace, `${title} ${record.subtitle}`);
    expect(first).toBe(id);
    write(repository, record, storePath(generatedObservation(7)));
    expect(await found(workspace, '"quinces"')).toEqual([]);
    expect(await found(workspace, `${title} ${record.subtitle}`)).toContain(id);
    expect(await found(workspace, '"quinces"')).toEqual([id]);
  });

  it('finds the new words of an edit in place when the last look at all files is a minute old', async () => {
    const { repository, workspace } = await large();
    write(repository, edited, storePath(generatedObservation(7)));
    expect(await found(workspace, '"marmalade"')).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await found(workspace, '"marmalade"')).toEqual([edited.id]);
  });

  it('finds them when the clock stepped back', async () => {
    const { repository, workspace } = await large();
    write(repository, edited, storePath(generatedObservation(7)));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5000 });
    expect(await found(workspace, '"marmalade"')).toEqual([edited.id]);
  });

  it('finds what came since at once', async () => {
    const { repository, workspace } = await large();
    const record = { ...generatedObservation(MANY), title: 'Marmalade is cooked at dawn' };
    write(repository, record);
    expect(await found(workspace, '"marmalade"')).toEqual([record.id]);
  });
});
