import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createScratch, readRecording, type Scratch } from '../../src/setup/demo.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { residentMb } from '../support/process-memory.ts';
import { fill } from './filled-scratch.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figuresIn, median, printTable } from './table.ts';

const ROUNDS = 21;
const RECORDS = 10_000;
/** Searches of a session; a fifth as many timelines and whole records. */
const SEARCHES = 50;
/** After this long without a call the server has closed its caches. */
const CLOSED_MS = 12_000;
/** `memory` in MB, with what V8's optimizing compiler takes: without it the server is 10 MB smaller and searches a fifth slower. */
const BOUNDS = { start: 4, memory: 100, tools: 1200 } as const;

/** What the MCP server costs: its start against Node's own, its memory with many records, its tool list in tokens. */
export async function mcp(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const program = resolve('dist/bin.cjs');
    const scratch = await createScratch(join(folder, 'scratch'), readRecording(), program);
    await fill(scratch, RECORDS);
    const starts: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const base = timed(() => spawnSync(process.execPath, ['-e', '0']));
      const start = await startOf(program, scratch);
      if (round === 0) continue;
      starts.push(start);
      ratios.push(start / base);
    }
    // The first server fills the cache, as `git mem watch` or an earlier session would have.
    const cold = await used(scratch);
    const warm = await used(scratch);
    const rows = [
      row('start to first answer, times node -e 0', median(ratios), BOUNDS.start, `${median(starts).toFixed(0)} ms`),
      row('tools/list, tokens', warm.tokens, BOUNDS.tools, ''),
      row('resident after a search, MB', warm.search, BOUNDS.memory, `${RECORDS} records`),
      row('resident after a session’s calls, MB', warm.all, BOUNDS.memory, `at most ${warm.peak.toFixed(0)} MB`),
      row('the same where the cache was empty, MB', cold.all, BOUNDS.memory, `at most ${cold.peak.toFixed(0)} MB`),
      row('resident when caches are closed, MB', warm.rest, BOUNDS.memory, `${CLOSED_MS / 1000} s later`),
    ];
    printTable('MCP server', ['', 'value', 'bound', '', ''], rows);
    return figuresIn(rows, { about: `MCP server, ${RECORDS.toLocaleString('en')} records` });
  });
}

function row(name: string, value: number, bound: number, note: string): string[] {
  return [name, value.toFixed(value < 10 ? 2 : 0), `<= ${bound}`, value <= bound ? 'holds' : 'BROKEN', note];
}

/** Milliseconds from the start of the process to its answer to `initialize`. */
async function startOf(program: string, { repository, env }: Scratch): Promise<number> {
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: repository, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('exit', done));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await new Promise((done) => child.stdout.once('data', done));
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  child.stdin.end();
  await ended;
  return ms;
}

/**
 * Uses every tool as a long session would, and reads what the server and the processes that it started hold, in megabytes;
 * the peak is the server's own, because the process that fills an empty cache ends when it has.
 */
async function used({ repository, env }: Scratch) {
  const server = await connectMcp({ cwd: repository, env });
  const resident = () =>
    residentMb(server.pid, 'VmRSS') + sum(childrenOf(server.pid).map((pid) => residentMb(pid, 'VmRSS')));
  try {
    const tokens = JSON.stringify(await server.client.listTools()).length / 4;
    const { data } = await server.call('search', { query: 'why does the token cache reject sessions' });
    const ids = data.hits.map(({ id }: { id: string }) => id);
    const search = resident();
    for (let i = 0; i < SEARCHES; i++) {
      const { title, concepts } = generatedObservation(i * 37);
      await server.call('search', { query: `why ${title}`, ...(i % 5 === 0 && { concept: concepts[0] }) });
      if (i % 5 === 0) await server.call('timeline', i % 2 === 0 ? { query: title } : { anchor: ids[0] });
      if (i % 5 === 0) await server.call('get_observations', { ids });
    }
    const saved = await server.call('save_observation', { title: `Saved by process ${server.pid}` });
    await server.call('mark', { type: 'pin', ids: [saved.data.id] });
    await server.call('search', { query: 'saved process' });
    const all = resident();
    await new Promise((done) => setTimeout(done, CLOSED_MS));
    return { tokens, search, all, peak: residentMb(server.pid, 'VmHWM'), rest: resident() };
  } finally {
    await server.close();
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function timed(work: () => void): number {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}
