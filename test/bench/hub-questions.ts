import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configOf, firstLine, type HubBench, startProgram } from './hub.ts';
import { question } from './hub-organisation.ts';
import { processorMs } from './processor-time.ts';
import { figure, printTable } from './table.ts';

/** Questions that are asked one by one, after as many others. */
const QUESTIONS = 60;

/** Clients at once, and how long they ask, in milliseconds. */
const [CLIENTS, LOAD_MS] = [16, 15_000];

/** Most processor time of a question by how many repositories its person may read, in milliseconds. */
const BOUNDS: Record<number, number> = { 3: 25, 60: 60, 500: 120 };

/** The cores for which the answer's time is computed from the processor time. */
const CORES = 8;

interface Asked {
  status: number;
  ms: number;
}

/** Questions of people with narrow, wide and all rights: what each costs, and what 16 clients at once get. */
export async function questions(bench: HubBench): Promise<string[][]> {
  const config = configOf(bench, 'scale', bench.remotes);
  const program = startProgram(config, 'serve');
  const pid = program.pid ?? 0;
  const rows: string[][] = [];
  let asked = 0;
  try {
    const url = await firstLine(program);
    const cpu = () => processorMs(pid) + processorMs(bench.server.pid);
    for (const who of [3, 60, bench.remotes.length, 'operator'] as const) {
      const name = typeof who === 'number' ? `sees${who}` : who;
      const args = [resolve('dist/bin.cjs'), 'hub', 'token', 'create', name, '--config', config];
      const token = execFileSync(process.execPath, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      const ask = async (i: number): Promise<Asked> => {
        asked++;
        const start = performance.now();
        const response = await fetch(`${url}/api/v1/search?q=${encodeURIComponent(question(i))}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await response.arrayBuffer();
        return { status: response.status, ms: performance.now() - start };
      };
      // Rights come with the first round.
      while ((await ask(0)).status !== 200) await sleep(200);
      const costs = await costsOf(ask, cpu);
      const [mean, tenth] = [
        costs.reduce((sum, one) => sum + one, 0) / costs.length,
        costs[Math.floor(costs.length / 10)] ?? 0,
      ];
      const bound = typeof who === 'number' ? BOUNDS[who] : undefined;
      const load = await loadOf(ask);
      const own = [
        figure(
          `question, ${typeof who === 'number' ? `rights of ${who} repositories` : 'operator'}, processor ms`,
          mean,
          0,
          bound === undefined ? undefined : { atMost: bound },
        ),
        figure('  the tenth dearest', tenth, 0, bound === undefined ? undefined : { atMost: 3 * bound }),
        figure(`  ${CLIENTS} clients on ${CORES} such cores, ms`, (mean * CLIENTS) / CORES, 0),
        ...load,
      ];
      printTable(`Hub, questions of ${name}`, ['', '', 'bound', ''], own);
      rows.push(...own);
    }
    rows.push(
      figure('memory of the server after them, MB', residentMb(pid), 0, { atMost: 250 }),
      figure('  questions', asked, 0),
    );
    printTable('Hub, server', ['', '', 'bound', ''], rows.slice(-2));
  } finally {
    program.kill('SIGKILL');
  }
  return rows;
}

/** The processor time of each question, the dearest first, when others were asked before. */
async function costsOf(ask: (i: number) => Promise<Asked>, cpu: () => number): Promise<number[]> {
  for (let i = 0; i < QUESTIONS; i++) await ask(QUESTIONS + i);
  const costs: number[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const before = cpu();
    await ask(i);
    costs.push(cpu() - before);
  }
  return costs.sort((a, b) => b - a);
}

async function loadOf(ask: (i: number) => Promise<Asked>): Promise<string[][]> {
  const answers: Asked[] = [];
  const until = performance.now() + LOAD_MS;
  let next = 2 * QUESTIONS;
  const client = async () => {
    while (performance.now() < until) {
      const answer = await ask(next++);
      answers.push(answer);
      // As Retry-After says.
      if (answer.status !== 200) await sleep(2000);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const times = answers
    .filter(({ status }) => status === 200)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const refused = answers.length - times.length;
  const wrong = answers.filter(({ status }) => status !== 200 && status !== 503).length;
  if (wrong > 0) throw new Error(`${wrong} answers of neither 200 nor 503.`);
  return [
    figure(`  answers to ${CLIENTS} clients, per s`, (times.length * 1000) / LOAD_MS, 1),
    figure('  their 95th percentile, ms', times[Math.floor(times.length * 0.95)] ?? 0, 0),
    figure('  the last of them, ms', times.at(-1) ?? 0, 0, { atMost: 2000 }),
    figure('  refused', refused, 0),
  ];
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' })) ?? [];
  return Number(kilobytes) / 1000;
}
