import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createScratch, readRecording, removeFolder } from '../../src/setup/demo.ts';
import { PARSERS } from '../support/fuzz-parsers.ts';
import { SERVERS } from '../support/fuzz-servers.ts';
import type { FuzzPlace } from '../support/fuzz-target.ts';
import { fill } from './filled-scratch.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** CPU time of one input at most, in milliseconds. */
const LONGEST_MS = 1000;
const INPUTS = 100_000;
const RECORDS = 200;
/** Crashes that are told in full. */
const TOLD = 5;

/** Feeds made-up input to everything that reads what others wrote; GIT_MEM_SEED repeats a run. */
export async function fuzz(): Promise<Figure[]> {
  const seed = Number(process.env.GIT_MEM_SEED ?? Date.now() % 2 ** 31);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-fuzz-')));
  try {
    const scratch = await createScratch(join(folder, 'scratch'), readRecording(), resolve('dist/bin.cjs'));
    await fill(scratch, RECORDS);
    const place: FuzzPlace = { folder, root: scratch.repository, env: scratch.env };
    const rows: string[][] = [];
    let [total, crashes, slowestMs] = [0, 0, 0];
    for (const { name, inputs, fuzz } of [...PARSERS, ...SERVERS]) {
      const report = await fuzz(place, { seed, inputs });
      total += report.inputs;
      crashes += report.crashes.length;
      slowestMs = Math.max(slowestMs, report.slowestMs);
      const holds = report.crashes.length === 0 && report.slowestMs <= LONGEST_MS;
      const slowest = `${report.slowestMs.toFixed(0)} ms`;
      rows.push([name, `${report.inputs}`, slowest, `${report.crashes.length}`, holds ? 'holds' : 'BROKEN']);
      if (report.slowestMs > LONGEST_MS) console.log(`${name}: ${slowest} for ${report.slowest}`);
      for (const { input, error } of report.crashes.slice(0, TOLD)) console.log(`${name}: ${input}\n${error}\n`);
    }
    rows.push(['all', `${total}`, '', '', total >= INPUTS ? 'holds' : 'BROKEN']);
    const header = ['', 'inputs', `slowest, CPU (<= ${LONGEST_MS} ms)`, 'crashes (0)', ''];
    printTable(`Hostile input, GIT_MEM_SEED=${seed}`, header, rows);
    return figuresIn([
      figure('hostile inputs', total, 0, { atLeast: INPUTS }),
      figure('  crashes', crashes, 0, { atMost: 0 }),
      figure('  processor time of one at most, ms', slowestMs, 0, { atMost: LONGEST_MS }),
    ]);
  } finally {
    await removeFolder(folder);
  }
}
