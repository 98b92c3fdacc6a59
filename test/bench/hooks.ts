import { execFileSync, spawnSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { CITED_FILES, generatedObservation } from '../support/generated-records.ts';
import { drop } from '../support/written-records.ts';
import { fill } from './filled-scratch.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figuresIn, median, printTable } from './table.ts';
import { startTimer } from './timer.ts';

const ROUNDS = 31;

const EDITED = 'session start after a file was edited';
const CHECKING = 'git-mem search, which checks all files once a minute';
const COMMON = 'a prompt whose every word most records have';

/** Commands without the machine's own settings of Node, some of which make each of its starts several times as long. */
function withoutNodeSettings(scratch: Scratch): Scratch {
  return {
    ...scratch,
    env: Object.fromEntries(Object.entries(scratch.env).filter(([key]) => !key.startsWith('NODE_'))),
  };
}

/** What hooks and a cold search cost, as ratios within one run: every command in turn, round after round, so that drift hits all alike. */
export async function hooks(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const program = resolve('dist/bin.cjs');
    const recording = readRecording();
    const edit = recording.events.find(({ event, payload }) => event === 'PostToolUse' && payload.tool_name === 'Edit');
    const start = recording.events[0];
    const scratch = async (name: string) =>
      withoutNodeSettings(await createScratch(join(folder, name), recording, program));
    // What has its folder touched is apart: answers are kept for as long as no folder changes.
    const [small, large, touched] = [await scratch('small'), await scratch('large'), await scratch('touched')];
    for (const [scratch, count] of [
      [small, 100],
      [large, 10_000],
      [touched, 10_000],
    ] as const) {
      execFileSync(process.execPath, [program, 'init', '--yes'], {
        cwd: scratch.repository,
        env: scratch.env,
        stdio: 'ignore',
      });
      await fill(scratch, count);
    }
    for (const { repository: cwd, env, git } of [large, touched]) {
      await remember({ repository: cwd, git }, RARE);
      execFileSync(process.execPath, [program, 'drain', '--wait'], { cwd, env, stdio: 'ignore' });
    }
    let sessions = 0;
    let edits = 0;
    // Every prompt is a new session's first, or there would be nothing left to tell.
    const prompt = (text: string) =>
      JSON.stringify({ session_id: `bench-${sessions++}`, prompt_id: 'p', prompt: text });
    const submit = (text: string) => () =>
      time(process.execPath, [program, 'hook', 'claude-code', 'UserPromptSubmit'], large, prompt(text));
    const local = (scratch: Scratch, payload: unknown) =>
      JSON.stringify(payload ?? {}).replaceAll(recording.root, scratch.repository);
    const before = (tool_name: string, tool_input: object) =>
      JSON.stringify({ session_id: 'bench', cwd: large.repository, tool_name, tool_input });
    const unknown = before('Bash', { command: 'node --test test/unheard-of.test.ts' });
    const known = before('Read', { file_path: join(large.repository, CITED_FILES[0] ?? '') });
    const timer = startTimer();
    const time = (command: string, args: string[], { repository: cwd, env }: Scratch, input: string) =>
      timer.time({ command, args, cwd, env, input });
    // A start wakes a drain, which would be at work during the next command.
    const starting = async (scratch: Scratch) => {
      const hook = [program, 'hook', 'claude-code', 'SessionStart'];
      const ms = await time(process.execPath, hook, scratch, local(scratch, start?.payload));
      const { repository: cwd, env } = scratch;
      execFileSync(process.execPath, [program, 'drain', '--wait'], { cwd, env, stdio: 'ignore' });
      return ms;
    };
    const question = 'who set up pgbouncer for the postgres pool';
    const search = (scratch: Scratch) => time(process.execPath, [program, 'search', question, '--json'], scratch, '');
    let searches = 0;
    const times: Record<string, () => Promise<number>> = {
      'node -e 0': () => time(process.execPath, ['-e', '0'], small, ''),
      'capture through .memory/hook': () =>
        time('sh', ['.memory/hook', 'claude-code', 'PostToolUse'], small, local(small, edit?.payload)),
      'capture through git-mem hook': () =>
        time(process.execPath, [program, 'hook', 'claude-code', 'PostToolUse'], small, local(small, edit?.payload)),
      'a command about which nothing is known, 10,000 records': () =>
        time('sh', ['.memory/hook', 'claude-code', 'PreToolUse'], large, unknown),
      'git-mem --version': () => time(process.execPath, [program, '--version'], large, ''),
      'git-mem list, 10,000 records': () => time(process.execPath, [program, 'list'], large, ''),
      'git-mem status, 10,000 records': () => time(process.execPath, [program, 'status'], large, ''),
      'session start, 100 records': () => starting(small),
      'session start, 10,000 records': () => starting(large),
      [`${EDITED}, 10,000 records`]: () => {
        writeFileSync(join(large.repository, CITED_FILES[0] ?? ''), `// ${edits++}\n`);
        return starting(large);
      },
      'a prompt with an injection, 10,000 records': submit(ON_TOPIC),
      [`${COMMON}, 10,000 records`]: submit(IN_MOST),
      'a prompt without an injection, 10,000 records': submit(OFF_TOPIC),
      // The drain after the session start checked all files.
      'git-mem search, 10,000 records': () => search(large),
      [`${CHECKING}, 10,000 records`]: () => {
        const times = new Date(Date.now() - 60_000 * ++searches);
        utimesSync(join(touched.repository, '.memory', dirname(storePath(RARE))), times, times);
        return search(touched);
      },
    };
    // A read after something was written dates the list of names that the launcher looks through.
    await time('sh', ['.memory/hook', 'claude-code', 'PreToolUse'], large, known);
    for (const [text, isTold] of [
      [ON_TOPIC, true],
      [IN_MOST, true],
      [OFF_TOPIC, false],
    ] as const) {
      if (isAnswered(program, large, prompt(text)) === isTold) continue;
      throw new Error(`The prompt "${text}" was ${isTold ? 'told nothing' : 'told something'}.`);
    }
    const samples = new Map(Object.keys(times).map((name) => [name, [] as number[]]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, run] of Object.entries(times)) {
        const ms = await run();
        if (round > 0) samples.get(name)?.push(ms);
        // What changed a moment ago is not kept: the next round's start is to find an answer.
        if (name.startsWith(EDITED)) await starting(large);
      }
    }
    timer.end();
    const ms = (name: string) => median(samples.get(name) ?? []);
    const ratio = (name: string, to: string) => {
      const base = samples.get(to) ?? [];
      return median((samples.get(name) ?? []).map((sample, i) => sample / (base[i] ?? 1)));
    };
    const bounds: [string, string, number][] = [
      ['capture through .memory/hook', 'node -e 0', 0.3],
      ['a command about which nothing is known, 10,000 records', 'node -e 0', 0.3],
      ['git-mem --version', 'node -e 0', 1.5],
      ['capture through git-mem hook', 'node -e 0', 1.4],
      ['session start, 10,000 records', 'node -e 0', 2.5],
      ['session start, 10,000 records', 'session start, 100 records', 1.3],
      [`${EDITED}, 10,000 records`, 'node -e 0', 4.5],
      ['a prompt with an injection, 10,000 records', 'node -e 0', 3.5],
      [`${COMMON}, 10,000 records`, 'node -e 0', 3.5],
      ['a prompt without an injection, 10,000 records', 'node -e 0', 3.5],
      ['git-mem list, 10,000 records', 'node -e 0', 3],
      ['git-mem status, 10,000 records', 'node -e 0', 3],
      ['git-mem search, 10,000 records', 'node -e 0', 5],
      [`${CHECKING}, 10,000 records`, 'node -e 0', 6.5],
    ];
    const rows = bounds.map(([name, to, bound]) => {
      const value = ratio(name, to);
      return [
        name,
        `${ms(name).toFixed(1)} ms`,
        to,
        value.toFixed(2),
        `<= ${bound}`,
        value <= bound ? 'holds' : 'BROKEN',
      ];
    });
    printTable(
      `Hooks: medians of ${ROUNDS} rounds, no NODE_* variable set; node -e 0 takes ${ms('node -e 0').toFixed(1)} ms`,
      ['command', 'median', 'against', 'ratio', 'bound', ''],
      rows,
    );
    return figuresIn(
      rows.map(([name = '', , to = '', value, bound, verdict = '']) => {
        const promise = to === 'node -e 0' ? name : `${name}, against ${to}`;
        return [promise, `${value} x`, `${bound} x`, verdict];
      }),
    );
  });
}

/** A record that one prompt is about, among thousands that are alike. */
const RARE = {
  ...generatedObservation(0),
  id: idOf('bench', 'rare'),
  title: 'Postgres connections run out under burst load',
  narrative: 'The pool was exhausted and requests hung; pgbouncer stands in front of it now.',
};
const ON_TOPIC = 'requests hang again under burst load, is the postgres pool exhausted? who set up pgbouncer?';
const IN_MOST = 'the scheduler locks the queue when two writers race';
const OFF_TOPIC = 'the invoice printer leaves a broad margin on envelopes';

async function remember(scratch: Pick<Scratch, 'repository' | 'git'>, record: Observation): Promise<void> {
  drop({ root: scratch.repository }, record);
  await scratch.git.add('--all').commit('One more');
}

function isAnswered(program: string, { repository, env }: Scratch, input: string): boolean {
  const args = [program, 'hook', 'claude-code', 'UserPromptSubmit'];
  return spawnSync(process.execPath, args, { cwd: repository, env, input }).stdout.length > 0;
}
