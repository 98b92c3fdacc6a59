import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../src/errors.ts';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import {
  type Cost,
  costOf,
  costsInTurn,
  costWithRoom,
  type Failure,
  isCost,
  whyNotMeasurable,
} from './scale/child-cost.ts';
import { gitStatusCosts } from './scale/git-status.ts';
import { fillLarge, largeRecord } from './scale/large-store.ts';
import { printScale, type Row } from './scale/report.ts';
import { mcpCosts, viewerCosts } from './scale/servers.ts';
import { sizesIn } from './scale/sizes.ts';
import { type Scene, SUBJECTS } from './scale/subjects.ts';
import { inFolder } from './scratch-folder.ts';
import type { Figure } from './table.ts';

const SIZES = [1000, 10_000, 100_000];

/** Git looks for likenesses among more files than this for longer than all that is measured: they stay as they were brought in. */
const MOST_COLLECTED = 200_000;

/** To fill the index anew may take longer than any question to it: everything after it needs it. In milliseconds. */
const REBUILD_LIMIT_MS = 3_600_000;

/**
 * Every command over stores of growing size. `GIT_MEM_SCALE=1000000` adds a size, which takes an hour and more and 20 GB;
 * several sizes, separated by commas, take the place of all. What is promised to be flat is measured in turn with the
 * smallest store, so that whatever else the machine does hits both. A run that is cut short prints what it has.
 */
export async function scale(): Promise<Figure[]> {
  const reason = whyNotMeasurable();
  if (reason !== undefined) {
    console.log(`\nScale: left out, ${reason}.`);
    return [];
  }
  const sizes = sizesOf(process.env.GIT_MEM_SCALE);
  const rows = new Map<string, Row>();
  const facts: string[][] = [];
  const stop = { isWanted: false };
  const onInterrupt = () => {
    stop.isWanted = true;
  };
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const smallest = sizes[0] ?? 1000;
  const isWhole = await inFolder(async (aside) => {
    say(`Scale: making ${smallest.toLocaleString('en')} records to compare with ...`);
    const { scene: base } = await prepare(aside, smallest);
    rebuild(base);
    for (const [at, count] of sizes.entries()) {
      const note: Note = ({ name, note, isFlat = false }, cost, beside) => {
        const row = rows.get(name) ?? { name, note, isFlat, costs: [], beside: [] };
        row.costs[at] = cost;
        row.beside[at] = beside;
        const compared = beside ? `, ${beside.cpuMs.toFixed(0)} with the smallest store` : '';
        say(`  ${name}: ${isCost(cost) ? `${cost.cpuMs.toFixed(0)} ms of CPU${compared}` : cost.why}`);
        rows.set(name, row);
      };
      say(`Scale: making ${count.toLocaleString('en')} records ...`);
      await inFolder((folder) => measure(folder, count, { facts, note, stop, ...(at > 0 && { base }) }));
    }
  }).then(
    () => true,
    (error: unknown) => {
      say(`Scale: cut short: ${messageOf(error)}`);
      return false;
    },
  );
  process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  const figures = printScale([...rows.values()], sizes, facts);
  return isWhole ? figures : [{ promise: 'the run comes to its end', bound: 'yes', value: 'cut short', holds: false }];
}

function sizesOf(wish: string | undefined): number[] {
  const named = (wish ?? '')
    .split(',')
    .map(Number)
    .filter((size) => Number.isInteger(size) && size >= 100);
  return named.length === 1 ? [...SIZES, ...named] : named.length > 1 ? named : SIZES;
}

/** Told at once, and not among the tables: an hour is long. */
function say(line: string): void {
  console.error(line);
}

type Note = (about: Pick<Row, 'name' | 'note'> & { isFlat?: boolean }, cost: Cost | Failure, beside?: Cost) => void;

async function prepare(folder: string, count: number): Promise<{ scratch: Scratch; scene: Scene; bytes: number }> {
  const now = new Date();
  const program = resolve('dist/bin.cjs');
  const recording = readRecording();
  const scratch = await createScratch(folder, recording, program);
  quiet(scratch, process.execPath, program, 'init', '--yes');
  const bytes = await fillLarge(scratch, count, now);
  if (count <= MOST_COLLECTED) quiet(scratch, 'git', 'gc', '--quiet');
  return { scratch, scene: sceneOf(scratch, { count, program, recording, now }), bytes };
}

function rebuild({ cwd, env, program }: Scene): Cost | Failure {
  return costOf({ cwd, env, command: [process.execPath, program, 'sync', '--rebuild'], limitMs: REBUILD_LIMIT_MS });
}

interface Measuring {
  facts: string[][];
  note: Note;
  stop: { isWanted: boolean };
  /** The smallest store. */
  base?: Scene;
}

async function measure(folder: string, count: number, { facts, note, stop, base }: Measuring): Promise<void> {
  const { scratch, scene, bytes } = await prepare(folder, count);
  const { cwd, env, program } = scene;
  const pause = async () => {
    // A signal is heard between two children only.
    await nextTurn();
    if (stop.isWanted) throw new Error('it was interrupted');
  };
  note({ name: 'sync --rebuild', note: 'linear: reads, decodes and indexes every record' }, rebuild(scene));
  for (const subject of SUBJECTS) {
    const measured = { cwd, env, ...subject.command(scene) };
    const compared = subject.isFlat && base && { cwd: base.cwd, env: base.env, ...subject.command(base) };
    const [cost, beside] = compared ? costsInTurn(measured, compared) : [costWithRoom(measured)];
    note(subject, cost, isCost(beside) ? beside : undefined);
    // Hooks wake drains, which are not to run beside what is measured next.
    if (subject.wakes)
      for (const one of base ? [scene, base] : [scene]) quiet(one, process.execPath, program, 'drain', '--wait');
    await pause();
  }
  for (const served of [...(await mcpCosts(scene)), ...(await viewerCosts(scene))]) note(served, served.cost);
  await pause();
  const store = sizesIn(cwd, count, bytes);
  // What the hooks captured becomes a record or two.
  quiet(scene, process.execPath, program, 'drain', '--wait');
  commit(scratch, 'What the hooks captured');
  const statusNote = "linear: git looks at every tracked file's times";
  for (const { name, cost } of gitStatusCosts(scene, 'all records')) note({ name, note: statusNote }, cost);
  await pause();
  facts.push(store);
}

function quiet({ env, ...place }: Scratch | Scene, command: string, ...args: string[]): void {
  const cwd = 'cwd' in place ? place.cwd : place.repository;
  execFileSync(command, args, { cwd, env, stdio: 'ignore' });
}

function commit(scratch: Scratch, subject: string): void {
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  quiet(scratch, 'git', 'add', '--all');
  quiet(scratch, 'git', ...identity, 'commit', '--quiet', '--allow-empty', '-m', subject);
}

function sceneOf(
  { repository: cwd, env }: Scratch,
  about: Pick<Scene, 'count' | 'program'> & { recording: ReturnType<typeof readRecording>; now: Date },
): Scene {
  const { count, program, recording, now } = about;
  const payload = (event: string, session: string) => {
    const isMeant = (one: (typeof recording.events)[number]) =>
      one.event === event && (event !== 'PostToolUse' || one.payload.tool_name === 'Edit');
    const text = JSON.stringify({ ...recording.events.find(isMeant)?.payload, session_id: session });
    return text.replaceAll(recording.root, cwd);
  };
  // A plain observation: every twelfth is a summary, every fiftieth a mark.
  const middle = largeRecord(Math.floor(count / 100) * 50 + 1, count, now);
  return { count, cwd, env, program, payload, id: middle.id };
}
