import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';

it('git mem redact names nothing that goes by itself: the cache and what is held', async ({ repository }) => {
  const text = 'The second customer is Summerfield Limited.';
  await repository.call('add', '--title', 'Outages at night have one cause', '--narrative', text);
  const { records } = JSON.parse(await repository.call('list', '--json'));
  const state = join(repository.root, '.git/git-mem');
  const holding = () =>
    readdirSync(state, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(state, path)).isFile())
      .filter((path) => readFileSync(join(state, path)).includes('Summerfield'));
  expect(holding()).not.toEqual([]);
  for (const more of [['--dry-run'], []]) {
    const { stderr } = await gitMem(repository, ['redact', records[0].id, ...more]);
    expect(stderr).not.toContain('These files');
  }
  await repository.call('list');
  expect(holding()).toEqual([]);
});
