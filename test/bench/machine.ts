import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A machine whose processors others use for more than this share is busy. */
const BUSY = 0.25;

/** Whether others use the processors: what they do in two seconds in which this process does nothing. */
export async function isBusy(): Promise<boolean> {
  const before = processorTimes();
  await sleep(2000);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all) > BUSY;
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
  return { idle: sum(({ idle }) => idle), all: sum((one) => Object.values(one).reduce((a, b) => a + b, 0)) };
}

/** The machine in a few words, for a table. */
export function machineInShort(): string {
  const [processor] = cpus();
  return `${processor?.model.trim() || 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`;
}

/** One paragraph on the machine that figures come from, and how busy it is with other work. */
export function machine(now: Date): string {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim().replace('git version ', 'git ');
  const [processor] = cpus();
  const load = loadavg().map((value) => value.toFixed(2));
  return [
    `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, load average ${load.join(' ')}.`,
    `${processor?.model.trim() ?? 'Unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`,
    `${process.platform} ${release()} ${process.arch}, Node ${process.version}, ${git}.`,
  ].join('\n');
}
