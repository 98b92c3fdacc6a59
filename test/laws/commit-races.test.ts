import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
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
const AT_ONCE = 4;

interface Outcome {
  /** What the user's commands said that failed. */
  failures: string[];
  subjects: string[];
}

describe('sessions that end while the user commits', () => {
  it('never make a commit of the user fail, whatever its hooks take', async () => {
    const rest = Array.from({ length: trials(FULL ? 300 : 60) }, (_, i) => i);
    const outcomes: Outcome[] = [];
    const runner = async () => {
      for (let i = rest.shift(); i !== undefined; i = rest.shift()) outcomes.push(await race(randomOf(SEED + i)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    for (const { subjects } of outcomes) {
      expect(subjects.filter((subject) => subject.startsWith('mine'))).toEqual(['mine 3', 'mine 2', 'mine 1']);
    }
    const made = outcomes.filter(({ subjects }) => subjects.some((subject) => subject.startsWith('memory:')));
    console.log(`${outcomes.length} races, ${made.length} with a commit of the memory.`);
    expect(made.length).toBeGreaterThanOrEqual(outcomes.length * 0.67);
  }, 7_200_000);
});

/** Three commits of the user's with gaps between them, and a session that ends at any moment of it. */
async function race(random: () => number): Promise<Outcome> {
  const repository = committedBase();
  const { root, git } = repository;
  put(repository, observationOf({ id: 'aaaaaaaaa0' }));
  repository.write('.git/hooks/pre-commit', '#!/bin/sh\nsleep "$HOOK_SECONDS"\n');
  chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
  const wholeMs = random() * HOOKS_MS;
  const session = setTimeout(random() * (wholeMs + 600)).then(() =>
    run(repository, process.execPath, [program], { GIT_MEM_COMMIT: 'auto', GIT_MEM_COMMIT_AFTER: '0s' }),
  );
  const failures: string[] = [];
  for (const n of [1, 2, 3]) {
    await setTimeout(random() * 400);
    repository.write('a.txt', `${n}\n`);
    const seconds = { HOOK_SECONDS: String(((random() * 2) / 3) * (wholeMs / 1000)) };
    // As-is: with -a git would lock the index until it is done.
    for (const args of [
      ['add', 'a.txt'],
      ['commit', '--quiet', '-m', `mine ${n}`],
    ]) {
      const { code, said } = await run(repository, 'git', args, seconds);
      if (code !== 0) failures.push(said);
    }
  }
  failures.push((await session).said);
  return { failures: failures.filter(Boolean), subjects: git('log', '--format=%s').trim().split('\n') };
}

function run(
  { root, env }: TestRepository,
  command: string,
  args: string[],
  changes: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(command, args, { cwd: root, env: { ...env, ...changes }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
