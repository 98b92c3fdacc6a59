import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A command to time. */
export interface Timed {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  input: string;
}

/**
 * Times commands from a small process: Linux copies the page tables of whatever starts another program, which takes this
 * benchmark, with its thousands of records, longer than the launcher itself.
 */
export interface Timer {
  /** Wall time in milliseconds; rejects if the command fails. */
  time(timed: Timed): Promise<number>;
  end(): void;
}

const SCRIPT = `
const { spawnSync } = require('node:child_process');
process.on('message', ({ command, args, cwd, env, input }) => {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(command, args, { cwd, env, input });
  process.send({ ms: Number(process.hrtime.bigint() - started) / 1e6, status });
});`;

export function startTimer(): Timer {
  const child: ChildProcess = spawn(process.execPath, ['-e', SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    async time(timed) {
      child.send(timed);
      const [{ ms, status }] = await once(child, 'message');
      if (status !== 0) throw new Error(`${timed.command} ${timed.args.join(' ')} exited with ${status}.`);
      return ms;
    },
    end: () => child.disconnect(),
  };
}
