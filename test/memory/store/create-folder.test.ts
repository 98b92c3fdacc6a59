import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../src/memory/store/create-folder.ts';

describe('creating a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-folder-'));

  it('creates its parents and says which was the first', () => {
    expect(createFolder(join(root, 'a/b/c'))).toBe(join(root, 'a'));
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
    expect(createFolder(join(root, 'a/b/c'))).toBeUndefined();
  });

  it.each(['file', 'file/within'])('names a file that is in the way, and leaves it as it is: %s', (path) => {
    writeFileSync(join(root, 'file'), 'mine');
    expect(() => createFolder(join(root, path))).toThrow(
      expect.objectContaining({
        code: 'cannot-write',
        message: expect.stringContaining(`${join(root, 'file')} is not a folder`),
      }),
    );
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('mine');
  });
});
