import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../../src/setup/demo/remove-folder.ts';
import { sharedFolder } from '../support/shared.ts';
import { type Figure, figuresIn, printTable } from './table.ts';

/** What the sessions' own scorer counts over all of them. */
interface Total {
  sessions: number;
  records: number;
  good: number;
  useful: number;
  needed: number;
  found: number;
  usefulFound: number;
  false: number;
  repeats: number;
  trivial: number;
  median: number;
  over: number;
  quietRight: number;
  quiet: number;
}

/**
 * Real sessions of real people, replayed hook by hook through this build with the rules alone, and scored by the scorer
 * that lies with them: how much of what is remembered deserves it.
 */
export async function realSessions(): Promise<Figure[]> {
  const scorer = sharedFolder('real-sessions', 'score.mjs');
  if (scorer === undefined) {
    console.log('\nReal sessions: left out, because they do not lie beside this checkout (../shared/real-sessions).');
    return [];
  }
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-real-bench-')));
  try {
    const program = join(work, 'git-mem');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/bin.cjs')}' "$@"\n`);
    chmodSync(program, 0o755);
    const out = join(work, 'score.json');
    await run([scorer, '--cmd', program, '--jobs', '1', '--quiet', '--json', out]);
    const { total }: { total: Total } = JSON.parse(readFileSync(out, 'utf8'));
    return report(total);
  } finally {
    await removeFolder(work);
  }
}

function report(total: Total): Figure[] {
  const share = (count: number, of: number) => (of === 0 ? 0 : count / of);
  const bounds: [what: string, value: number, bound: string, holds: boolean][] = [];
  const atLeast = (what: string, value: number, bound: number) =>
    bounds.push([what, value, `>= ${bound}`, value >= bound]);
  const atMost = (what: string, value: number, bound: number) =>
    bounds.push([what, value, `<= ${bound}`, value <= bound]);
  atLeast('useful records', share(total.useful, total.records), 0.6);
  atLeast('precision: records that hold a fact', share(total.good, total.records), 0.8);
  atMost('records that say what is false', total.false, 0);
  atMost('repeats and trivial titles, of all records', share(total.repeats + total.trivial, total.records), 0.05);
  atMost('sessions with more than they deserve', total.over, 2);
  atMost('records a session, median', total.median, 1);
  atLeast('sessions that deserve nothing left quiet', share(total.quietRight, total.quiet), 1);
  atLeast('recall: needed facts that a record holds', share(total.found, total.needed), 0.35);
  const rows = bounds.map(([what, value, bound, holds]) => [what, value.toFixed(2), bound, holds ? 'holds' : 'BROKEN']);
  printTable(
    `Real sessions, rules alone (${total.sessions} sessions, ${total.records} records)`,
    ['what', 'value', 'bound', ''],
    rows,
  );
  console.log(
    `\n  Needed facts that a useful record holds: ${share(total.usefulFound, total.needed).toFixed(2)} (${total.usefulFound} of ${total.needed}).`,
  );
  return figuresIn(rows, { about: 'real sessions, by the rules alone' });
}

function run(args: string[]): Promise<void> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? done() : reject(new Error(`The scorer ended with ${code}.`))));
  });
}
