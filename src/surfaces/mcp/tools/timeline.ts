import { GitMemError } from '../../../errors.ts';
import { isId } from '../../../memory/id.ts';
import { foldersOf } from '../../../records/view.ts';
import { readDate } from '../../../search/dates.ts';
import { type Anchor, isSessionLike, timeline } from '../../../search/timeline.ts';
import { type Answer, hitOf, lineOf, warningOf } from '../answer.ts';
import type { Arguments } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

/** Default number of records on either side: each costs the agent a line, together as many as a search's. */
const AROUND = 5;

/** Characters of a record's id; what is longer may be the id of a session. */
const FULL_ID = 10;

/** Step two: records before and after a record, a date or the best hit of a query, one line each. */
export async function showTimeline(repository: Repository, given: Arguments<'timeline'>, now: Date): Promise<Answer> {
  const { workspace } = repository.project;
  const { before = AROUND, after = AROUND } = given;
  const found = await timeline(workspace, repository.cache, anchorOf(given, now), { before, after });
  const { anchor } = found;
  // The anchor itself is included whatever its state; a redacted one has no text to show.
  const items = found.items.filter(({ state }) => !state.redacted);
  const lines = items.map((item) => `${item.record.id === anchor ? '> ' : '  '}${lineOf(item)}`);
  if (items.length === 0) lines.push('Nothing happened around that time.');
  return {
    text: [...lines, warningOf(items)].filter(Boolean).join('\n'),
    data: { anchor: anchor ?? null, items: items.map((item) => hitOf(item, foldersOf(workspace))) },
  };
}

function anchorOf({ anchor, query }: Arguments<'timeline'>, now: Date): Anchor {
  if (anchor !== undefined) {
    const at = isId(anchor.trim()) ? undefined : readDate(anchor, 'start', now);
    if (at !== undefined) return { at };
    const text = anchor.trim();
    return !isId(text) && isSessionLike(text) && text.length > FULL_ID ? { session: text } : { id: text };
  }
  if (query !== undefined) return { query };
  throw new GitMemError('bad-input', 'timeline needs a centre.', {
    hint: 'Give `anchor` (an id of a hit, a date, or the id of a session) or `query`.',
  });
}
