import { existsSync } from 'node:fs';
import { searchSources } from '../../../exchange/places/search.ts';
import { openCache } from '../../../index/cache.ts';
import { PERSONAL } from '../../../memory/store/personal.ts';
import { changedHere, changedSentence } from '../../../provenance/hand-edits.ts';
import { editedSentence, uncommittedSentence, untrackedRecords } from '../../../provenance/untracked.ts';
import { counted } from '../../../quantities.ts';
import { listNewest } from '../../../search/listing.ts';
import { FIRST_MEMORY, NOT_SET_UP } from '../../../setup/check.ts';
import { silences } from '../../../setup/checks/silences.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { ALL_REPOSITORIES, addFilters, type OtherOptions, openReading, othersFor } from '../filter-options.ts';
import type { FilterOptions } from '../option-values.ts';
import { printMore } from '../print.ts';
import { foundView, printRecords, RECORD_WORDS } from '../record-table.ts';

type Options = FilterOptions & OtherOptions & Flags<'json'>;

/** Lines of a listing without `--limit`: about what a terminal shows. */
const LIMIT = 30;

export const register: Register = (program, context) =>
  addFilters(define(program, 'list', 'list records, newest first'), { now: context.now, limit: LIMIT })
    .addOption(ALL_REPOSITORIES)
    .jsonAndNotes(`
Examples:
  git mem list --type decision --since 2026-11  what was decided since November
  git mem list --file 'src/auth/**'             what is known about some files
  git mem list --since "last week"              since Monday of last week
  git mem list --kind prompt --limit 5          the last prompts (private store)
  git mem list --freshness touched              records that name something gone
  git mem list --store personal                 what agents know about you (\`git mem personal\`)

${RECORD_WORDS}`)
    .action((options: Options) => list(options, context));

async function list(options: Options, context: Context): Promise<void> {
  const { project, workspace, filter, ...from } = await openReading(context, options);
  const cache = openCache(workspace);
  const others = await othersFor(context, project, options);
  try {
    const source = { ...from, workspace, cache };
    const limit = options.limit ?? LIMIT;
    const isWhole = Object.keys(filter).length === 0 && others.sources.length === 0;
    const isNow = isWhole && !options.json && workspace.at === undefined;
    const uncommitted = isNow ? untrackedRecords(workspace) : [];
    const silent = isNow ? silences(workspace, context.now()) : [];
    const found = isWhole
      ? await listNewest(workspace, cache, limit)
      : await searchSources(source, others.sources, { text: '', filter, limit });
    const { total } = found;
    const hits = 'hits' in found ? found.hits : found.records.map((annotated) => ({ annotated, source }));
    const unread = 'unreadable' in found ? found.unreadable : undefined;
    if (options.json) return context.json({ total, records: hits.map(foundView) });
    printRecords(hits, workspace, context, { knownIds: found.near });
    const next = existsSync(workspace.layout.memory) ? FIRST_MEMORY : NOT_SET_UP;
    const first = from.origin === PERSONAL ? '`git mem add --personal` writes one.' : next;
    const { team, private: own } = workspace.stores;
    const isEmpty = () => team.ids().length + own.ids().length === 0;
    if (total === 0) context.say(isEmpty() ? `There are no records yet. ${first}` : 'No record matches.');
    printMore(context, hits.length, total);
    const records = (await uncommitted).length;
    const shown = hits.map(({ annotated }) => annotated);
    const edited = shown.filter(({ trust }) => trust === 'edited').length;
    if (edited > 0) context.say(editedSentence(edited));
    if (records > 0) context.say(uncommittedSentence({ records, other_branch: 0 }));
    const changed = changedHere(workspace, shown);
    if (changed.length > 0) context.say(changedSentence(changed));
    for (const sentence of await silent) context.say(sentence);
    const unreadable = unread ?? (await cache.query((index) => index.unreadable().length));
    const files = `${counted(unreadable, 'file')} ${unreadable === 1 ? 'does' : 'do'}`;
    if (unreadable > 0) context.say(`${files} not parse: see \`git mem doctor\`.`);
  } finally {
    cache.close();
    others.close();
  }
}
