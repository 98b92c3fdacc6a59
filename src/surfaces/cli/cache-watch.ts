import { type Cache, openCache } from '../../index/cache.ts';
import type { Card } from '../../index/memory-index.ts';
import { type WatchedChange, watchMemory } from '../../index/watch.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { visibleJson } from '../../privacy/sanitise.ts';
import type { Project } from '../../project.ts';
import { counted } from '../../quantities.ts';
import type { Context } from './command.ts';
import { fitted, printError, shown } from './print.ts';

/** Most records that are printed one by one; a branch switch may bring thousands. */
const NAMED = 20;

/** Keeps the cache warm and prints what changes, until Ctrl-C: `git mem sync --watch`. */
export async function watchCache(context: Context, options: { json?: boolean }): Promise<void> {
  const project = context.project();
  const { workspace } = project;
  const cache = openCache(workspace);
  const vectors = vectorMaker(project, cache, context);
  const stopped = new Promise<void>((stop) => {
    process.once('SIGINT', () => stop()).once('SIGTERM', () => stop());
  });
  try {
    const watching = await watchMemory(workspace, cache, {
      onChange(change) {
        if (options.json) printLine(change, context);
        else print(change, context);
        vectors.make();
      },
      onError: (error) => printError(context, error),
    });
    context.stderr.write(`Watching ${counted(watching.records, 'record')}. Ctrl-C ends this.\n`);
    vectors.make();
    await stopped;
    await vectors.close();
    await watching.close();
  } finally {
    cache.close();
  }
}

/** Computes missing vectors if a model is configured. */
function vectorMaker(project: Project, cache: Cache, context: Context) {
  const controller = new AbortController();
  const { signal } = controller;
  const work = async () => {
    const made = await project.embed(cache, { signal });
    if (made?.problem) context.stderr.write(`${shown(made.problem)}\n`);
  };
  const { wake: make, idle } = oneAtATime(work, { signal, onError: (error) => printError(context, error) });
  return {
    make,
    close() {
      controller.abort();
      return idle();
    },
  };
}

function print({ added, edited, removed, tookMs }: WatchedChange, { stdout, style }: Context): void {
  const signed = (sign: string, cards: Card[]) => cards.map((card) => ({ sign, card }));
  const all = [
    ...signed(style('green', '+'), added),
    ...signed(style('yellow', '~'), edited),
    ...signed(style('red', '-'), removed),
  ];
  for (const { sign, card } of all.slice(0, NAMED)) {
    const type = style('cyan', fitted(shown(card.type), 9).padEnd(9));
    stdout.write(`${sign} ${style('yellow', card.id)} ${type} ${shown(card.title)}\n`);
  }
  if (all.length > NAMED) {
    const counts = `${added.length} new, ${edited.length} edited, ${removed.length} gone`;
    stdout.write(style('dim', `  and ${all.length - NAMED} more: ${counts} in ${Math.round(tookMs)} ms\n`));
  }
}

function printLine({ added, edited, removed, tookMs }: WatchedChange, { stdout }: Context): void {
  const brief = (cards: Card[]) => cards.map(({ id, kind, type, title }) => ({ id, kind, type, title }));
  const line = { added: brief(added), edited: brief(edited), removed: brief(removed), took_ms: Math.round(tookMs) };
  stdout.write(`${visibleJson(JSON.stringify(line))}\n`);
}
