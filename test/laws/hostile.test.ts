import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { PARSERS } from '../support/fuzz-parsers.ts';
import { SERVERS } from '../support/fuzz-servers.ts';
import { HOSTILE_CORPUS } from '../support/hostile-corpus.ts';
import { startRunner } from '../support/hostile-runner.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';
import { FULL, SEED, trials } from '../support/trials.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

/** CPU time of one command or input at most, in milliseconds. */
const LONGEST_MS = 1000;
const SECRET = 'what lies outside and is nobody’s business';

const KNOWN = idOf('known');
const COMMANDS = [
  ['list', '--all', '--json'],
  ['search', 'text of a record', '--json'],
  ['search', '--file', `${'**/*a'.repeat(20)}b`],
  ['show', KNOWN, '--json'],
  ['why', KNOWN, '--json'],
  ['timeline', KNOWN, '--json'],
  ['diff', '--json'],
  ['export'],
  ['context', '--json'],
  ['hook'],
  ['doctor', '--json'],
  ['drain', '--wait', '--all', '--json'],
  ['add', '--type', 'change', '--title', 'The link leads out of here', '--file-read', 'linked.txt', '--json'],
  ['check', '--json'],
];

/** Every command in a full run; otherwise a third of them by turns, with what has to find the problem. */
function commandsFor(name: string): string[][] {
  if (FULL) return COMMANDS;
  const turn = HOSTILE_CORPUS.findIndex((one) => one.name === name);
  return COMMANDS.filter((command, i) => i % 3 === turn % 3 || command[0] === 'check');
}

const runner = startRunner();
/** What every world begins as. */
let initialised: TestRepository;
let remove = () => {};

beforeAll(async () => {
  initialised = createRepository('repository', (later) => {
    remove = later;
  });
  await initialised.call('init', '--yes');
});

afterAll(() => {
  runner.close();
  remove();
});

/** A repository that remembers something, and beside it a memory that is not its own. */
function createWorld(): { repository: TestRepository; outside: string } {
  const repository = createRepository();
  cpSync(initialised.root, repository.root, { recursive: true });
  put(repository, observationOf({ id: KNOWN, title: 'What was known before' }));
  const outside = mkdtempSync(join(repository.folder, 'outside-'));
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'secret.md'), SECRET);
  drop({ ...repository, root: outside }, observationOf({ id: idOf('secret'), title: SECRET }));
  return { repository, outside };
}

describe('law: hostile files hurt nobody', () => {
  it.each(HOSTILE_CORPUS)('$name', async ({ name, make, problem }) => {
    const { repository, outside } = createWorld();
    const close = await make(repository, outside);
    const before = snapshot(outside);
    const runs = await runner.run(repository, commandsFor(name), [outside, '/etc/passwd', '/dev/zero']);
    if (typeof close === 'function') close();
    for (const { args, code, output, cpuMs, strayed } of runs) {
      expect({ args, strayed, told: output.includes(SECRET) }).toEqual({ args, strayed: [], told: false });
      expect({ args, output, is: code }).toEqual({ args, output, is: expect.toSatisfy((is) => is === 0 || is === 1) });
      expect({ args, cpuMs }).toEqual({ args, cpuMs: expect.toSatisfy((ms) => ms < LONGEST_MS) });
      if (args[0] === 'hook') expect(output).toContain('additionalContext');
    }
    expect(snapshot(outside)).toEqual(before);
    const checked = JSON.parse(runs.at(-1)?.output ?? '');
    if (problem) expect(checked.problems.map(({ code }: { code: string }) => code)).toContain(problem);
  });

  it.each([...PARSERS, ...SERVERS])('made-up input: $name', async ({ inputs, fuzz }) => {
    const { repository } = createWorld();
    const report = await fuzz(repository, { seed: SEED, inputs: trials(Math.ceil(inputs / 50)) });
    expect(report.crashes).toEqual([]);
    expect({ slowest: report.slowest, ms: report.slowestMs }).toSatisfy(({ ms }) => ms < LONGEST_MS);
    expect(report.inputs).toBeGreaterThan(0);
  });
});
