import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { blobId } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { freshnessOf } from '../../src/provenance/whereabouts.ts';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { drop } from '../support/written-records.ts';
import { readSet, toRecords } from './corpus.ts';
import { fill } from './filled-scratch.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figure, figuresIn, median, printTable } from './table.ts';

const ROUNDS = 5;
const [STORE, NEW, CITING, CITED] = [3000, 500, 1000, 2000];

/** What review costs: the diff of a branch with 500 new records, and the freshness of 1,000. */
export async function review(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const program = resolve('dist/bin.cjs');
    const scratch = await createScratch(join(folder, 'scratch'), readRecording(), program);
    await branchOut(scratch);
    const args = [program, 'diff', 'main...topic', '--json'];
    const diffs = await timed(() => {
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: scratch.repository, env: scratch.env });
      if (status !== 0 || JSON.parse(String(stdout)).added.length !== NEW) throw new Error('The diff went wrong.');
    });
    const { repository, env } = scratch;
    const workspace = openWorkspace(repository, env);
    const records = cite(repository).map((anchors, i) => ({
      blob: blobId(`record ${i}`),
      record: { ...generatedObservation(i), files_modified: Object.keys(anchors), files_read: [], anchors },
    }));
    const judgements = await timed(async () => {
      const freshness = await freshnessOf(workspace, records);
      for (const { blob } of records) freshness(blob);
    });
    const rows = [
      figure(`diff of ${NEW} new records beside ${STORE}, ms`, median(diffs), 0, { atMost: 2000 }),
      figure(`freshness of ${CITING} records that cite ${CITED} files, ms`, median(judgements), 0, { atMost: 500 }),
    ];
    printTable('Review', ['', 'value', 'bound', ''], rows);
    return figuresIn(rows);
  });
}

/** A branch that adds records: real texts where the labelled sets are at hand, else generated ones, which are much alike. */
async function branchOut(scratch: Scratch): Promise<void> {
  const set = readSet(join('..', 'shared', 'retrieval', 'code-changelog')) ?? [];
  const real = toRecords(set.flatMap(({ documents }) => documents)).records;
  const recordOf = (i: number) => real[i] ?? generatedObservation(i);
  await fill(scratch, 0);
  const write = (from: number, to: number) => {
    for (let i = from; i < to; i++) drop({ root: scratch.repository }, recordOf(i));
  };
  write(0, STORE);
  await scratch.git.add('--all').commit('Memory').branch(['-M', 'main']).checkoutLocalBranch('topic');
  write(STORE, STORE + NEW);
  await scratch.git.add('--all').commit('More');
}

/** Files of which every tenth is gone and every third was edited, and records' anchors to them. */
function cite(root: string): Record<string, string>[] {
  const paths = Array.from({ length: CITED }, (_, i) => `cited/${i % 40}/file-${i}.ts`);
  paths.forEach((path, i) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (i % 10 !== 0) writeFileSync(join(root, path), i % 3 === 0 ? 'edited\n' : `content ${i}\n`);
  });
  return Array.from({ length: CITING }, (_, i) =>
    Object.fromEntries([i, (i * 7 + 1) % CITED].map((at) => [paths[at] ?? '', blobId(`content ${at}\n`)])),
  );
}

async function timed(work: () => void | Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    await work();
    if (round > 0) times.push(performance.now() - start);
  }
  return times;
}
