import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/memory/id.ts';
import { createFreshness } from '../../src/provenance/freshness.ts';
import { createRepository } from '../support/repository.ts';
import { scratchFolder } from '../support/scratch.ts';

/** A name that is too long for any file. */
const UNREADABLE = 'n'.repeat(5000);

function tree(files: Record<string, string>, format: 'sha1' | 'sha256' = 'sha1') {
  const root = scratchFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const pathsOf = (blob: string) =>
    Object.entries(files).flatMap(([path, content]) => (blobId(content, format) === blob ? [path] : []));
  return { root, freshness: createFreshness({ root, format, pathsOf }) };
}

describe('a cited file', () => {
  const { a, b } = { a: blobId('a\n'), b: blobId('b\n') };

  it.each([
    ['is fresh when nothing changed', { 'a.ts': 'a\n' }, 'a.ts', a, 'fresh'],
    ['is touched when its content changed', { 'a.ts': 'b\n' }, 'a.ts', a, 'touched'],
    ['is moved when its content lies elsewhere', { 'src/a.ts': 'a\n' }, 'a.ts', a, 'moved'],
    ['is gone when its content is nowhere', { 'b.ts': 'b\n' }, 'a.ts', a, 'gone'],
    [
      'is touched, not moved, when other content took its place',
      { 'a.ts': 'b\n', 'src/a.ts': 'a\n' },
      'a.ts',
      a,
      'touched',
    ],
    ['is fresh when only its line ends are Windows’s', { 'a.ts': 'a\r\nb\r\n' }, 'a.ts', blobId('a\nb\n'), 'fresh'],
    ['is fresh when Windows’s line ends were committed', { 'a.ts': 'a\r\n' }, 'a.ts', blobId('a\r\n'), 'fresh'],
    ['is gone when a file took the place of its folder', { src: 'x' }, 'src/a.ts', a, 'gone'],
    ['is gone when a folder took its place', { 'a.ts/b': 'c\n' }, 'a.ts', b, 'gone'],
    ['is moved when a folder took its place and holds it', { 'a.ts/index.ts': 'a\n' }, 'a.ts', a, 'moved'],
    ['is unknown when its name cannot be one', {}, UNREADABLE, a, 'unknown'],
    ['is unknown when its name holds a NUL', {}, 'a\0b', a, 'unknown'],
  ])('%s', (_, files, path, blob, expected) => {
    expect(tree(files).freshness.file(path, blob)).toBe(expected);
  });

  it('is read through a link, as at capture, but not outside the checkout', () => {
    const { root, freshness } = tree({ 'a.ts': 'a\n' });
    symlinkSync('a.ts', join(root, 'link.ts'));
    symlinkSync('/dev/zero', join(root, 'device.ts'));
    expect(freshness.file('link.ts', a)).toBe('fresh');
    expect(freshness.file('device.ts', a)).toBe('touched');
  });

  it('has the blob that git gives it, in a repository with SHA-256 too', () => {
    const { freshness } = tree({ 'a.ts': 'a\n' }, 'sha256');
    expect(freshness.file('a.ts', blobId('a\n', 'sha256'))).toBe('fresh');
    expect(freshness.file('a.ts', a)).toBe('touched');
    const repository = createRepository();
    repository.write('a.ts', 'a\n');
    expect(repository.git('hash-object', 'a.ts').trim()).toBe(a);
  });

  it('is read once', () => {
    const { root, freshness } = tree({ 'a.ts': 'a\n' });
    expect(freshness.file('a.ts', a)).toBe('fresh');
    rmSync(join(root, 'a.ts'));
    expect(freshness.file('a.ts', a)).toBe('fresh');
  });
});

describe('a record', () => {
  const files = { same: 'same', changed: 'new', 'elsewhere/moved': 'moved', 'folder/x': 'x' };
  const blobs: Record<string, string> = {
    same: blobId('same'),
    changed: blobId('old'),
    moved: blobId('moved'),
    lost: blobId('lost'),
    folder: blobId('f'),
    [UNREADABLE]: blobId('u'),
  };
  it.each([
    ['', 'unknown'],
    [UNREADABLE, 'unknown'],
    ['folder', 'gone'],
    ['same', 'fresh'],
    [`same ${UNREADABLE}`, 'fresh'],
    ['same folder', 'touched'],
    ['moved', 'moved'],
    ['same moved', 'moved'],
    ['changed', 'touched'],
    ['same changed', 'touched'],
    ['moved changed', 'touched'],
    ['lost', 'gone'],
    ['same lost', 'touched'],
    ['moved lost', 'touched'],
  ])('that cites [%s] is %s', (cited, expected) => {
    const anchors = Object.fromEntries(
      cited
        .split(' ')
        .filter(Boolean)
        .map((path) => [path, blobs[path] ?? '']),
    );
    expect(tree(files).freshness.of(anchors)).toBe(expected);
  });
});
