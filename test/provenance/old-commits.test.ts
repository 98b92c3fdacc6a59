import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { siteData } from '../../src/surfaces/viewer/site-data.ts';
import { gitMem } from '../support/command-line.ts';
import { commitOn } from '../support/dated-commits.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const A = 'aaaaaaaaa1';
const TEXT = 'const limit = 10;\n';

/** A file that was last formatted in August, and a record of November that says it modified it. */
function formattedInAugust(): TestRepository {
  const repository = createRepository();
  commitOn(repository, '2026-02-01', 'begin', { 'src/a.ts': 'const limit=10\n' });
  const commit = commitOn(repository, '2026-08-03', 'format everything (#77)', { 'src/a.ts': TEXT });
  const anchors = { 'src/a.ts': repository.git('hash-object', 'src/a.ts').trim() };
  const generated = { by: 'claude-code', at: '2026-11-20T20:05:01Z' };
  put(repository, observationOf({ id: A, commit, anchors, files_modified: ['src/a.ts'], generated }));
  return repository;
}

async function blamed(repository: TestRepository): Promise<Record<string, number>> {
  const { stdout } = await gitMem(repository, ['why', 'src/a.ts', '--json']);
  const { groups } = JSON.parse(stdout) as { groups: { subject: string; records: unknown[] }[] };
  return Object.fromEntries(groups.map(({ subject, records }) => [subject, records.length]));
}

describe('a commit that did not add the record', () => {
  it('is not claimed to hold its work, although the file has the same content there', async () => {
    const repository = formattedInAugust();
    const { stdout } = await gitMem(repository, ['why', A, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ recorded: null });
    expect(await blamed(repository)).toEqual({ 'format everything (#77)': 0 });
  });

  it('is not claimed for changing the file next, on the published page neither', async () => {
    const repository = formattedInAugust();
    commitOn(repository, '2026-11-21', 'memory', {});
    commitOn(repository, '2026-11-22', 'raise the limit', { 'src/a.ts': 'const limit = 20;\n' });
    expect(await blamed(repository)).toEqual({ 'raise the limit': 0 });
    const workspace = openWorkspace(repository.root, repository.env);
    const { data } = await siteData(workspace);
    expect(data.records.map(({ provenance: { recorded } }) => [recorded?.subject, recorded?.with_change])).toEqual([
      ['memory', false],
    ]);
  });
});
