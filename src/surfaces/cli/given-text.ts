import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitMemError, messageOf } from '../../errors.ts';
import type { Context } from './command.ts';

/** A named file's text, or standard input's for `-`, in pieces. Throws bad-input, also for devices: /dev/zero never ends. */
export async function* textOf(file: string, { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>): AsyncGenerator<string> {
  try {
    const stream = file === '-' ? stdin : createReadStream(regular(resolve(cwd, file), file));
    for await (const piece of stream.setEncoding('utf8')) yield String(piece);
  } catch (error) {
    if (error instanceof GitMemError) throw error;
    throw new GitMemError('bad-input', `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

/** Pipes do end, and reading a folder reports the problem. */
function regular(path: string, name: string): string {
  const stat = statSync(path);
  if (stat.isFile() || stat.isFIFO() || stat.isDirectory()) return path;
  throw new GitMemError('bad-input', `${name} is neither a file nor a pipe.`);
}

/** Lines, each as soon as it is complete. Only line feeds end one: the text may hold any other character. */
export async function* linesOf(file: string, context: Pick<Context, 'cwd' | 'stdin'>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of textOf(file, context)) {
    // Splitting what is not complete would copy a long line again for each of its pieces.
    const lines = piece.includes('\n') ? `${rest}${piece}`.split('\n') : [`${rest}${piece}`];
    rest = lines.pop() ?? '';
    for (const line of lines) yield withoutReturn(line);
  }
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
