import type { Command } from 'commander';
import type { Annotated } from '../../recall/annotate.ts';
import { readEverything, select } from '../../recall/read.ts';
import { viewOf } from '../../recall/view.ts';
import type { Context } from '../context.ts';
import { addFilters, type FilterOptions, filterOf } from '../filter-options.ts';
import { fitted, printJson, shown, styler, widthOf } from '../print.ts';
import { foldersOf } from '../store-folders.ts';

export function register(program: Command, context: Context): void {
  addFilters(program.command('list').description('list records, newest first'), 30)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  git mem list                                  the newest observations and summaries
  git mem list --type decision --since 2026-11  what was decided since November
  git mem list --file src/auth.ts               what is known about a file
  git mem list --kind prompt --limit 5          the last prompts (private store)`,
    )
    .action(async (options: FilterOptions & { json?: boolean }) => {
      const { workspace } = context.project();
      const { records, problems } = await readEverything(workspace);
      const found = select(records, filterOf(options));
      const page = found.slice(0, options.limit);
      if (options.json) {
        const folders = foldersOf(workspace);
        return printJson(context.stdout, { total: found.length, records: page.map((one) => viewOf(one, folders)) });
      }
      printTable(page, context);
      const more = found.length - page.length;
      if (found.length === 0) context.stderr.write('No record matches.\n');
      if (more > 0) context.stderr.write(`${more} more: --limit ${found.length} shows them all.\n`);
      if (problems.length > 0) context.stderr.write(`${problems.length} files do not parse: see \`git mem doctor\`.\n`);
    });
}

function printTable(records: Annotated[], { stdout, env }: Context): void {
  const style = styler(stdout, env);
  const idWidth = Math.max(4, ...records.map(({ shortId }) => shortId.length));
  const rows = records.map(({ record, shortId, state, trust, freshness, entry }) => {
    const type = record.kind === 'prompt' ? 'prompt' : record.type;
    const notes = [
      state.pinned && 'pinned',
      state.superseded_by.length > 0 && 'superseded',
      state.retired && 'retired',
      state.disputed && 'disputed',
      freshness !== 'fresh' && freshness !== 'unknown' && freshness,
      trust !== 'reviewed' && trust !== 'own' && trust,
      entry.store === 'private' && 'private',
    ].filter((note) => note !== false);
    const when = record.generated.at.slice(0, 16).replace('T', ' ');
    const note = notes.length > 0 ? `  [${notes.join(', ')}]` : '';
    const fixed = idWidth + 1 + 16 + 1 + 10 + note.length;
    const title = fitted(shown(titleOf(record)), stdout.isTTY ? Math.max(20, widthOf(stdout) - fixed) : 200);
    return `${style('yellow', shortId.padEnd(idWidth))} ${style('dim', when)} ${style('cyan', fitted(shown(type), 9).padEnd(9))} ${title}${style('dim', note)}\n`;
  });
  stdout.write(rows.join(''));
}

function titleOf(record: Annotated['record']): string {
  if (record.kind === 'mark') return `${record.targets.join(', ')} ${record.reason}`.trim();
  return record.kind === 'prompt' ? (record.text.split('\n')[0] ?? '') : record.title;
}
