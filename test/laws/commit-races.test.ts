import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { FULL, SEED, trials } from '../support/trials.ts';
import { observationOf, put } from '../support/written-records.ts';

const program = await bundle(`
  import { commitMemory } from './src/review/commit/policy.ts';
  import { loadConfig } from './src/config.ts';
  import { openWorkspace } from './src/memory/store/workspace.ts';
  const workspace = openWorkspace(process.cwd(), process.env);
  await commitMemory(workspace, loadConfig(workspace.layout.memory, process.env).config, new Date());
`);

/** Longest that the hooks of one trial take together, in milliseconds. */
const HOOKS_MS = FULL ? 15_000 : 3_000;
/** Trials at the same time: they sleep most of the time. */
const AT_ONCE = FULL ? 12 : 4;

interface Outcome {
  /** What the user's commands said that failed. */
  failures: string[];
  /** The same of those that began while the branch was being moved: in these milliseconds nothing tells of them. */
  crossing: string[];
  subjects: string[];
}

describe('sessions that end while the user commits', () => {
  it('never make one of the user’s commits fail, however long its hooks take', async () => {
    const rest = Array.from({ length: trials(FULL ? 300 : 60) }, (_, i) => i);
    const outcomes: Outcome[] = [];
    const runner = async () => {
      for (let i = rest.shift(); i !== undefined; i = rest.shift()) outcomes.push(await race(randomOf(SEED + i)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    for (const said of outcomes.flatMap(({ crossing }) => crossing))
      console.log(`Began while the branch moved: ${said}`);
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    expect(outcomes.flatMap(({ crossing }) => crossing).length).toBeLessThanOrEqual(Math.ceil(outcomes.length / 100));
    for (const { subjects } of outcomes.filter(({ crossing }) => crossing.length === 0)) {
      expect(subjects.filter((subject) => subject.startsWith('mine'))).toEqual(['mine 3', 'mine 2', 'mine 1']);
    }
    const made = outcomes.filter(({ subjects }) => subjects.some((subject) => subject.startsWith('memory:')));
    console.log(`${outcomes.length} races, ${made.length} with a commit of the memory.`);
    // Or nothing was raced against. About five of six make one, and on a busy machine, whose commands overlap more, three.
    expect(made.length).toBeGreaterThanOrEqual(outcomes.length * 0.4);
  }, 7_200_000);
});

/** Three commits of the user's with gaps between them, and a session that ends at any moment of it. */
async function race(random: () => number): Promise<Outcome> {
  const repository = committedBase();
  const { git } = repository;
  put(repository, observationOf({ id: 'aaaaaaaaa0' }));
  hook(repository, 'pre-commit', 'sleep "$HOOK_SECONDS"');
  // The instants between which git holds the locks of the branch for the memory commit. Git waits for the hook with the
  // locks in its hands, so that the first is the time of an empty file: no further process.
  hook(
    repository,
    'reference-transaction',
    `[ -n "$INSTANTS" ] || exit 0
    case $1 in
      prepared) : >"$INSTANTS-locked-$$" ;;
      committed | aborted) date +%s%3N >"$INSTANTS-released-$$" ;;
    esac`,
  );
  const wholeMs = random() * HOOKS_MS;
  const session = setTimeout(random() * (wholeMs + 600)).then(() =>
    run(repository, process.execPath, [program], {
      GIT_MEM_COMMIT: 'auto',
      GIT_MEM_COMMIT_AFTER: '0s',
      INSTANTS: join(repository.folder, 'instants'),
    }),
  );
  const commands: Ended[] = [];
  for (const n of [1, 2, 3]) {
    await setTimeout(random() * 400);
    repository.write('a.txt', `${n}\n`);
    const seconds = { HOOK_SECONDS: String(((random() * 2) / 3) * (wholeMs / 1000)) };
    // As-is: with -a git would lock the index until it is done.
    for (const args of [
      ['add', 'a.txt'],
      ['commit', '--quiet', '-m', `mine ${n}`],
    ]) {
      commands.push(await run(repository, 'git', args, seconds));
    }
  }
  const { said } = await session;
  const failed = commands.filter(({ code }) => code !== 0);
  const locked = instantsOf(repository.folder, 'locked', (path) => statSync(path).mtimeMs);
  const released = instantsOf(repository.folder, 'released', (path) => Number(readFileSync(path, 'utf8')));
  const isCrossing = ({ began: { fromMs, toMs } }: Ended) =>
    locked.some((lockedMs) => fromMs <= (released.find((at) => at >= lockedMs) ?? Infinity) && toMs >= lockedMs);
  const withTimes = ({ said, began: { fromMs, toMs } }: Ended) =>
    `${said} (began ${fromMs} to ${toMs}; locked at ${locked.join(', ')}; released at ${released.join(', ')})`;
  return {
    failures: [said, ...failed.filter((one) => !isCrossing(one)).map(withTimes)].filter(Boolean),
    crossing: failed.filter(isCrossing).map((one) => one.said),
    subjects: git('log', '--format=%s').trim().split('\n'),
  };
}

/**
 * When the tries of a memory commit took or released the locks, in milliseconds, the first first. Git reports the end of
 * a try that never took them, too.
 */
function instantsOf(folder: string, state: 'locked' | 'released', instantOf: (path: string) => number): number[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(`instants-${state}-`));
  return names.map((name) => instantOf(join(folder, name))).sort((a, b) => a - b);
}

function hook({ root, write }: TestRepository, name: string, line: string): void {
  write(`.git/hooks/${name}`, `#!/bin/sh\n${line}\n`);
  chmodSync(join(root, '.git/hooks', name), 0o755);
}

interface Ended {
  code: number | null;
  said: string;
  /** Its first instruction ran between these, by the system's clock. */
  began: { fromMs: number; toMs: number };
}

function run(
  { root, env }: TestRepository,
  command: string,
  args: string[],
  changes: Record<string, string>,
): Promise<Ended> {
  const fromMs = Date.now();
  const child = spawn(command, args, { cwd: root, env: { ...env, ...changes }, stdio: ['ignore', 'ignore', 'pipe'] });
  const began = { fromMs, toMs: Date.now() };
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said, began })));
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
