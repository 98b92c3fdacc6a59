import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick in /proc. */
const TICK_MS = 10;

/**
 * The processor time, user and system, that a process, its children and those of them that ended have used, in
 * milliseconds; NaN where there is no /proc. Of what runs it is exact, of what ended by ticks.
 */
export function processorMs(pid: number): number {
  try {
    const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(name)[1] === String(pid));
    const [user, system] = fieldsOf(String(pid)).slice(13, 15).map(Number);
    return [String(pid), ...running].reduce(
      (sum, one) => sum + runningMs(one),
      ((user ?? 0) + (system ?? 0)) * TICK_MS,
    );
  } catch {
    return Number.NaN;
  }
}

/** What of /proc/PID/stat follows the name of the program, which may hold spaces: state, parent, ... */
function fieldsOf(pid: string): string[] {
  return textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
}

function runningMs(pid: string): number {
  const threads = textOf(`/proc/${pid}/stat`) === '' ? [] : readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, one) => sum + Number(textOf(`/proc/${pid}/task/${one}/schedstat`).split(' ')[0]) / 1e6,
    0,
  );
}

/** Empty for a process that ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
