import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/memory/id.ts';
import { type CitedFile, contentOf, judged, missingWords, type Whereabouts } from '../../src/provenance/freshness.ts';

const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n';

/** What is there now; `unknown` for what cannot be read, another path for what was renamed. */
function files(now: Record<string, string>, renames: Record<string, string> = {}, isComplete = true): Whereabouts {
  return {
    content(path) {
      const text = now[path];
      if (text === undefined) return 'missing';
      if (text === 'unknown') return 'unknown';
      return contentOf(Buffer.from(text), (blob) => blob === blobId(text));
    },
    nowAt({ path }) {
      const to = renames[path];
      return to === undefined ? (isComplete ? 'gone' : 'unknown') : { path: to };
    },
  };
}

const cited = (path: string, names?: string[], then = ''): CitedFile => ({
  path,
  blobs: [blobId(then)],
  ...(names && { names }),
});

describe('a record', () => {
  it.each<[what: string, cited: CitedFile[], now: Whereabouts, expected: string]>([
    ['that cites nothing is unknown', [], files({}), 'unknown'],
    ['is fresh while its name stands there', [cited('a', ['foo'])], files({ a: 'edited foo' }), 'fresh'],
    ['is touched when its name is gone', [cited('a', ['foo'])], files({ a: 'edited' }), 'touched'],
    ['that names nothing is fresh while the file lives', [cited('a', [])], files({ a: 'all new' }), 'fresh'],
    ['is gone with its file', [cited('a', [])], files({}), 'gone'],
    ['is not gone before history was searched', [cited('a', [])], files({}, {}, false), 'unknown'],
    ['is moved with a renamed and edited file', [cited('a', ['foo'])], files({ b: 'foo 2' }, { a: 'b' }), 'moved'],
    ['is touched when the renamed file lost its name', [cited('a', ['foo'])], files({ b: '' }, { a: 'b' }), 'touched'],
    [
      'of two files keeps what one has',
      [cited('a', ['foo']), cited('b', ['foo'])],
      files({ a: '', b: 'foo' }),
      'fresh',
    ],
    [
      'is unknown where one cannot be read',
      [cited('a', ['x']), cited('b', ['x'])],
      files({ a: '', b: 'unknown' }),
      'unknown',
    ],
    ['is not stale for one file that is gone', [cited('a', []), cited('b', ['foo'])], files({ b: 'foo' }), 'fresh'],
    ['is touched when a name went with a file', [cited('a', ['x']), cited('b', ['y'])], files({ b: 'y' }), 'touched'],
    ['is fresh by its blob where the names are not known', [cited('a', undefined, 'x')], files({ a: 'x' }), 'fresh'],
    ['is unknown where neither blob nor names tell', [cited('a', undefined, 'x')], files({ a: 'y' }), 'unknown'],
    ['is fresh by its pointer of git LFS', [cited('a', undefined, POINTER)], files({ a: POINTER }), 'fresh'],
    ['is unknown in a file that is no text', [cited('a', ['foo'])], files({ a: 'f\0o\0o\0' }), 'unknown'],
    ['is unknown with another pointer', [cited('a', ['foo'])], files({ a: POINTER }), 'unknown'],
    [
      'that told of a removal does not count it',
      [{ ...cited('a', ['foo']), isUncommitted: true }, cited('b', [])],
      files({ b: '' }),
      'fresh',
    ],
  ])('%s', (_, of, now, expected) => {
    expect(judged(of, now).freshness).toBe(expected);
  });

  it('says which names are gone from which file', () => {
    const { missing, files: each } = judged(
      [cited('a', ['foo', 'bar']), cited('b', ['baz'])],
      files({ a: 'foo', b: 'baz' }),
    );
    expect(missing).toEqual([{ path: 'a', name: 'bar' }]);
    expect(each.map(({ freshness }) => freshness)).toEqual(['touched', 'fresh']);
    expect(missingWords(missing)).toBe('`bar` is no longer in a');
    expect(missingWords([...missing, { path: 'b', name: 'baz' }])).toBe('`bar` and 1 more are no longer in a');
    expect(missingWords([])).toBe('');
  });
});
