import { readSpending, spendingPath } from '../../../capture/extract/budget.ts';
import { isHidden } from '../../../memory/marks.ts';
import { isContent, type Observation } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { Project } from '../../../project.ts';
import { judgeOf } from '../../../provenance/whereabouts.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { statisticsOf } from '../../../recall/query/statistics.ts';
import { lasting } from '../lasting.ts';
import type { Library } from '../library.ts';
import type { Insight } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';

/** Most files and concepts that are named. */
const MOST = 2000;

/** The numbers that depend on the records alone. */
export type Counts = Omit<Insight, 'tokens'> & { tokens: Pick<Insight['tokens'], 'discovery' | 'read' | 'saved'> };

/** Counts of each snapshot, cached because counting is expensive. */
const counted = new WeakMap<Snapshot, () => Promise<Counts>>();

/** The memory in numbers. Reads every record, so an answer is reused for a while. */
export async function insight({ project, snapshot }: Library, now: Date): Promise<Insight> {
  const current = await snapshot();
  const count = counted.get(current) ?? lasting(() => countAll(project.workspace));
  counted.set(current, count);
  const [{ tokens, ...rest }, { tokens: injected }] = await Promise.all([count(), project.briefing()]);
  return { ...rest, tokens: { spent: spentOf(project, now), injected, ...tokens } };
}

async function countAll(workspace: Workspace): Promise<Counts> {
  return countsOf(workspace, (await readEverything(workspace)).records);
}

/** Counts records in every way that the page shows. */
export async function countsOf(workspace: Workspace, records: Annotated[]): Promise<Counts> {
  const live = records.filter(({ record, state }) => {
    return isContent(record) && !isHidden(state);
  });
  const { by_type, by_trust, by_freshness, concepts, files, tokens } = statisticsOf(records, { most: MOST });
  const stale = await staleByFile(workspace, live);
  return {
    days: daysOf(live),
    months: monthsOf(live),
    types: Object.entries(by_type).map(([name, count]) => ({ name, count })),
    concepts,
    files: files.map(({ name, count }) => ({ path: name, count, stale: stale.get(name) ?? 0 })),
    trust: { reviewed: 0, own: 0, edited: 0, unreviewed: 0, ...by_trust },
    freshness: { fresh: 0, touched: 0, moved: 0, gone: 0, unknown: 0, ...by_freshness },
    tokens: { discovery: tokens.discovery, read: tokens.read_of_these, saved: tokens.saved },
  };
}

function daysOf(live: Annotated[]): Insight['days'] {
  const days = new Map<string, number>();
  for (const { record } of live) {
    const day = record.generated.at.slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return Object.fromEntries([...days].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function monthsOf(live: Annotated[]): Insight['months'] {
  const months = new Map<string, Map<string, number>>();
  for (const { record } of live) {
    if (record.kind === 'prompt') continue;
    const month = record.generated.at.slice(0, 7);
    const types = months.get(month) ?? new Map<string, number>();
    months.set(month, types.set(record.type, (types.get(record.type) ?? 0) + 1));
  }
  const names = [...months.keys()].sort();
  const axis = monthsBetween(names[0], names.at(-1));
  return axis.map((month) => ({ month, types: Object.fromEntries(months.get(month) ?? []) }));
}

/** Months without records are part of the time axis; a far-off date must not make it endless. */
const MOST_MONTHS = 600;

function monthsBetween(first = '', last = ''): string[] {
  const axis: string[] = [];
  for (let month = last; month >= first && month !== '' && axis.length < MOST_MONTHS; month = monthBefore(month)) {
    axis.push(month);
  }
  return axis.reverse();
}

function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}

/** For each cited file, how many records cite an outdated version of it. */
async function staleByFile(workspace: Workspace, live: Annotated[]): Promise<Map<string, number>> {
  const observations = live.map(({ record }) => record).filter(isObservation);
  const judge = await judgeOf(
    workspace,
    observations.map(({ anchors }) => anchors),
  );
  const stale = new Map<string, number>();
  for (const { anchors } of observations) {
    for (const [path, blob] of Object.entries(anchors)) {
      const freshness = judge.file(path, blob);
      if (freshness === 'touched' || freshness === 'gone') stale.set(path, (stale.get(path) ?? 0) + 1);
    }
  }
  return stale;
}

function isObservation(record: Annotated['record']): record is Observation {
  return record.kind === 'observation';
}

function spentOf({ workspace }: Project, now: Date): NonNullable<Insight['tokens']['spent']> {
  const { totals } = readSpending(spendingPath(workspace.layout.state), now);
  return Object.entries(totals).map(([provider, { input, output }]) => ({ provider, tokens: input + output }));
}
