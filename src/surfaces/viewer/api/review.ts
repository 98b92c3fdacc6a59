import { defaultBranches } from '../../../git/default-branch.ts';
import { isContent } from '../../../memory/record.ts';
import { type Comparison, compareMemory } from '../../../review/diff.ts';
import { type DiffSection, sectionsOf, summaryOf } from '../../../review/diff-outline.ts';
import { rangeOf } from '../../../review/memory-tree.ts';
import type { Library } from '../library.ts';
import type { Review, ReviewItem } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';

/** Most texts in the changes, so that a page stays within a few megabytes. The other records are only named. */
const MOST_TEXTS = 500;

/** What this branch, or the working tree, changed in the memory since it left a base; throws no-such-revision. */
export async function review({ project, snapshot }: Library, query: URLSearchParams): Promise<Review> {
  const { workspace } = project;
  const asked = query.get('base') || undefined;
  const comparison = await compareMemory(workspace, await rangeOf(workspace, asked));
  const { diff } = comparison;
  const [branch = ''] = defaultBranches(workspace);
  const texts = textsOf(comparison);
  const now = await snapshot();
  // Only the rest of the line: the title is shown separately.
  const sections = sectionsOf(diff, {
    title: () => '',
    foreign: (text) => text,
    list: (all) => all.join(', '),
    // The texts are shown below.
    under: () => '',
  });
  const shown: Review['sections'] = [];
  for (const { key, title, level, items, lines } of sections) {
    const list: ReviewItem[] = [];
    for (const [i, item] of items.entries()) {
      const note = (lines[i] ?? '').replace(item.path, '').replace(/^[\s:,]+/, '');
      list.push({ ...nameOf(item, now), note, ...(await texts(key, item)) });
    }
    shown.push({ key, title, level, items: list });
  }
  return {
    base: diff.base,
    head: diff.head,
    base_name: asked ?? branch.replace(/^refs\/(?:heads|remotes)\//, ''),
    ok: diff.ok,
    summary: summaryOf(diff),
    sections: shown,
  };
}

function nameOf(
  { id, title = '', path }: DiffSection['items'][number],
  { byId, judgement }: Snapshot,
): Pick<ReviewItem, 'id' | 'title' | 'path' | 'trust' | 'files'> {
  const placed = id ? byId.get(id) : undefined;
  const isWithheld = placed !== undefined && judgement.states.of(id ?? '').redacted;
  const files = isWithheld ? [] : (placed?.document.card.files ?? []);
  return { id: id || null, title, path, trust: placed ? judgement.trust(placed) : null, files };
}

type Texts = Pick<ReviewItem, 'here' | 'before' | 'after'>;

/** Returns a function that gives a record's texts, without secrets or redacted text, and whether the record is here. */
function textsOf({
  diff,
  base,
  head,
  safe,
  isWithheld,
}: Comparison): (key: string, item: { id?: string; path: string }) => Promise<Texts> {
  const by = new Map(diff.superseded.map(({ id, by: [newer] }) => [id, newer]));
  const twins = new Map(diff.duplicates.map(({ id, other }) => [id, other]));
  const others = new Map(diff.other_files.map((file) => [file.path, file]));
  let left = MOST_TEXTS;
  const text = async (set: typeof base, id: string | undefined) => {
    const filed = id === undefined || isWithheld(id) ? undefined : set.byId.get(id);
    return filed === undefined ? null : safe(filed.text);
  };
  return async (key, { id, path }) => {
    const sides: Record<string, () => Promise<[string | null, string | null]>> = {
      added: async () => [null, await text(head, id)],
      suspicious: async () => [null, await text(head, id)],
      stale_by_change: async () => [null, await text(head, id)],
      duplicates: () => Promise.all([text(head, twins.get(id ?? '')), text(head, id)]),
      edited: () => Promise.all([text(base, id), text(head, id)]),
      superseded: () => Promise.all([text(head, id), text(head, by.get(id ?? ''))]),
      deleted: async () => [await text(base, id), null],
    };
    const file = key === 'other_files' ? others.get(path) : undefined;
    if (file?.change === 'edited') return { here: false, before: file.before || null, after: file.after };
    const side = id ? sides[key] : undefined;
    const isOver = key === 'deleted' || key === 'suspicious' || key === 'superseded' || isWithheld(id ?? '');
    const record = head.byId.get(id ?? '')?.record;
    const here = side !== undefined && !isOver && record !== undefined && isContent(record);
    if (side === undefined || left-- <= 0) return { here, before: null, after: null };
    const [before, after] = await side();
    return { here, before, after };
  };
}
