import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/setup/demo.ts';
import { writeClaudeMem } from '../support/claude-mem.ts';
import { PROGRAM } from '../support/program.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

const OBSERVATIONS = 10_000;
/** With a summary for twenty of them and a prompt for five. */
const RECORDS = OBSERVATIONS + OBSERVATIONS / 20 + OBSERVATIONS / 5;

const BOUND_SECONDS = 60;
const BOUND_AGAIN = 0.5;

interface Place {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Imports 10,000 observations of claude-mem with their summaries and prompts, twice, and tells what became of each column. */
export async function imports(): Promise<Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
  try {
    const place = { cwd: join(folder, 'repository'), env: { ...process.env, HOME: folder } };
    mkdirSync(place.cwd);
    spawnSync('git', ['init', '--quiet', '--initial-branch=main'], place);
    const path = join(folder, 'claude-mem.db');
    writeClaudeMem(path, { project: 'repository', observations: OBSERVATIONS, root: place.cwd });
    const from = ['import', 'claude-mem', path];
    const { fields } = JSON.parse(run(place, [...from, '--dry-run', '--json']).output);
    const first = onTerminal(place, from);
    const again = run(place, [...from, '--json']);
    const { imported, skipped } = JSON.parse(again.output);
    const rows = [
      figure('records imported', Number(/(\d+) records imported/.exec(first.output)?.[1]), 0, { atLeast: RECORDS }),
      figure('first run, seconds', first.seconds, 1, { atMost: BOUND_SECONDS }),
      ...cpuOf(first.output),
      figure('again, share of the first', again.seconds / first.seconds, 2, { atMost: BOUND_AGAIN }),
      figure('again, records imported', imported, 0, { atMost: 0 }),
      figure('again, records there already', skipped, 0, { atLeast: RECORDS }),
      ...(first.isWatched
        ? [figure('progress bar, times drawn on a terminal', barsIn(first.output), 0, { atLeast: 2 })]
        : []),
      figure('columns without an account', unaccounted(fields), 0, { atMost: 0 }),
    ];
    printTable(`imports: ${RECORDS} records of claude-mem`, ['figure', 'value', 'bound', ''], rows);
    printTable(
      'imports: where each column goes',
      ['column', 'becomes'],
      fields.map(({ table, column, becomes, because }: Field) => [
        `${table}.${column}`,
        becomes ?? `left out: ${because}`,
      ]),
    );
    return figuresIn(rows, { about: `import of ${RECORDS.toLocaleString('en')} records of claude-mem` });
  } finally {
    removeFolder(folder);
  }
}

interface Field {
  table: string;
  column: string;
  becomes: string | null;
  because?: string;
}

function unaccounted(fields: Field[]): number {
  return fields.filter(({ becomes, because }) => becomes === null && because === undefined).length;
}

function run({ cwd, env }: Place, args: string[]): { output: string; seconds: number } {
  const start = performance.now();
  const { stdout } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { output: stdout, seconds: (performance.now() - start) / 1000 };
}

/** Runs it on a pseudo-terminal, as a person would, and lets the shell say what it cost; without `script` says so. */
function onTerminal({ cwd, env }: Place, args: string[]): { output: string; seconds: number; isWatched: boolean } {
  const command = `${[process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ')}; times`;
  const start = performance.now();
  const { stdout, error } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) {
    console.log('There is no `script` here: the progress bar is not looked at.');
    return { ...run({ cwd, env }, args), isWatched: false };
  }
  return { output: stdout, seconds: (performance.now() - start) / 1000, isWatched: true };
}

/** User and system time of the children, the last line of what `times` says. */
function cpuOf(output: string): string[][] {
  const [, user, userRest, system, systemRest] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(output) ?? [];
  if (user === undefined) return [];
  const seconds = 60 * (Number(user) + Number(system)) + Number(userRest) + Number(systemRest);
  return [figure('first run, seconds of processor time', seconds, 1)];
}

function barsIn(output: string): number {
  return output.match(/\[#*-*\] \d+ of \d+ records/g)?.length ?? 0;
}
