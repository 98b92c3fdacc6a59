import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createScratch, readRecording, type Scratch } from '../../src/demo/recording.ts';
import { removeFolder } from '../../src/demo/remove-folder.ts';
import { type Cost, costOf, whyNotMeasurable } from './scale/child-cost.ts';
import { gitStatusCosts } from './scale/git-status.ts';
import { fillLarge, largeRecord } from './scale/large-store.ts';
import { mcpCosts, viewerCosts } from './scale/servers.ts';
import { type Scene, SUBJECTS } from './scale/subjects.ts';
import { printTable } from './table.ts';

const SIZES = [1000, 10_000, 100_000];
/** How much more what is promised to be flat may cost, from the smallest store to the largest. */
const FLAT = 1.3;
const RESERVE_MS = 10;

/** A row of the table: what one command cost at each size, or in what way it failed. */
interface Row {
  name: string;
  note: string;
  isFlat: boolean;
  costs: (Cost | string)[];
}

/**
 * Every command over stores of growing size. `GIT_MEM_SCALE=1000000` adds a size, which takes most of an hour and 5 GB;
 * several sizes, separated by commas, take the place of all.
 */
export async function scale(): Promise<boolean | undefined> {
  const reason = whyNotMeasurable();
  if (reason !== undefined) {
    console.log(`\nScale: left out, ${reason}.`);
    return undefined;
  }
  const sizes = sizesOf(process.env.GIT_MEM_SCALE);
  const rows = new Map<string, Row>();
  const facts: string[][] = [];
  for (const [at, count] of sizes.entries()) {
    console.log(`\nScale: making ${count.toLocaleString('en')} records ...`);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
    try {
      await measure(folder, count, facts, (name, note, cost, isFlat = false) => {
        const row = rows.get(name) ?? { name, note, isFlat, costs: [] };
        row.costs[at] = cost;
        // Told at once: a run that is cut short after an hour has still said something.
        console.log(`  ${name}: ${typeof cost === 'string' ? cost : `${cost.cpuMs.toFixed(0)} ms of CPU`}`);
        rows.set(name, row);
      });
    } finally {
      await removeFolder(folder);
    }
  }
  print([...rows.values()], sizes, facts);
  return [...rows.values()].every((row) => verdictOf(row) !== 'BROKEN');
}

function sizesOf(wish: string | undefined): number[] {
  const named = (wish ?? '')
    .split(',')
    .map(Number)
    .filter((size) => Number.isInteger(size) && size >= 100);
  return named.length === 1 ? [...SIZES, ...named] : named.length > 1 ? named : SIZES;
}

type Note = (name: string, note: string, cost: Cost | string, isFlat?: boolean) => void;

async function measure(folder: string, count: number, facts: string[][], note: Note): Promise<void> {
  const now = new Date();
  const program = resolve('dist/bin.cjs');
  const recording = readRecording();
  const scratch = await createScratch(folder, recording, program);
  const { repository: cwd, env } = scratch;
  const quiet = (command: string, ...args: string[]) => execFileSync(command, args, { cwd, env, stdio: 'ignore' });
  quiet(process.execPath, program, 'init', '--yes');
  const bytes = await fillLarge(scratch, count, now);
  quiet('git', 'gc', '--quiet');
  const scene = sceneOf(scratch, { count, program, recording, now });
  const run = (name: string) => {
    const subject = SUBJECTS.find((one) => one.name === name);
    if (subject === undefined) return;
    note(name, subject.note, costOf({ cwd, env, ...subject.command(scene) }), subject.isFlat);
  };
  run('sync --rebuild');
  for (const { name } of SUBJECTS) if (name !== 'sync --rebuild') run(name);
  for (const { name, cost, note: why } of [...(await mcpCosts(scene)), ...(await viewerCosts(scene))])
    note(name, why, cost);
  const store = sizesIn(cwd, count, bytes);
  // What the hooks captured becomes a record or two, and packing wants all committed.
  quiet(process.execPath, program, 'drain', '--wait');
  commit(scratch, 'What the hooks captured');
  const statusNote = "linear: git looks at every tracked file's times";
  for (const { name, cost } of gitStatusCosts(scene, 'all records')) note(name, statusNote, cost);
  const packing = costOf({ cwd, env, command: [process.execPath, program, 'pack', '--before', scene.before] });
  note('pack, four fifths', 'linear: reads every record, removes most files', packing);
  commit(scratch, 'Pack');
  for (const { name, cost } of gitStatusCosts(scene, 'packed')) note(name, 'linear in what is left', cost);
  facts.push([...store, String(filesIn(join(cwd, '.memory')).length)]);
}

