import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { canonical } from '../../src/memory/canonical.ts';
import { encode } from '../../src/memory/codec.ts';
import { FOLDERS, storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Mark, MemoryRecord } from '../../src/memory/record.ts';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { CITED_FILES, generatedObservation } from '../support/generated-records.ts';
import { fill } from './filled-scratch.ts';
import { costOf, isCost, whyNotMeasurable } from './scale/child-cost.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, printTable } from './table.ts';

const REVIEWED = 200;
const FLOOD = 20_000;
const ROUNDS = 20;

/** With what a branch brought a hook may take so many times the processor time that it takes without. */
const BOUND = 1.3;

const PROMPT = 'the scheduler rejects the token cache when the lease is short, why does the router double it?';

/** What hooks cost on a branch with 20,000 records, marks, or months that nobody reviewed, against the same memory without. */
export async function flood(): Promise<Figure[]> {
  const reason = whyNotMeasurable();
  if (reason !== undefined) {
    console.log(`\nFlood: left out, ${reason}.`);
    return [];
  }
  return inFolder(async (folder) => {
    const scenes = {
      without: await scene(join(folder, 'without'), []),
      records: await scene(
        join(folder, 'records'),
        Array.from({ length: FLOOD }, (_, i) => strangeRecord(i)),
      ),
      marks: await scene(
        join(folder, 'marks'),
        Array.from({ length: FLOOD }, (_, i) => strangeMark(i)),
      ),
      months: await scene(
        join(folder, 'months'),
        Array.from({ length: FLOOD }, (_, i) => strangeRecord(i)),
        monthOfItsOwn,
      ),
    };
    const rows = measured(scenes);
    const header = ['hook', 'without', 'records', 'ratio', 'marks', 'ratio', 'months', 'ratio', 'bound', ''];
    printTable(`Flood: ${FLOOD.toLocaleString('en')} unreviewed files beside ${REVIEWED} records, CPU`, header, rows);
    const hooks = rows.map(([event]) => event).join(', ');
    const holds = rows.every((row) => row.at(-1) === 'holds');
    const figureOf = (promise: string, columns: number[]): Figure => {
      const worst = rows.map((row) => Math.max(...columns.map((column) => Number(row[column]))));
      const value = worst.map((ratio) => ratio.toFixed(2)).join(', ');
      return { promise, bound: `<= ${BOUND}`, value, holds };
    };
    const many = FLOOD.toLocaleString('en');
    return [
      figureOf(`hooks beside ${many} records or marks that nobody reviewed, against without: ${hooks}`, [3, 5]),
      figureOf(`hooks beside ${many} records, each in a folder of a kind and month of its own: ${hooks}`, [7]),
    ];
  });
}

const BROUGHT = ['records', 'marks', 'months'] as const;

function measured(scenes: Record<'without' | (typeof BROUGHT)[number], Scratch>): string[][] {
  const program = resolve('dist/bin.cjs');
  const sums = new Map<string, Record<keyof typeof scenes, number>>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { event, name: title = event, without, payload }] of HOOKS.entries()) {
      const sum = sums.get(title) ?? { without: 0, records: 0, marks: 0, months: 0 };
      sums.set(title, sum);
      for (const name of ['without', ...BROUGHT] as const) {
        const { repository, env } = scenes[name];
        if (without) rmSync(join(repository, '.git/git-mem', without), { recursive: true, force: true });
        // Every session is new, or there would be nothing left to tell.
        const session = { session_id: `flood-${round}-${at}`, cwd: repository, hook_event_name: event };
        const command = [process.execPath, program, 'hook', 'claude-code', event];
        const input = `${JSON.stringify({ ...session, ...payload(repository, String(round)) })}\n`;
        const cost = costOf({ cwd: repository, env, command, input });
        if (!isCost(cost)) throw new Error(`${event}: ${cost.why}`);
        sum[name] += cost.cpuMs / ROUNDS;
        // What it woke would be at work beside the next one.
        execFileSync(process.execPath, [program, 'drain', '--wait'], { cwd: repository, env, stdio: 'ignore' });
      }
    }
  }
  return [...sums].map(([event, sum]) => {
    const ratios = BROUGHT.map((name) => sum[name] / sum.without);
    const cells = BROUGHT.flatMap((name, i) => [`${sum[name].toFixed(0)} ms`, (ratios[i] ?? 0).toFixed(2)]);
    const verdict = ratios.every((ratio) => ratio <= BOUND) ? 'holds' : 'BROKEN';
    return [event, `${sum.without.toFixed(0)} ms`, ...cells, `<= ${BOUND}`, verdict];
  });
}

