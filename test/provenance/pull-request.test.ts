import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { additionOf } from '../../src/provenance/landing.ts';
import { pullRequestOf } from '../../src/provenance/pull-request.ts';
import { createRepository } from '../support/repository.ts';

it.each<[string, string | undefined]>([
  ['Fix the exporter (#123)', '#123'],
  ['Fix the exporter (#12) (#123)\n\nIt was (#4).', '#123'],
  ['Merge pull request #7 from someone/topic\n\nFix the exporter', '#7'],
  ["Merge branch 'topic' into 'main'\n\nFix it\n\nSee merge request group/sub/project!45", '!45'],
  ['Merged in topic (pull request #8)', '#8'],
  ['Fix the exporter\n\nSee (#123).', undefined],
  ['Undo what (#123) did', undefined],
  ['Fix #123', undefined],
])('reads %j', async (message, expected) => {
  const { git, write, root, env } = createRepository();
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', message);
  const workspace = openWorkspace(root, env);
  const commit = await additionOf(workspace, 'a.txt');
  expect(await pullRequestOf(workspace, commit ? [commit] : [])).toBe(expected);
});
