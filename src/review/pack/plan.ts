import { isNewer } from '../../memory/format.ts';
import { packedIds } from '../../memory/packs.ts';
import { isContent, type Observation, type Summary } from '../../memory/record.ts';
import type { Entry } from '../../memory/store/store.ts';
import { isTrusted } from '../../provenance/trust.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import { digestOf, type Packable } from './digest.ts';

export interface PackPlan {
  digests: { month: string; record: Observation | Summary; packed: Packable[] }[];
  /** Files to remove: records that the digests replace, and marks on nothing else. */
  removed: Entry[];
  /** Records before the date that stay, counted by reason. */
  kept: { pinned: number; verified: number; disputed: number; untrusted: number; few: number };
}

/** A digest of fewer records would be no shorter than they are. */
const LEAST = 3;

/** Most records in one digest: its list of ids, of 14 characters each, has to fit into the 65,536 of front matter. */
const MOST = 1000;

/**
 * Plans which records of the team store to pack: whole months that end before `before` (`2026-11-01T00:00:00Z`).
 * Pinned, verified, disputed and unreviewed records stay.
 */
export function planPack(records: Annotated[], before: string): PackPlan {
  const kept: PackPlan['kept'] = { pinned: 0, verified: 0, disputed: 0, untrusted: 0, few: 0 };
  const groups = new Map<string, Packable[]>();
  for (const one of records.filter(isPackable)) {
    const month = monthOf(one.entry);
    if (month === undefined || endOf(month) > before) continue;
    const reason = reasonToKeep(one);
    if (reason !== undefined) kept[reason]++;
    else {
      const key = `${month} ${one.record.kind}`;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
  }
  const digests: PackPlan['digests'] = [];
  for (const [key, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const month = key.slice(0, 7);
    if (group.length < LEAST) kept.few += group.length;
    else for (const packed of portions(group)) digests.push({ month, record: digestOf(month, packed), packed });
  }
  const packed = digests.flatMap(({ packed }) => packed.map(({ entry }) => entry));
  const earlier = records.flatMap(({ record }) => packedIds(record));
  const needless = marksOnNothingElse(records, [...earlier, ...packed.map(({ id }) => id)]);
  const marks = digests.length === 0 ? [] : withoutLast(needless, records);
  return { digests, removed: [...packed, ...marks], kept };
}

/** Observations and summaries of the team; neither digests nor records that only a newer version understands fully. */
function isPackable(one: Annotated): one is Packable {
  const { record, entry } = one;
  return isContent(record) && entry.store === 'team' && packedIds(record).length === 0 && !isNewer(record);
}

function reasonToKeep({ state, trust }: Packable): keyof PackPlan['kept'] | undefined {
  if (state.pinned) return 'pinned';
  if (state.verified) return 'verified';
  if (state.disputed) return 'disputed';
  return isTrusted(trust) ? undefined : 'untrusted';
}

/** The month of a record's folder; undefined if somebody moved the file, because it would not be found there again. */
function monthOf({ path, time }: Entry): string | undefined {
  const month = path.split('/')[1] ?? '';
  return time.startsWith(month) ? month : undefined;
}

/** The first instant after a month. */
function endOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 1970, number ?? 1, 1)).toISOString().replace('.000Z', 'Z');
}

function portions(group: Packable[]): Packable[][] {
  const sorted = group.toSorted((a, b) => (a.entry.path < b.entry.path ? -1 : 1));
  const count = Math.ceil(sorted.length / MOST);
  const size = Math.ceil(sorted.length / count);
  return Array.from({ length: count }, (_, i) => sorted.slice(i * size, (i + 1) * size));
}

/** Marks whose targets are all removed, and in turn the marks that undo these. */
function marksOnNothingElse(records: Annotated[], ids: string[]): Entry[] {
  const gone = new Set(ids);
  const found: Entry[] = [];
  let rest = records.filter(({ record, entry, trust }) => {
    return record.kind === 'mark' && entry.store === 'team' && isTrusted(trust) && !isNewer(record);
  });
  for (let before = -1; before !== rest.length; ) {
    before = rest.length;
    rest = rest.filter(({ record, entry }) => {
      if (record.kind !== 'mark' || !record.targets.every((target) => gone.has(target))) return true;
      gone.add(record.id);
      found.push(entry);
      return false;
    });
  }
  return found;
}

/**
 * Keeps one mark of each month whose folder would become empty: git takes an empty folder beside new marks for a
 * renamed one, and then moves, or refuses to place, the files that a branch adds to it. A digest has the same effect
 * for records.
 */
function withoutLast(marks: Entry[], records: Annotated[]): Entry[] {
  const going = new Set(marks.map(({ path }) => path));
  const all = records.filter(({ entry }) => entry.store === 'team' && entry.kind === 'mark');
  const staying = new Set(
    all.filter(({ entry }) => !going.has(entry.path)).map(({ entry }) => entry.path.split('/')[1]),
  );
  return marks
    .toSorted((a, b) => (a.path > b.path ? -1 : 1))
    .filter(({ path }) => {
      const month = path.split('/')[1];
      if (staying.has(month)) return true;
      staying.add(month);
      return false;
    });
}
