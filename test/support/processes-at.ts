import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Other processes that work in a folder or name it, without those that end during the search. */
export function processesAt(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const isHere = line.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      return isHere ? [`${pid} ${line}`] : [];
    } catch {
      return []; // Ended, or of another user.
    }
  });
}

/** Tells whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child that nobody has waited for yet still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
