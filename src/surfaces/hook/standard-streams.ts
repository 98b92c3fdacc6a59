import { fstatSync, read, readFileSync, writeSync } from 'node:fs';
import { isSystemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';

// Node's streams for standard input and output take a tenth of a hook's time to load, so they are used only if a plain
// read or write fails because the pipe does not block.

/**
 * Longest wait for a host that neither completes its event nor closes our standard input, in milliseconds: less than
 * half of the 10 s after which hosts end a hook, as the templates tell them to.
 */
const PATIENCE_MS = 4000;

const BRACE = 0x7d;
const LINE_FEED = 0x0a;

/**
 * All of the process's standard input, or its JSON object as soon as that is complete: not every host closes the pipe.
 * Empty if it is a terminal. Never throws, but ends the process if the host keeps it waiting.
 */
export async function standardInput(process: NodeJS.Process): Promise<Buffer> {
  try {
    const state = fstatSync(0);
    // The launcher hands over the event as a file.
    if (state.isFile()) return readFileSync(0);
    return state.isCharacterDevice() ? Buffer.alloc(0) : await readPipe(process);
  } catch {
    return Buffer.alloc(0); // It is closed, or cannot be read.
  }
}

async function readPipe(process: NodeJS.Process): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // A thread waits in the read, and a process does not end by itself before its threads, so it is killed.
  const timer = setTimeout(() => process.kill(process.pid), PATIENCE_MS);
  try {
    for (;;) {
      const chunk = await readChunk();
      if (chunk.length > 0) chunks.push(chunk);
      if (chunk.length === 0 || isWhole(chunks)) return Buffer.concat(chunks);
    }
  } catch (error) {
    // EAGAIN: the pipe does not block. After any other error, what was received so far is used.
    return isSystemError(error, 'EAGAIN') ? await readStream(process, chunks) : Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

function readChunk(): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(65_536);
  return new Promise((resolve, reject) => {
    read(0, chunk, 0, chunk.length, null, (error, count) => {
      if (error) reject(error);
      else resolve(chunk.subarray(0, count));
    });
  });
}

/** Tells whether the chunks are complete JSON, so that nobody has to wait for the host to close the pipe. */
function isWhole(chunks: Buffer[]): boolean {
  const last = chunks.at(-1)?.at(-1);
  // A chunk may also end with a brace in the middle of the JSON.
  return (last === BRACE || last === LINE_FEED) && jsonIn(Buffer.concat(chunks).toString('utf8')) !== undefined;
}

function readStream({ stdin }: NodeJS.Process, chunks: Buffer[]): Promise<Buffer> {
  return new Promise((resolve) => {
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
    // If the pipe breaks, the bytes received so far are used.
    for (const event of ['end', 'close', 'error']) stdin.on(event, () => resolve(Buffer.concat(chunks)));
  });
}

/** Writes a text to standard output; resolves when all of it is written or the reader is gone. Never rejects. */
export async function writeOutput(text: string, process: NodeJS.Process): Promise<void> {
  let rest: Uint8Array = Buffer.from(text);
  try {
    // Without Node's streams, which load slowly.
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    // EAGAIN: a pipe that does not block is full. After any other error, nobody is reading any more.
    if (!isSystemError(error, 'EAGAIN')) return;
    const { stdout } = process;
    stdout.on('error', () => {});
    await new Promise<void>((resolve) => stdout.write(rest, () => resolve()));
  }
}
