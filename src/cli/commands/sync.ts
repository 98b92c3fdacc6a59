import type { Command } from 'commander';
import { openCache } from '../../cache/cache.ts';
import { conditionOf } from '../../cache/condition.ts';
import type { Context } from '../context.ts';
import { printJson, shown } from '../print.ts';
import { bytes, counted } from '../quantities.ts';

export function register(program: Command, context: Context): void {
  program
    .command('sync')
    .description('bring the cache up to the files')
    .option('--rebuild', 'from nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Never needed for a right answer: every command that reads syncs by itself.

Examples:
  git mem sync              what changed since the last time, and how long it took
  git mem sync --rebuild    throws the cache away first`,
    )
    .action(async (options: { rebuild?: boolean; json?: boolean }) => {
      const { workspace } = context.project();
      const cache = openCache(workspace);
      try {
        const start = performance.now();
        const { changed, gone, added, problems } = await cache.sync({ rebuild: options.rebuild === true });
        const took_ms = Math.round(performance.now() - start);
        const condition = await conditionOf(workspace, cache);
        if (options.json) {
          return printJson(context.stdout, {
            rebuilt: options.rebuild === true,
            ...{ changed, gone, added, problems, took_ms },
            cache: { ...condition, reason: condition.reason ?? null },
          });
        }
        const parts = [
          changed > 0 && `${counted(changed, 'file')} new or changed`,
          added > 0 && added !== changed && `${added} never seen before`,
          gone > 0 && `${gone} gone`,
        ].filter((part) => part !== false);
        context.stdout.write(`${parts.length > 0 ? parts.join(', ') : 'Nothing changed'} (${took_ms} ms).\n`);
        context.stdout.write(
          `${counted(condition.documents, 'record')} in the cache, ${condition.persistent ? bytes(condition.size) : 'in memory only'}.\n`,
        );
        if (condition.reason) context.stderr.write(`${shown(condition.reason)}\n`);
        for (const { path, message } of problems) context.stderr.write(`${shown(path)}: ${shown(message)}\n`);
      } finally {
        cache.close();
      }
    });
}
