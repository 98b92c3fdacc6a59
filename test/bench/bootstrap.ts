import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createCleaner } from '../../src/capture/drain/clean.ts';
import { bootstrap as mine } from '../../src/exchange/bootstrap/bootstrap.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { generateHistory } from '../support/generated-history.ts';
import { checkBootstrapped } from './bootstrap-check.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

const COMMITS = 20_000;
const BOUND_SECONDS = 60;

/**
 * Mines a generated history of 20,000 commits, beside what git alone needs to list it. `GIT_MEM_BENCH_REPOSITORIES` names
 * clones of real ones, separated as in PATH: what is written of them is checked against git.
 */
export async function bootstrap(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-bench-'));
  try {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root });
    generateHistory(root, process.env, COMMITS);
    const log = timed(() => execFileSync('git', ['log', '--numstat'], { cwd: root, maxBuffer: 1 << 28 }));
    const workspace = openWorkspace(root, process.env);
    const options = { store: 'private' as const, limit: 30, cleaner: createCleaner([]), now: new Date() };
    const start = performance.now();
    const { commits, records } = await mine(workspace, options);
    const first = (performance.now() - start) / 1000;
    const restart = performance.now();
    const again = await mine(workspace, options);
    const second = (performance.now() - restart) / 1000;
    printTable(
      'bootstrap: a first memory from history',
      ['run', 'commits', 'records', 'seconds', 'times git log --numstat', 'bound'],
      [
        [
          'first',
          String(commits),
          String(records.length),
          first.toFixed(1),
          (first / log).toFixed(1),
          `${BOUND_SECONDS} s`,
        ],
        [
          'again',
          String(again.commits),
          String(again.records.length),
          second.toFixed(1),
          (second / log).toFixed(1),
          '',
        ],
      ],
    );
    const isTrue = await checkReal((process.env.GIT_MEM_BENCH_REPOSITORIES ?? '').split(delimiter).filter(Boolean));
    return [
      ...figuresIn([
        figure(`a first memory from ${COMMITS.toLocaleString('en')} commits, s`, first, 1, { atMost: BOUND_SECONDS }),
        figure('  again, records written', again.records.length, 0, { atMost: 0 }),
      ]),
      ...(isTrue ? [] : [{ promise: 'git confirms each statement', bound: 'all', value: 'not all', holds: false }]),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Tells whether git confirms every statement of every record, in copies of these repositories. */
async function checkReal(origins: string[]): Promise<boolean> {
  const rows: string[][] = [];
  let isTrue = true;
  for (const origin of origins) {
    const root = mkdtempSync(join(tmpdir(), 'git-mem-bench-'));
    try {
      execFileSync('git', ['clone', '--quiet', '--shared', origin, root]);
      const options = { store: 'private' as const, limit: 30, cleaner: createCleaner([]), now: new Date() };
      const start = performance.now();
      await mine(openWorkspace(root, process.env), options);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const { records, statements, wrong } = checkBootstrapped(root, join(root, '.git/git-mem/private'));
      for (const one of wrong) console.log(`FALSE in "${one.record}": ${one.statement}; git says: ${one.git}`);
      rows.push([basename(origin), String(records), String(statements), String(wrong.length), seconds]);
      isTrue &&= wrong.length === 0 && records > 0;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  if (rows.length > 0) {
    printTable('bootstrap: what git confirms', ['repository', 'records', 'statements', 'false', 'seconds'], rows);
  }
  return isTrue;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
