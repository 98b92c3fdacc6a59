import { expect, it } from 'vitest';
import { installing } from '../../../src/setup/checks/machine.ts';

it('a folder is installed by a link to it, and what npx keeps for a while by a copy', () => {
  expect(installing('/home/ada/git-mem/')).toBe('npm install --global "/home/ada/git-mem/"');
  for (const root of ['/home/ada/.npm/_npx/ebf0/node_modules/git-mem/', 'C:\\npm-cache\\_npx\\ebf0\\git-mem\\']) {
    expect(installing(root)).toBe(`npm install --global --install-links "${root}"`);
  }
});
