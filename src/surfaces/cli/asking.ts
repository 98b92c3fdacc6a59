import type { Context } from './command.ts';
import { shown } from './print.ts';

const INTERRUPT = '\u0003';

/** A record that a person decides on: lines below its title, and the keys as `r retire, s skip, q quit`. */
interface Question {
  record: { type: string; title: string };
  lines: string[];
  keys: string;
}

/** Shows one record after the other, and does what the person's key says, until `q`. Returns how many were not skipped. */
export async function askEach<One>(
  all: One[],
  context: Context,
  { question, act }: { question: (one: One) => Question; act: (key: string, one: One) => Promise<void> },
): Promise<number> {
  const { stdout, style } = context;
  let done = 0;
  for (const [i, one] of all.entries()) {
    const { record, lines, keys } = question(one);
    const at = style('dim', `${i + 1} of ${all.length}`);
    stdout.write(`\n${at} ${style('cyan', shown(record.type))} ${style('bold', shown(record.title))}\n`);
    stdout.write(`${lines.map((line) => `  ${line}\n`).join('')}${keys}: `);
    const key = await oneKey(context, keys.replace(/(?<=^|, )(\w)[^,]*(?:, )?/g, '$1'));
    stdout.write(`${key ?? 'q'}\n`);
    if (key === undefined || key === 'q') break;
    if (key === 's') continue;
    await act(key, one);
    done++;
  }
  return done;
}

/** Waits for one of some keys on the terminal, without Enter; undefined for Ctrl-C, or when the input ends. */
async function oneKey({ stdin }: Context, keys: string): Promise<string | undefined> {
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
