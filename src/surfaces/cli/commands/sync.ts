import { once } from 'node:events';
import { forgetNames } from '../../../capture/by-hand/copies.ts';
import { messageOf } from '../../../errors.ts';
import { type Cache, conditionOf, openCache, withCache } from '../../../index/cache.ts';
import type { Card } from '../../../index/memory-index.ts';
import type { WatchedChange } from '../../../index/watch.ts';
import { oneAtATime } from '../../../one-at-a-time.ts';
import { visibleJson } from '../../../privacy/sanitise.ts';
import type { Project } from '../../../project.ts';
import { activeRedactions } from '../../../provenance/redactions.ts';
import { bytes, counted } from '../../../quantities.ts';
import { noteKnownRecords } from '../../../records/judgement.ts';
import { interruptible } from '../capturing.ts';
import { type Command, type Context, define, type Flags, type Register } from '../command.ts';
import type { TranscriptOptions } from '../log-capture.ts';
import { fitted, shown } from '../print.ts';
import { withProgress } from '../progress.ts';

type Options = Partial<TranscriptOptions> & Flags<'rebuild' | 'watch'>;

export const register: Register = (program, context) =>
  define(program, 'sync', "bring the cache up to date with the files, or the memory with agents' logs")
    .option('--rebuild', 'from nothing')
    .option('--watch', 'then keep it so and print what changes, until Ctrl-C')
    .option(
      '--transcripts [names...]',
      'instead capture sessions from the logs of agents whose hooks do not report them',
    )
    .option('--since <date>', 'with --transcripts: also what was written since then')
    .option('--json', 'print JSON; with --watch an object a line for each burst of changes')
    .notes(`
You never need to run this: every command that reads syncs by itself. Where a model for search by meaning is set up
(embed.provider), this also makes the vectors of all records that lack them.

A damaged cache is noticed and rebuilt. Up to 4 MB (some hundred records) a checksum covers every byte, whenever it is
opened. Of a larger one each record's entry has a checksum, the word index and the vectors have none: damage there can
cost or reorder hits until \`--rebuild\`.

--transcripts reads the logs of claude-code, codex and gemini-cli that are about this repository, from the first time it is
run. It resumes where it stopped, and leaves sessions to the hooks that report them. For other agents there is
\`git mem capture\`. \`watch\` stands for \`sync --watch\`.

Examples:
  git mem sync --rebuild    throws the cache away first
  git mem sync --watch      + is new, ~ was edited, - is gone from this checkout
  git mem sync --transcripts codex --since yesterday`)
    .action(async (options: Options, command: Command) => {
      const { transcripts } = options;
      if (transcripts !== undefined) {
        if (options.watch) command.error('error: --watch goes without --transcripts', { exitCode: 2 });
        const { captureLogs } = await import('../log-capture.ts');
        return captureLogs(context, { ...options, transcripts });
      }
      if (options.since !== undefined) command.error('error: --since goes with --transcripts', { exitCode: 2 });
      const project = context.project();
      const { workspace } = project;
      if (options.rebuild) forgetNames(workspace, [...(await activeRedactions(workspace)).ids]);
      if (options.watch) {
        if (options.rebuild) await withCache(workspace, (cache) => cache.sync({ rebuild: true }));
        return watchCache(context, options);
      }
      return withCache(workspace, async (cache) => {
        const start = performance.now();
        const { changed, gone, added, problems } = await cache.sync({ rebuild: options.rebuild === true });
        const took_ms = Math.round(performance.now() - start);
        await noteKnownRecords(workspace, cache);
        await project.readHistory(cache, { now: true, signal: new AbortController().signal });
        const vectors = await embed(project, cache, context, options.json === true);
        // The sync has already reported them.
        const { unreadable: _, ...condition } = await conditionOf(workspace, cache);
        if (options.json) {
          const did = { rebuilt: options.rebuild === true, changed, gone, added, problems, took_ms };
          const now = { ...condition, reason: condition.reason ?? null };
          return context.json({ ...did, ...(vectors && { vectors }), cache: now });
        }
        const parts = [
          changed > 0 && `${counted(changed, 'file')} new or changed`,
          added > 0 && added !== changed && `${added} never seen before`,
          gone > 0 && `${gone} gone`,
        ].filter(Boolean);
        context.stdout.write(`${parts.join(', ') || 'Nothing changed'} (${took_ms} ms).\n`);
        const size = condition.persistent ? bytes(condition.size) : 'in memory only';
        context.stdout.write(`${counted(condition.documents, 'record')} in the cache, ${size}.\n`);
        if (vectors) context.stdout.write(`${sentenceOf(vectors)}\n`);
        if (vectors?.problem) context.say(vectors.problem);
        if (condition.reason && !condition.persistent) context.say(condition.reason);
        for (const { path, message } of problems) context.say(`${path}: ${message}`);
      });
    });

