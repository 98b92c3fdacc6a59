import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEnvironment } from '../../src/setup/demo.ts';
import type { Environment } from '../../src/user-folders.ts';
import { processesAt } from './processes-at.ts';
import { PROGRAM } from './program.ts';

/** A checkout of the ground, with the two branches that its git writer switches between. */
export interface LoadWorktree {
  root: string;
  branches: [string, string];
}

/** A repository with worktrees, whose git-mem leaves a note of what every run of it came to. */
export interface LoadGround {
  folder: string;
  /** The shared git directory's state folder. */
  state: string;
  env: Environment;
  worktrees: LoadWorktree[];
  /** Notes what somebody was told; whoever `who` is stands before it. */
  note(who: string, text: string): void;
  /** All that was noted: what git-mem said on standard error, and exit codes other than 0. */
  notes(): string[];
  /** Seconds of processor time of all drains that hooks started. */
  drainSeconds(): number;
  /** Command lines of the processes that have to do with this folder. */
  processes(): string[];
}

/** Makes the ground in a folder: the repository and linked worktrees, `count` in all, each on a branch of its own. */
export function createGround(folder: string, count: number): LoadGround {
  const main = join(folder, 'main');
  const notes = join(folder, 'notes');
  const times = join(folder, 'times');
  for (const made of [main, times]) mkdirSync(made, { recursive: true });
  const env = createEnvironment(folder, PROGRAM);
  // What a hook or its drain says goes to nobody: here it is written down, and how it ended.
  writeFileSync(
    join(folder, 'bin/git-mem'),
    `#!/bin/sh
'${process.execPath}' '${PROGRAM}' "$@" 2>>'${notes}'
code=$?
[ $code = 0 ] || echo "git-mem $* ended with $code" >>'${notes}'
[ "$1" != drain ] || times >>'${times}/'$$
exit $code
`,
  );
  const git = (...args: string[]) => execFileSync('git', args, { cwd: main, env, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '--quiet', '--initial-branch=work-0');
  for (const [key, value] of Object.entries(SETTINGS)) git('config', key, value);
  writeFileSync(join(main, 'work.txt'), '0\n');
  execFileSync(process.execPath, [PROGRAM, 'init', '--yes', '--host', 'claude-code'], {
    cwd: main,
    env,
    stdio: 'pipe',
  });
  git('add', '--all');
  git('commit', '--quiet', '-m', 'The repository before the load');
  const worktrees: LoadWorktree[] = Array.from({ length: count }, (_, n) => ({
    root: n === 0 ? main : join(folder, `work-${n}`),
    branches: [`work-${n}`, `other-${n}`],
  }));
  for (const [n, { root, branches }] of worktrees.entries()) {
    if (n > 0) git('worktree', 'add', '--quiet', '-b', branches[0], root);
    git('branch', branches[1], branches[0]);
  }
  return {
    folder,
    env,
    worktrees,
    state: join(main, '.git/git-mem'),
    note: (who, text) => appendFileSync(notes, `${who}: ${text.trimEnd()}\n`),
    notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : []),
    drainSeconds: () => sum(readdirSync(times).map((name) => secondsIn(readFileSync(join(times, name), 'utf8')))),
    processes: () => processesAt(folder),
  };
}

/** Git's own upkeep would run whenever it pleases; here it is one of the bystanders. */
const SETTINGS = {
  'user.name': 'Load',
  'user.email': 'load@example.com',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

/** The sum of what the shell's `times` prints: minutes and seconds, as in `0m1.52s`. */
function secondsIn(text: string): number {
  return sum(
    [...text.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds)),
  );
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
