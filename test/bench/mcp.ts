import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createScratch, readRecording, type Scratch } from '../../src/demo/recording.ts';
import { removeFolder } from '../../src/demo/remove-folder.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { fill } from './filled-scratch.ts';
import { median, printTable } from './table.ts';

const ROUNDS = 21;
const RECORDS = 10_000;
const BOUNDS = { start: 4, memory: 90, tools: 1200 } as const;

/** What the MCP server costs: its start against Node's own, its memory with many records, its tool list in tokens. */
export async function mcp(): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
  try {
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
      row('resident after every reading tool, MB', warm.all, BOUNDS.memory, `at most ${warm.peak.toFixed(0)} MB`),
      row('the same where it filled the cache, MB', cold.all, BOUNDS.memory, `at most ${cold.peak.toFixed(0)} MB`),
    ];
    const engine = (name: string, mb: number) => [name, mb.toFixed(0), '', '', 'ends ten seconds after the last call'];
    rows.push(
      engine('its engine while at work, MB', warm.engine),
      engine('the same, filling the cache, MB', cold.engine),
    );
    printTable('MCP server', ['', 'value', 'bound', '', ''], rows);
    return rows.every((cells) => cells[3] !== 'BROKEN');
  } finally {
    await removeFolder(folder);
  }
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

/** Uses every reading tool as a session would, and reads what the process holds, in megabytes. */
async function used({ repository, env }: Scratch) {
  const server = await connectMcp({ cwd: repository, env });
  try {
    const tokens = JSON.stringify(await server.client.listTools()).length / 4;
    const { data } = await server.call('search', { query: 'why does the token cache reject sessions' });
    const search = memoryOf(server.pid, 'VmRSS');
    for (const query of ['scheduler lease', 'export schema race', 'queue blocks worker', 'buffer full']) {
      await server.call('search', { query });
      await server.call('timeline', { query });
    }
    await server.call('get_observations', { ids: data.hits.map(({ id }: { id: string }) => id) });
    const [engine = 0] = childrenOf(server.pid);
    return {
      tokens,
      search,
      all: memoryOf(server.pid, 'VmRSS'),
      peak: memoryOf(server.pid, 'VmHWM'),
      engine: memoryOf(engine, 'VmHWM'),
    };
  } finally {
    await server.close();
  }
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function timed(work: () => void): number {
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}
