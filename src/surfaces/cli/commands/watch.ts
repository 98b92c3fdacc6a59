import { oneAtATime } from '../../../one-at-a-time.ts';
import { visibleJson } from '../../../privacy/sanitise.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { type Cache, openCache } from '../../../recall/index/cache.ts';
import type { Card } from '../../../recall/index/memory-index.ts';
import { type WatchedChange, watchMemory } from '../../../recall/index/watch.ts';
import type { Command, Context } from '../command.ts';
import { fitted, printError, shown } from '../print.ts';
import type { TranscriptOptions } from '../transcript-watch.ts';

/** Most records that are printed one by one; a branch switch may bring thousands. */
const NAMED = 20;

export function register(program: Command, context: Context): void {
  program
    .command('watch')
    .description("keep the cache warm and print what changes, or capture hosts' logs, until Ctrl-C")
    .option('--transcripts [names...]', 'capture sessions from the logs of hosts whose hooks do not report them')
    .option('--since <date>', 'with --transcripts: also what was written since then')
    .option('--all', 'with --transcripts: also all that was written before')
    .option('--once', 'with --transcripts: read what is there, and end')
    .option('--json', 'a JSON object a line for each burst of changes')
    .notes(`
Never required: every command that reads syncs by itself. This does that work in advance, and makes the vectors of a model
for search by meaning (embed.provider).
+ is new, ~ was edited, - is gone from this checkout.

With --transcripts it follows the logs of claude-code, codex and gemini-cli that are about this repository, from the first
time it is run. It resumes where it stopped, and leaves sessions to the hooks that report them. For other agents
there is git mem capture --stdin.

Examples:
  git mem watch
  git mem watch --json | jq .added
  git mem watch --transcripts
  git mem watch --transcripts codex --since yesterday --once`)
    .action(async (options: { json?: boolean } & Partial<TranscriptOptions>, command: Command) => {
      const { transcripts } = options;
      if (transcripts !== undefined) {
        if (options.all && options.since !== undefined) command.error('error: give --since or --all', { exitCode: 2 });
        const { watchTranscripts } = await import('../transcript-watch.ts');
        return watchTranscripts(context, { ...options, transcripts });
      }
      if (options.all || options.once || options.since !== undefined)
        command.error('error: --since, --all and --once go with --transcripts', { exitCode: 2 });
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
    });
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
