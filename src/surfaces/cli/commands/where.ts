import { openSourceCaches } from '../../../exchange/links/caches.ts';
import { type Known, knownIn } from '../../../exchange/links/search.ts';
import { openRegistered } from '../../../exchange/links/sources.ts';
import { typeOf } from '../../../memory/record.ts';
import { counted, rounded } from '../../../quantities.ts';
import type { Command, Context } from '../command.ts';
import { wholeNumber } from '../option-values.ts';
import { oneLine, printJson, printMore, shown } from '../print.ts';
import { titleOf } from '../record-table.ts';

/** Repositories without `--limit`, and the records named for each: enough to choose where to search. */
const REPOSITORIES = 10;
const NAMED = 3;

export function register(program: Command, context: Context): void {
  program
    .command('where')
    .description('tell which of your repositories know about something, best first')
    .argument('<query...>', 'words, as for search')
    .option('-n, --limit <n>', 'at most this many repositories', wholeNumber, REPOSITORIES)
    .option('--json', 'print JSON')
    .notes(`
It asks the repositories of \`git mem repositories\`, wherever it is called. A record of one is read by its name:

Examples:
  git mem where retry budget
  git mem show platform:k3v9        a record of the repository called platform`)
    .action(async (words: string[], { limit, json = false }: { limit: number; json?: boolean }) => {
      const query = words.join(' ');
      const caches = openSourceCaches();
      try {
        const { sources, notes } = openRegistered(context.env, caches);
        const { known, more } = await knownIn(sources, { text: query, limit: NAMED, now: context.now() }, limit);
        if (json) return printJson(context.stdout, { query, repositories: known.map(viewOf), more, notes });
        for (const note of notes) context.stderr.write(`${shown(note)}\n`);
        const none = 'No repository is known: `git mem init` notes each one that it sets up.';
        if (known.length === 0) context.stderr.write(`${sources.length === 0 ? none : 'None knows of it.'}\n`);
        for (const one of known) print(one, context);
        printMore(context, known.length, known.length + more);
      } finally {
        caches.close();
      }
    });
}

function viewOf({ source, hits, total }: Known) {
  return {
    name: source.origin,
    root: source.workspace.checkout.root,
    total,
    records: hits.map(({ annotated: { record, trust, freshness }, score }) => ({
      id: record.id,
      type: typeOf(record),
      title: titleOf(record),
      created: record.generated.at,
      trust,
      freshness,
      score: rounded(score),
    })),
  };
}

function print({ source, hits, total }: Known, { stdout, style }: Context): void {
  const { origin = '', workspace } = source;
  const place = style('dim', shown(workspace.checkout.root));
  stdout.write(`${style('bold', shown(origin))}  ${counted(total, 'record')}  ${place}\n`);
  for (const { annotated } of hits) {
    const { record, trust } = annotated;
    const note = trust === 'unreviewed' ? style('red', '  [unreviewed]') : '';
    const title = oneLine(titleOf(record));
    stdout.write(`  ${style('yellow', annotated.shortId)} ${style('cyan', shown(typeOf(record)))} ${title}${note}\n`);
  }
}
