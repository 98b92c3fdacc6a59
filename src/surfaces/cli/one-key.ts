import { GitMemError } from '../../errors.ts';
import type { Context } from './command.ts';

const INTERRUPT = '\u0003';

/** Waits for one of some keys on the terminal, without Enter; undefined for Ctrl-C, or when the input ends. */
export async function oneKey({ stdin }: Context, keys: string): Promise<string | undefined> {
  if (stdin.isTTY !== true) throw new GitMemError('bad-input', 'This needs a terminal.');
  stdin.setRawMode?.(true);
  try {
    for (;;) {
      const key = await nextKey(stdin);
      if (key === undefined || key === INTERRUPT) return undefined;
      if (keys.includes(key)) return key;
    }
  } finally {
    stdin.setRawMode?.(false);
  }
}

/** One character at a time: what was typed ahead answers the next question. */
function nextKey(stdin: NodeJS.ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (key: string | undefined) => {
      stdin.off('readable', look).off('end', end);
      resolve(key);
    };
    const look = () => {
      const chunk: unknown = stdin.read(1);
      if (chunk !== null) done(String(chunk).toLowerCase());
    };
    const end = () => done(undefined);
    stdin.on('readable', look).once('end', end);
    look();
  });
}
