import { GitMemError } from '../../../errors.ts';
import { withCache } from '../../../index/cache.ts';
import { isId } from '../../../memory/id.ts';
import { readDate } from '../../../search/dates.ts';
import { type Anchor, isSessionLike, type Timeline, timeline } from '../../../search/timeline.ts';
import { define, type Register } from '../command.ts';
import { addCommonFilters, openReading } from '../filter-options.ts';
import { type FilterOptions, wholeNumber } from '../option-values.ts';
import { printRecords, viewsOf } from '../record-table.ts';

/** Records on either side unless asked otherwise: with the one in the middle they fit a terminal. */
const AROUND = 5;

type Options = FilterOptions & { before: number; after: number; json?: boolean };

export const register: Register = (program, context) =>
  addCommonFilters(
    define(
      program,
      'timeline',
      'show what happened around a record, a date or the answer to a question, or in a session',
    )
      .argument('<anchor...>', 'an id, a date, a session, or words')
      .option('--before <n>', 'this many older records', wholeNumber, AROUND)
      .option('--after <n>', 'this many newer records', wholeNumber, AROUND),
  )
    .jsonAndNotes(`
Oldest first; > marks the record that the others are shown around.

Examples:
  git mem timeline k3v9 --before 0          what came of a record
  git mem timeline 2026-11-20               around the beginning of a day
  git mem timeline "last week" --after 20
  git mem timeline 65939976                 all that one session left (\`git mem sessions\`)
  git mem timeline why is the cache slow    around the best answer to a question`)
    .action(async (words: string[], { before, after, ...options }: Options) => {
      const { workspace, filter } = await openReading(context, options);
      return withCache(workspace, async (cache) => {
        const found = await around(words.join(' '), context.now(), (anchor) =>
          timeline(workspace, cache, anchor, { before, after, filter }),
        );
        if (options.json) {
          return context.json({ anchor: found.anchor ?? null, items: viewsOf(found.items, workspace) });
        }
        if (found.items.length === 0) return context.say('Nothing found.');
        const rows = found.items.map((annotated) => ({ annotated, isAnchor: annotated.record.id === found.anchor }));
        printRecords(rows, workspace, context);
      });
    });

/** Takes the text as a date, else as an id, else as a session, else as a question. */
async function around(text: string, now: Date, look: (anchor: Anchor) => Promise<Timeline>): Promise<Timeline> {
  const at = readDate(text, 'start', now);
  if (at !== undefined) return look({ at });
  // "cache" looks like an id too: only a full id with a digit is unambiguous.
  if (isId(text.toLowerCase()) && /\d/.test(text)) return look({ id: text });
  const byId = /^[0-9a-z]{4,10}$/i.test(text) ? await ifThere(look({ id: text })) : undefined;
  const found = byId ?? (isSessionLike(text) ? await ifThere(look({ session: text })) : undefined);
  return found ?? look({ query: text });
}

async function ifThere(looked: Promise<Timeline>): Promise<Timeline | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (!(error instanceof GitMemError) || error.code !== 'no-such-record') throw error;
    return undefined;
  }
}
