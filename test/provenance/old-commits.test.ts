import { join } from 'node:path';
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
function formattedInAugust(): { repository: TestRepository; commit: string } {
  const repository = createRepository();
  commitOn(repository, '2026-02-01', 'begin', { 'src/a.ts': 'const limit=10\n' });
  const commit = commitOn(repository, '2026-08-03', 'format everything (#77)', { 'src/a.ts': TEXT });
  const anchors = { 'src/a.ts': repository.git('hash-object', 'src/a.ts').trim() };
  const generated = { by: 'claude-code', at: '2026-11-20T20:05:01Z' };
  put(repository, observationOf({ id: A, commit, anchors, files_modified: ['src/a.ts'], generated }));
  return { repository, commit };
}

async function why(repository: TestRepository) {
  const json = await gitMem(repository, ['why', A, '--json']);
  const { stdout } = await gitMem(repository, ['why', A]);
  return { story: JSON.parse(json.stdout), stdout };
}

async function blamed(repository: TestRepository): Promise<Record<string, number>> {
  const { stdout } = await gitMem(repository, ['blame', 'src/a.ts', '--json']);
  const { groups } = JSON.parse(stdout) as { groups: { subject: string; records: unknown[] }[] };
  return Object.fromEntries(groups.map(({ subject, records }) => [subject, records.length]));
}

describe('a commit months older than the record', () => {
  it('is not where its work landed, although the file has the same content there', async () => {
    const { repository } = formattedInAugust();
    const { story, stdout } = await why(repository);
    expect(story).toMatchObject({ landed: null });
    expect(story).not.toHaveProperty('shallow');
    expect(stdout).toContain('landed in     No commit found that holds this work.');
    expect(await blamed(repository)).toEqual({ 'format everything (#77)': 0 });
  });

  it('is not named by the published page either, nor is its pull request', async () => {
    const { repository } = formattedInAugust();
    commitOn(repository, '2026-11-21', 'memory', {});
    const workspace = openWorkspace(repository.root, repository.env);
    const { data } = await siteData(workspace, { title: 'site', everyTrust: true });
    expect(data.records.map(({ provenance: { landed, pull_request } }) => [landed, pull_request])).toEqual([
      [null, null],
    ]);
  });

  it('is passed over for a later one that has the content', async () => {
    const { repository } = formattedInAugust();
    commitOn(repository, '2026-11-21', 'raise the limit', { 'src/a.ts': 'const limit = 20;\n' });
    expect((await why(repository)).story).toMatchObject({ landed: { subject: 'raise the limit' } });
  });
});

describe('a history that ends early', () => {
  it('does not show the commit of the work, and the last known one is not taken for it', async () => {
    const { repository } = formattedInAugust();
    commitOn(repository, '2026-11-20T21:00:00', 'raise the limit', { 'src/a.ts': 'const limit = 20;\n' });
    commitOn(repository, '2026-11-22', 'later', { 'b.txt': 'b\n' });
    const root = join(repository.folder, 'shallow');
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.root}`, root);
    const { story, stdout } = await why({ ...repository, root });
    expect(story).toMatchObject({ landed: null, added: null, shallow: true });
    expect(stdout).toContain('landed in     Unknown: the history ends here (a shallow clone).');
    expect(await blamed({ ...repository, root })).toEqual({ later: 0 });
  });
});
