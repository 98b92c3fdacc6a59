import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Environment } from '../../../user-folders.ts';
import { MAX_BYTES } from './connection.ts';

/** The result of a program that ran to its end. */
export interface Outcome {
  /** Null where a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Run {
  cwd: string;
  env: Environment;
  input: string;
  /** Ends the program and everything that it started. */
  signal: AbortSignal;
}

/** Runs a program without a shell. Rejects with a system error if it cannot be started, and when `signal` ends it. */
export function runProgram(program: string, args: string[], { cwd, env, input, signal }: Run): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Its own process group, so that its children can be ended with it.
    const child = spawn(program, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
      else fail(new Error(`its answer is longer than ${MAX_BYTES} bytes`));
    };
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      end(child);
      reject(error);
    };
    const abort = () => fail(new Error('it was ended'));
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', collect(stdout));
    child.stderr.on('data', collect(stderr));
    child.stdin.on('error', () => {}); // A program that ends early: its exit code says so.
    child.on('error', fail);
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      resolve({ code, stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') });
    });
    child.stdin.end(input);
    if (signal.aborted) abort();
  });
}

function end(child: ChildProcessWithoutNullStreams): void {
  // Whatever still holds the pipes would keep this process waiting.
  child.stdout.destroy();
  child.stderr.destroy();
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has already ended.
  }
}