interface Hook {
  /** For the table; the event, if it has no other. */
  name?: string;
  event: string;
  /** Removed before, below the state folder. */
  without?: string;
  payload(repository: string, round: string): object;
}

const HOOKS: Hook[] = [
  {
    event: 'PostToolUse',
    payload: (repository, round) => ({
      tool_name: 'Edit',
      tool_use_id: round,
      tool_response: { ok: true },
      tool_input: { file_path: join(repository, CITED_FILES[0] ?? ''), old_string: 'a', new_string: 'b' },
    }),
  },
  { event: 'SessionStart', payload: () => ({ source: 'startup' }) },
  {
    name: 'SessionStart, nothing kept',
    event: 'SessionStart',
    without: 'starts',
    payload: () => ({ source: 'startup' }),
  },
  { event: 'UserPromptSubmit', payload: (_, round) => ({ prompt_id: round, prompt: PROMPT }) },
  {
    event: 'PreToolUse',
    payload: (repository, round) => ({
      tool_name: 'Read',
      tool_use_id: round,
      tool_input: { file_path: join(repository, CITED_FILES[0] ?? '') },
    }),
  },
];

/** A repository whose default branch has records, on a branch that adds others, each where it belongs or in the folder given. */
async function scene(folder: string, brought: MemoryRecord[], folderOf?: (i: number) => string): Promise<Scratch> {
  const recording = readRecording();
  const program = resolve('dist/bin.cjs');
  const made = await createScratch(folder, recording, program);
  const scratch = { ...made, env: { ...made.env, GIT_MEM_TRUST_BRANCH: recording.branch } };
  const { repository, env, git } = scratch;
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: repository, env, stdio: 'ignore' });
  run('init', '--yes');
  await fill(scratch, REVIEWED);
  await git.checkoutLocalBranch('theirs');
  for (const [i, record] of brought.entries()) {
    const own = storePath(record);
    const path = join(repository, '.memory', folderOf ? join(folderOf(i), basename(own)) : own);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encode(record));
  }
  // Some lie where `check` refuses them.
  await git.add('--all').commit('theirs', { '--allow-empty': null, '--no-verify': null });
  run('drain', '--wait');
  return scratch;
}

/** From the year 1600 to 2155, three kinds of records a month: those of our time are looked at. */
function monthOfItsOwn(i: number): string {
  const kind = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark][i % 3];
  const month = Math.floor(i / 3);
  return `${kind}/${1600 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Newer than what is known, and about the same. */
function strangeRecord(i: number): MemoryRecord {
  return { ...generatedObservation(i), id: idOf('flood', String(i)), generated: { by: 'git-mem', at: timeOf(i) } };
}

/** About what is known. */
function strangeMark(i: number): MemoryRecord {
  const type = (['retire', 'pin', 'undo', 'verify', 'redact'] as const)[i % 5] ?? 'retire';
  const targets = [generatedObservation(i % REVIEWED).id];
  const generated = { by: 'git-mem', at: timeOf(i) };
  return canonical<Mark>({ kind: 'mark', type, id: idOf('flood', 'mark', String(i)), targets, reason: '', generated });
}

function timeOf(i: number): string {
  return `${new Date(Date.UTC(2026, 9, 1) + i * 60_000).toISOString().slice(0, 19)}Z`;
}
