import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { messageOf } from '../../../src/errors.ts';
import { connectMcp } from '../../support/mcp-client.ts';
import { type Cost, type Failure, LIMIT_MS } from './child-cost.ts';
import type { Scene } from './subjects.ts';

/** Ticks of Linux's process clock, in milliseconds. */
const TICK_MS = 10;

export interface Served {
  name: string;
  cost: Cost | Failure;
  note: string;
}

/** What the MCP server's first and later answers cost. */
export async function mcpCosts({ cwd, env, count }: Scene): Promise<Served[]> {
  const server = await connectMcp({ cwd, env });
  const ask = (n: number) => server.call('search', { query: `seen first in run${n}` });
  try {
    const first = await costIn(server.pid, () => ask(Math.floor(count / 3)));
    const later = await costIn(server.pid, () => ask(Math.floor(count / 4)));
    return [
      { name: 'mcp, first search', cost: first, note: "linear, small: looks at every file's size and times" },
      { name: 'mcp, later search', cost: later, note: 'looks at the folders, and now and then at every file' },
    ];
  } finally {
    await server.close();
  }
}

/** What the viewer's first answers cost, from its start. */
export async function viewerCosts({ cwd, env, program }: Scene): Promise<Served[]> {
  const args = [program, 'ui', '--no-open', '--json', '--keep'];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = child.pid ?? 0;
  try {
    const url = new URL(await addressOf(child.stdout));
    const [cookie = ''] = (await fetch(url)).headers.getSetCookie();
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const ask = async (path: string) => {
      const answer = await fetch(new URL(`/api/${path}`, url), { headers, signal: AbortSignal.timeout(LIMIT_MS) });
      if (!answer.ok) throw new Error(`The viewer answered ${answer.status} to ${path}.`);
      await answer.text();
    };
    const note = 'linear once: judges every card of the index, and keeps them';
    const held = 'filters what it holds';
    return [
      { name: 'viewer, first meta', cost: await costIn(pid, () => ask('meta')), note },
      { name: 'viewer, first feed page', cost: await costIn(pid, () => ask('feed')), note: held },
      { name: 'viewer, later feed page', cost: await costIn(pid, () => ask('feed')), note: held },
    ];
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function addressOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const url = /"url": ?"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The viewer ended before it said where it is.');
}

async function costIn(pid: number, work: () => Promise<unknown>): Promise<Cost | Failure> {
  try {
    const before = cpuOf(pid);
    const started = process.hrtime.bigint();
    await work();
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { wallMs, cpuMs: cpuOf(pid) - before, peakMb: Number(peak) / 1024 };
  } catch (error) {
    return { cell: 'failed', why: messageOf(error) };
  }
}

function cpuOf(pid: number): number {
  // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