function commit({ repository: cwd, env }: Scratch, subject: string): void {
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  execFileSync('git', ['add', '--all'], { cwd, env, stdio: 'ignore' });
  execFileSync('git', [...identity, 'commit', '--quiet', '--allow-empty', '-m', subject], {
    cwd,
    env,
    stdio: 'ignore',
  });
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
  const before = largeRecord(Math.floor(count * 0.8), count, now).generated.at.slice(0, 10);
  return { count, cwd, env, program, payload, id: middle.id, before };
}

function sizesIn(cwd: string, count: number, bytes: number): string[] {
  const state = join(cwd, '.git', 'git-mem');
  const cache = filesIn(state).filter((file) => file.includes('.db'));
  const own = new Set(filesIn(state));
  const git = filesIn(join(cwd, '.git')).filter((file) => !own.has(file));
  const mb = (files: string[]) => (files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6).toFixed(1);
  return [
    count.toLocaleString('en'),
    (bytes / 1e6).toFixed(1),
    mb(git),
    mb(cache),
    String(filesIn(join(cwd, '.memory')).length),
  ];
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function print(rows: Row[], sizes: number[], facts: string[][]): void {
  const names = sizes.map((size) => size.toLocaleString('en'));
  const shown = (of: (cost: Cost) => string) => (cost: Cost | string | undefined) =>
    cost === undefined ? '' : typeof cost === 'string' ? 'failed' : of(cost);
  const cpu = rows.map((row) => [
    row.name,
    ...sizes.map((_, i) => shown(({ cpuMs }) => cpuMs.toFixed(0))(row.costs[i])),
  ]);
  printTable(
    'Scale: CPU time in ms (user and system, children included), and the growth from the smallest to the largest, each tenfold',
    ['', ...names, 'a tenfold', ''],
    cpu.map((cells, i) => [...cells, growthOf(rows[i])?.toFixed(1) ?? '', rows[i] ? verdictOf(rows[i]) : '']),
  );
  printTable(
    'Scale: wall time in ms / largest resident process in MB',
    ['', ...names],
    rows.map((row) => [
      row.name,
      ...sizes.map((_, i) =>
        shown(({ wallMs, peakMb }) => `${wallMs.toFixed(0)} / ${peakMb.toFixed(0)}`)(row.costs[i]),
      ),
    ]),
  );
  printTable('Scale: sizes in MB', ['records', 'text', '.git after gc', 'cache', 'files', 'files when packed'], facts);
  console.log('\nWhy it grows\n');
  for (const { name, note } of rows) console.log(`  ${name}: ${note}.`);
  for (const { name, costs } of rows) {
    for (const [i, cost] of costs.entries()) {
      if (typeof cost === 'string') console.log(`  ${name} failed at ${names[i]}: ${cost}`);
    }
  }
}

/** How much more CPU time each tenfold of the records costs, on average; undefined where there is nothing to compare. */
function growthOf(row: Row | undefined): number | undefined {
  const measured = (row?.costs ?? []).filter((cost): cost is Cost => typeof cost === 'object');
  const [first, last] = [measured[0], measured.at(-1)];
  if (first === undefined || last === undefined || measured.length < 2) return undefined;
  return (last.cpuMs / Math.max(first.cpuMs, RESERVE_MS / 10)) ** (1 / (measured.length - 1));
}

function verdictOf(row: Row): string {
  if (row.costs.some((cost) => typeof cost === 'string')) return row.isFlat ? 'BROKEN' : 'failed';
  const growth = growthOf(row);
  if (growth === undefined) return '';
  const [first, last] = [row.costs[0], row.costs[Math.min(2, row.costs.length - 1)]];
  if (!row.isFlat) return growth > 12 ? 'steeper than linear' : '';
  if (typeof first !== 'object' || typeof last !== 'object') return '';
  return last.cpuMs <= first.cpuMs * FLAT + RESERVE_MS / 10 ? 'flat' : 'BROKEN';
}
