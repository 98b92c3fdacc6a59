import { expect, it } from 'vitest';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { shortIds } from '../../../src/surfaces/cli/record-table.ts';
import { remember } from '../../support/command.ts';
import { createRepository } from '../../support/repository.ts';

it('short ids are long enough to be unique across both stores', () => {
  const repository = createRepository();
  remember(repository, [{ id: 'k3v9x2qd7m' }, { id: 'k3v9aaaaaa' }, { id: 'p8w2m4ta1c' }]);
  remember(repository, [{ id: 'k3v9xzzzzz' }], 'private');
  const workspace = openWorkspace(repository.root, repository.env);
  const found = shortIds(workspace, ['k3v9x2qd7m', 'p8w2m4ta1c']);
  expect([found.get('k3v9x2qd7m'), found.get('p8w2m4ta1c')]).toEqual(['k3v9x2', 'p8w2']);
});
