import { truncateSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { cachePath } from '../../src/index/open.ts';
import { unoptimised } from '../../src/index/warm.ts';
import { type Scratch, scratch } from './scratch.ts';

const made: Scratch[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

/** A workspace with a cache of this size. */
function withCache(bytes: number) {
  const one = scratch();
  made.push(one);
  writeFileSync(cachePath(one.workspace), '');
  truncateSync(cachePath(one.workspace), bytes);
  return one.workspace;
}

let sources = 1000;

/** A source that V8 has not compiled yet; of others it knows only the length when it is given compiled code. */
const source = () => `(function () { return ${sources++}; })`;

/** V8 takes compiled code only under the flags with which it was compiled. */
const hasOtherFlags = (compiled: Buffer) => new Script(source(), { cachedData: compiled }).cachedDataRejected === true;

describe('a question without the optimising compiler', () => {
  it('leaves V8 as it was, also when it fails', async () => {
    const compiled = new Script(source()).createCachedData();
    const workspace = withCache(1000);
    expect(await unoptimised(workspace, async () => hasOtherFlags(compiled))).toBe(true);
    expect(hasOtherFlags(compiled)).toBe(false);
    const failed = unoptimised(workspace, async () => {
      throw new Error('no answer');
    });
    await expect(failed).rejects.toThrow('no answer');
    expect(hasOtherFlags(compiled)).toBe(false);
  });

  it('is not asked of a large store, nor where there is no cache yet', async () => {
    const compiled = new Script(source()).createCachedData();
    const empty = scratch();
    made.push(empty);
    for (const place of [withCache(50_000_000), empty.workspace]) {
      expect(await unoptimised(place, async () => hasOtherFlags(compiled))).toBe(false);
    }
  });
});
