import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick in /proc. */
const TICK_MS = 10;

/** The processor time that this process and a server's processes have used, in milliseconds; NaN where there is no /proc. */
export function processorMs(serverPid: number): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + serverMs(serverPid);
}

function serverMs(serverPid: number): number {
  let ticks = 0;
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      // The name of a program, in parentheses, may hold spaces. After it: state, parent, ..., and times from the 12th on.
      const stat = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
      const [own, ofEnded] = [stat.slice(11, 13), stat.slice(13, 15)];
      if (Number(pid) === serverPid) ticks += sum([...own, ...ofEnded]);
      else if (Number(stat[1]) === serverPid) ticks += sum(own);
    }
  } catch {
    return Number.NaN;
  }
  return ticks * TICK_MS;
}

function sum(numbers: string[]): number {
  return numbers.reduce((all, one) => all + Number(one), 0);
}

/** Empty for a process that ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
