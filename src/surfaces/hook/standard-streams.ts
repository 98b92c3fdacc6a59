import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { isSystemError } from '../../errors.ts';

// Node's streams for standard input and output take a tenth of a hook's time to load: they are used only where a plain
// read or write could block.

/** Longest wait for a host that does not close our standard input, in milliseconds. */
const PATIENCE_MS = 4000;

/** All of the process's standard input; empty if it is a terminal. Never throws. */
export async function standardInput(process: NodeJS.Process): Promise<Buffer> {
  try {
    // The launcher hands over the event as a file. A pipe that nobody closes would block for ever.
    if (fstatSync(0).isFile()) return readFileSync(0);
  } catch {
    // Closed, or no such thing: the stream finds out.
  }
  return readAll(process.stdin);
}

async function readAll(stdin: NodeJS.ReadStream): Promise<Buffer> {
  if (stdin.isTTY) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => stdin.destroy(), PATIENCE_MS);
  // By events: the iterator of a stream takes longer to make than the rest of the reading.
  await new Promise<void>((resolve) => {
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
    // If the pipe breaks, the bytes received so far are used.
    for (const event of ['end', 'close', 'error']) stdin.on(event, () => resolve());
  });
  clearTimeout(timer);
  return Buffer.concat(chunks);
}

/** Writes a text to standard output, and resolves when all of it is written or the reader is gone. Never throws. */
export async function writeOutput(text: string, process: NodeJS.Process): Promise<void> {
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    // A full pipe that does not block; whatever else it is, nobody reads any more.
    if (!isSystemError(error, 'EAGAIN')) return;
    const { stdout } = process;
    stdout.on('error', () => {});
    await new Promise<void>((resolve) => stdout.write(rest, () => resolve()));
  }
}