/** Computes the vectors of a configured model, with progress on a terminal. */
async function embed(project: Project, cache: Cache, context: Context, isQuiet: boolean) {
  const model = await project.embedder();
  if (model === undefined) return undefined;
  const embedded = await withProgress(context, isQuiet, (show) =>
    project.embed(cache, { onProgress: (done, all) => show(`${done} of ${all} vectors`) }),
  );
  if (embedded === undefined) return undefined;
  return { model: model.name, problem: null, ...embedded };
}

function sentenceOf({ model, embedded, missing }: NonNullable<Awaited<ReturnType<typeof embed>>>): string {
  const rest = missing > 0 ? `, ${counted(missing, 'record')} without` : '';
  return embedded > 0 || missing > 0
    ? `${counted(embedded, 'vector')} made by ${shown(model)}${rest}.`
    : `Every record has its vector by ${shown(model)}.`;
}

/** Most records that are printed one by one; a branch switch may bring thousands. */
const NAMED = 20;

/** Keeps the cache warm and prints what changes, until Ctrl-C: `git mem sync --watch`. */
async function watchCache(context: Context, options: Flags<'json'>): Promise<void> {
  const project = context.project();
  const { workspace } = project;
  const cache = openCache(workspace);
  const onError = (error: unknown) => context.say(messageOf(error));
  try {
    const { watchMemory } = await import('../../../index/watch.ts');
    await interruptible(async (signal) => {
      const embedNew = async () => {
        const made = await project.embed(cache, { signal });
        if (made?.problem) context.say(made.problem);
      };
      const vectors = oneAtATime(embedNew, { signal, onError });
      const watching = await watchMemory(workspace, cache, {
        onChange(change) {
          print(change, context, options.json);
          void vectors.wake();
        },
        onError,
      });
      context.say(`Watching ${counted(watching.records, 'record')}. Ctrl-C ends this.`);
      void vectors.wake();
      if (!signal.aborted) await once(signal, 'abort');
      await vectors.idle();
      await watching.close();
    });
  } finally {
    cache.close();
  }
}

function print({ added, edited, removed, tookMs }: WatchedChange, { stdout, style }: Context, isJson = false): void {
  if (isJson) {
    const brief = (cards: Card[]) => cards.map(({ id, kind, type, title }) => ({ id, kind, type, title }));
    const line = { added: brief(added), edited: brief(edited), removed: brief(removed), took_ms: Math.round(tookMs) };
    return void stdout.write(`${visibleJson(JSON.stringify(line))}\n`);
  }
  const signed = (sign: string, cards: Card[]) => cards.map((card) => ({ sign, card }));
  const [plus, tilde, minus] = [style('green', '+'), style('yellow', '~'), style('red', '-')];
  const all = [...signed(plus, added), ...signed(tilde, edited), ...signed(minus, removed)];
  for (const { sign, card } of all.slice(0, NAMED)) {
    const type = style('cyan', fitted(shown(card.type), 9).padEnd(9));
    stdout.write(`${sign} ${style('yellow', card.id)} ${type} ${shown(card.title)}\n`);
  }
  if (all.length > NAMED) {
    const counts = `${added.length} new, ${edited.length} edited, ${removed.length} gone`;
    stdout.write(style('dim', `  and ${all.length - NAMED} more: ${counts} in ${Math.round(tookMs)} ms\n`));
  }
}
