import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderFiles } from '../../src/memory/store/folder.ts';
import { removeFolder } from '../../src/setup/demo.ts';

it('finds every month in a folder that was filled with thousands of other names', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'git-mem-crowded-'));
  const months = ['1970-01', '1990-01', '2026-11', '2099-12'];
  for (const month of months) mkdirSync(join(dir, 'observations', month), { recursive: true });
  expect(folderFiles(dir, true).names('observations').sort()).toEqual(months);
  const strangers = Array.from({ length: 5000 }, (_, i) => `a-folder-that-is-no-month-${i}`);
  for (const name of strangers) mkdirSync(join(dir, 'observations', name));
  // On a file system whose folders have no size they are listed as before.
  expect(folderFiles(dir, true).names('observations')).toEqual(expect.arrayContaining(months));
  await removeFolder(dir);
});
