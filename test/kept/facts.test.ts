import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { factsOn, keepFacts, keptBlobs, keptFolder, keptText } from '../../src/kept/facts.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const MAIN = 'refs/heads/main';
const A = '.memory/observations/2026-11/a.md';
const B = '.memory/observations/2026-11/b.md';

let repository: TestRepository;
let asked: string[][];

beforeEach(() => {
  repository = createRepository();
  asked = [];
  commit(A, 'one');
});

function commit(path: string, text: string): string {
  repository.write(path, text);
  repository.commit(text);
  return repository.git('rev-parse', `HEAD:${path}`).trim();
}

const workspace = () => openWorkspace(repository.root, repository.env);
const folder = () => join(workspace().layout.state, 'trees');
const blobs = async (paths: string[], answers = true) => {
  const ask = async (revision: string, wanted: string[]) => {
    asked.push(wanted);
    if (!answers) return undefined;
    const lines = repository
      .git('ls-tree', '-r', revision, '--', ...wanted)
      .split('\n')
      .filter(Boolean);
    return new Map(lines.map((line): [string, string] => [line.split('\t')[1] ?? '', line.split(/\s/)[2] ?? '']));
  };
  return Object.fromEntries(await keptBlobs(workspace(), MAIN, paths, ask));
};

describe('facts under ids', () => {
  it('are read back in their order, without those of other ids in the same list', () => {
    const place = join(folder(), 'facts');
    expect(factsOn(place, ['aab', 'xyz'])).toEqual([]);
    expect(
      keepFacts(place, [
        ['aab', 'one'],
        ['aac', 'another'],
        ['xyz', 'far'],
      ]),
    ).toBe(true);
    expect(keepFacts(place, [['aab', 'two words']])).toBe(true);
    expect(factsOn(place, ['aab'])).toEqual([
      ['aab', 'one'],
      ['aab', 'two words'],
    ]);
    expect(factsOn(place, ['xyz', 'aac'])).toEqual([
      ['xyz', 'far'],
      ['aac', 'another'],
    ]);
  });

  it('are not kept, and none are read, where something else lies in their place', () => {
    const place = join(folder(), 'facts');
    repository.write('file', '');
    expect(keepFacts(join(repository.root, 'file'), [['aab', 'one']])).toBe(false);
    keepFacts(place, [['aab', 'one']]);
    rmSync(join(place, 'aa'));
    mkdirSync(join(place, 'aa'));
    expect([factsOn(place, ['aab']), keepFacts(place, [['aab', 'one']])]).toEqual([[], false]);
  });
});

describe('git’s answers about a commit’s tree', () => {
  it('are not requested again, nor for what the tree lacks', async () => {
    const blob = repository.git('rev-parse', `HEAD:${A}`).trim();
    expect(await blobs([A, B])).toEqual({ [A]: blob });
    expect(await blobs([B, A])).toEqual({ [A]: blob });
    expect(asked).toEqual([[A, B]]);
  });

  it('are requested again once the branch has another commit, even where references are packed', async () => {
    await blobs([A, B]);
    const changed = commit(A, 'two');
    const added = commit(B, 'three');
    expect(await blobs([A, B])).toEqual({ [A]: changed, [B]: added });
    repository.git('pack-refs', '--all');
    expect(await blobs([A, B])).toEqual({ [A]: changed, [B]: added });
    expect(asked).toHaveLength(2);
  });

  it('are requested again where git did not answer', async () => {
    expect(await blobs([A], false)).toEqual({});
    expect(Object.keys(await blobs([A]))).toEqual([A]);
  });

  it('are requested again where the file was lost or cut off', async () => {
    const whole = await blobs([A, B]);
    const [name = ''] = readdirSync(folder());
    const path = join(folder(), name);
    for (const size of [0, 20, readFileSync(path).length - 3]) {
      truncateSync(path, size);
      expect([size, await blobs([A, B])]).toEqual([size, whole]);
    }
    appendFileSync(path, Buffer.alloc(50));
    expect(await blobs([A, B])).toEqual(whole);
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), 'A file lies here.');
    expect(await blobs([A, B])).toEqual(whole);
  });

  it('are kept for a whole folder as well', async () => {
    const marks = '.memory/marks';
    const place = workspace();
    expect(await keptFolder(place, MAIN, marks)).toEqual([]);
    expect(await keptFolder({ ...place, env: { PATH: '' } }, MAIN, marks)).toEqual([]);
    const blob = commit(`${marks}/2026-11/m.md`, 'mark');
    const found = [{ path: `${marks}/2026-11/m.md`, blob }];
    expect(await keptFolder({ ...place, env: { PATH: '' } }, MAIN, marks)).toBeUndefined();
    expect(await keptFolder(place, MAIN, marks)).toEqual(found);
    for (const name of readdirSync(folder())) truncateSync(join(folder(), name), 30);
    expect(await keptFolder(place, MAIN, marks)).toEqual(found);
  });

  it('are kept for the text of a file as well', () => {
    const place = workspace();
    const mute = { ...place, env: { PATH: '' } };
    expect([keptText(mute, MAIN, A), keptText(place, MAIN, A), keptText(mute, MAIN, A)]).toEqual([
      undefined,
      'one',
      'one',
    ]);
    expect([keptText(place, MAIN, B), keptText(mute, MAIN, B)]).toEqual(['', '']);
    commit(A, 'two');
    expect([keptText(mute, MAIN, A), keptText(place, MAIN, A)]).toEqual([undefined, 'two']);
  });
});
