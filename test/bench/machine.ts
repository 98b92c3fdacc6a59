import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

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
