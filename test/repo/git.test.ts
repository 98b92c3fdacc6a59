import { expect, it } from 'vitest';
import { openGit } from '../../src/git/git.ts';
import { createRepository } from '../support/repository.ts';

it('ignores any editor, pager and git variables in the environment', async () => {
  const { root, env } = createRepository();
  const busy = {
    ...env,
    EDITOR: 'vi',
    VISUAL: 'vi',
    PAGER: 'less',
    GIT_EDITOR: 'vi',
    GIT_DIR: '/nowhere',
    GIT_PAGER: 'less',
  };
  const git = openGit(root, busy, { config: ['user.name=Test'] });
  expect((await git.status()).isClean()).toBe(true);
});
