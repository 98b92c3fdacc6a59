import { fstatSync } from 'node:fs';
import { asError } from '../../errors.ts';
import { writeNow } from '../../write-now.ts';
import type { QUICK_COMMANDS } from './quick-commands.ts';
import { type Commands, run } from './run.ts';

const COMMANDS: Record<(typeof QUICK_COMMANDS)[number], Commands[string]> = {
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  search: () => import('./commands/search.ts'),
  show: () => import('./commands/show.ts'),
  'pre-commit': async () => ({ register: (await import('./commands/check.ts')).preCommit }),
};

/** Runs one of these commands; returns the exit code, and whether all output is written. */
export async function quick(args: string[], process: NodeJS.Process): Promise<{ code: number; isWritten: boolean }> {
  const plain = withPlainStreams(process);
  const code = await run(args, plain.process, COMMANDS);
  // A write that failed says so now.
  await new Promise((done) => setImmediate(done));
  return { code, isWritten: plain.isWritten() };
}

/** The process as a short command sees it, whose output streams are opened only if need be. */
interface PlainProcess {
  process: NodeJS.Process;
  /** Tells whether all output is with its reader. */
  isWritten(): boolean;
}

/** Writes straight to a pipe or file: Node's streams, for terminals, take a twentieth of a short command to load. */
function withPlainStreams(process: NodeJS.Process): PlainProcess {
  const opened: NodeJS.WriteStream[] = [];
  const open = (name: 'stdout' | 'stderr') => {
    const stream = process[name];
    opened.push(stream);
    return stream;
  };
  const streams = [
    ['stdout', 1],
    ['stderr', 2],
  ] as const;
  const plain = streams.map(([name, fd]) => {
    let stream: NodeJS.WriteStream | undefined;
    const get = () => {
      stream ??= isPlain(fd) ? plainStream(fd, () => open(name)) : open(name);
      return stream;
    };
    return [name, { get }] as const;
  });
  return {
    process: Object.create(process, Object.fromEntries(plain)),
    isWritten: () => opened.every(({ writableLength }) => writableLength === 0),
  };
}

function isPlain(fd: number): boolean {
  try {
    const state = fstatSync(fd);
    return state.isFIFO() || state.isFile() || state.isSocket();
  } catch {
    return false; // Closed: Node's stream says so.
  }
}

/** What commands use of a stream; the rest of a write that would block goes through Node's, and so does all after it. */
function plainStream(fd: number, open: () => NodeJS.WriteStream): NodeJS.WriteStream {
  const listeners: ((error: Error) => void)[] = [];
  let real: NodeJS.WriteStream | undefined;
  const stream = {
    fd,
    on(event: string, listener: (error: Error) => void) {
      if (event === 'error') listeners.push(listener);
      return stream;
    },
    write(text: string, done?: () => void): boolean {
      if (real !== undefined) return real.write(text, done);
      let rest: Uint8Array;
      try {
        rest = writeNow(fd, text);
      } catch (error) {
        for (const listener of listeners) listener(asError(error));
        return false;
      }
      if (rest.length > 0) {
        real = open();
        for (const listener of listeners) real.on('error', listener);
        return real.write(rest, done);
      }
      if (done) setImmediate(done);
      return true;
    },
  };
  return stream as unknown as NodeJS.WriteStream;
}
