import { PassThrough } from 'node:stream';
import { main } from '../../src/program.ts';
import type { TestRepository } from './repository.ts';

/** A command's exit code and output streams. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  /** Whether standard input and output are a terminal. */
  tty?: boolean;
  /** Width of that terminal, in columns; 100 unless told. */
  columns?: number;
  /** Where the command is started. */
  cwd?: string;
}

/**
 * Runs the command line within this process: the real commands on the real repository, with streams of the test's own.
 * What depends on being a process (pipes, signals) is tested with `repository.gitMem`.
 */
export async function gitMem(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  args: string[],
  options: RunOptions = {},
): Promise<Ran> {
  const { stdin = '', tty = false, columns = 100, cwd = root } = options;
  const input = Object.assign(new PassThrough(), { isTTY: tty });
  input.end(stdin);
  const [stdout, stderr] = [capture(tty, columns), capture(tty, columns)];
  const process = {
    env: { ...env, ...options.env },
    stdin: input,
    stdout: stdout.stream,
    stderr: stderr.stream,
    exitCode: undefined as number | undefined,
    exit(code?: number): void {
      // Without a code it is the end of a command that has done its work, and says so by returning as well.
      if (code !== undefined) throw new Error(`exit ${code}`);
    },
  };
  const code = await main(['-C', cwd, ...args], process as unknown as NodeJS.Process);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(isTTY: boolean, columns: number): { stream: PassThrough; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return {
    stream,
    text() {
      const rest: Buffer | null = stream.read();
      return Buffer.concat(rest === null ? chunks : [...chunks, rest]).toString('utf8');
    },
  };
}
