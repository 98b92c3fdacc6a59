import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { withCache } from '../../src/recall/index/cache.ts';
import { nearRecords } from '../../src/recall/search/near.ts';
import { createScratch, readRecording } from '../../src/setup/demo/recording.ts';
import type { LabelledPair } from '../support/labelled-disputes.ts';
import { inFolder } from './scratch-folder.ts';

/**
 * Saves the later record of each pair beside the earlier ones of all, and counts which records are named in answer: the
 * earlier one of the pair, if they contradict each other, and records of other pairs.
 */
export async function namedWhenSaved(
  pairs: LabelledPair[],
): Promise<{ contradict: number; named: number; lines: number; others: number }> {
  return inFolder(async (folder) => {
    const scratch = await createScratch(join(folder, 'store'), readRecording(), resolve('dist/bin.cjs'));
    const earlier = pairs.map((pair, i) => observation(pair.earlier, `earlier ${i}`));
    for (const record of earlier) {
      const path = join(scratch.repository, '.memory', storePath(record));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, encode(record));
    }
    await scratch.git.add('--all').commit('Memory');
    const branch = (await scratch.git.revparse(['--abbrev-ref', 'HEAD'])).trim();
    const workspace = openWorkspace(scratch.repository, { ...scratch.env, GIT_MEM_TRUST_BRANCH: branch });
    return withCache(workspace, async (cache) => {
      await cache.sync();
      const counts = { contradict: 0, named: 0, lines: 0, others: 0 };
      for (const [i, { later, contradicts }] of pairs.entries()) {
        const near = await nearRecords(workspace, cache, observation(later, `later ${i}`));
        const isNamed = near.some(({ id }) => id === earlier[i]?.id);
        counts.contradict += Number(contradicts);
        counts.named += Number(contradicts && isNamed);
        counts.lines += near.length;
        counts.others += near.length - Number(isNamed);
      }
      return counts;
    });
  });
}

function observation(claiming: LabelledPair['earlier'], name: string): Observation {
  return {
    ...claiming,
    id: idOf(name),
    kind: 'observation',
    type: 'discovery',
    subtitle: '',
    concepts: [],
    anchors: {},
  };
}
