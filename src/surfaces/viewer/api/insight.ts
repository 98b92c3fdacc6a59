import { readSpending, spendingPath } from '../../../capture/extract/budget.ts';
import { isHidden } from '../../../memory/marks.ts';
import { isContent, type Observation } from '../../../memory/record.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import type { Project } from '../../../project.ts';
import { judgeOf } from '../../../provenance/whereabouts.ts';
import { frequencies } from '../../../quantities.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { statisticsOf } from '../../../recall/query/statistics.ts';
import { lastingFor } from '../lasting.ts';
import type { Library } from '../library.ts';
import type { Insight } from '../protocol-insight.ts';
import type { Snapshot } from '../snapshot.ts';

/** Most files and concepts that are named: more boxes than a screen can draw. */
const MOST = 2000;

/** The numbers that depend on the records alone. */
export type Counts = Omit<Insight, 'tokens'> & { tokens: Pick<Insight['tokens'], 'discovery' | 'read' | 'saved'> };

/** Counts of each snapshot, cached because counting is expensive. */
const counted = lastingFor<Snapshot, Counts>();

/** The memory in numbers. */
export async function insight(library: Library, now: Date): Promise<Insight> {
  const { project } = library;
  const [{ tokens, ...rest }, { tokens: injected }] = await Promise.all([countsFor(library), project.briefing()]);
  return { ...rest, tokens: { spent: spentOf(project, now), injected, ...tokens } };
}

/** The numbers that depend on the records alone. Reads every record, so an answer is reused for a while. */
export async function countsFor({ project, snapshot }: Library): Promise<Counts> {
  return counted(await snapshot(), () => countAll(project.workspace));
}

/** The numbers of several memories together, without their files: the same path is another file in each. */
export function summed(all: Counts[]): Counts {
  const months = new Map<string, Map<string, number>>();
  for (const { month, types } of all.flatMap((counts) => counts.months)) {
    months.set(month, added(months.get(month) ?? new Map(), types));
  }
  const of = (pick: (counts: Counts) => Record<string, number>) => {
    return Object.fromEntries(all.reduce((sums, counts) => added(sums, pick(counts)), new Map<string, number>()));
  };
  const listed = (pick: (counts: Counts) => Counts['types']) => {
    const sums = of((counts) => Object.fromEntries(pick(counts).map(({ name, count }) => [name, count])));
    return Object.entries(sums)
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST);
  };
  return {
    days: of(({ days }) => days),
    months: axisOf(months),
    types: listed(({ types }) => types),
    concepts: listed(({ concepts }) => concepts),
    files: [],
    trust: { ...NO_TRUST, ...of(({ trust }) => trust) },
    freshness: { ...NO_FRESHNESS, ...of(({ freshness }) => freshness) },
    tokens: { discovery: 0, read: 0, saved: 0, ...of(({ tokens }) => tokens) },
  };
}

function added(sums: Map<string, number>, counts: Record<string, number>): Map<string, number> {
  for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const NO_TRUST: Insight['trust'] = { reviewed: 0, own: 0, edited: 0, unreviewed: 0 };
const NO_FRESHNESS: Insight['freshness'] = { fresh: 0, touched: 0, moved: 0, gone: 0, unknown: 0 };

async function countAll(workspace: Workspace): Promise<Counts> {
  return countsOf(workspace, (await readEverything(workspace)).records);
}

/** Counts records in every way that the page shows. */
export async function countsOf(workspace: Workspace, records: Annotated[]): Promise<Counts> {
  const active = records.filter(({ record, state }) => {
    return isContent(record) && !isHidden(state);
  });
  const { by_type, by_trust, by_freshness, concepts, files, tokens } = statisticsOf(records, { most: MOST });
  const stale = await staleByFile(workspace, active);
  return {
    days: daysOf(active),
    months: monthsOf(active),
    types: Object.entries(by_type).map(([name, count]) => ({ name, count })),
    concepts,
    files: files.map(({ name, count }) => ({ path: name, count, stale: stale.get(name) ?? 0 })),
    trust: { ...NO_TRUST, ...by_trust },
    freshness: { ...NO_FRESHNESS, ...by_freshness },
    tokens: { discovery: tokens.discovery, read: tokens.read_of_these, saved: tokens.saved },
  };
}

function daysOf(active: Annotated[]): Insight['days'] {
  const days = frequencies(active.map(({ record }) => record.generated.at.slice(0, 10)));
  return Object.fromEntries(days.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function monthsOf(active: Annotated[]): Insight['months'] {
  const months = new Map<string, Map<string, number>>();
  for (const { record } of active) {
    if (record.kind === 'prompt') continue;
    const month = record.generated.at.slice(0, 7);
    const types = months.get(month) ?? new Map<string, number>();
    months.set(month, types.set(record.type, (types.get(record.type) ?? 0) + 1));
  }
  return axisOf(months);
}

function axisOf(months: ReadonlyMap<string, ReadonlyMap<string, number>>): Insight['months'] {
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
async function staleByFile(workspace: Workspace, active: Annotated[]): Promise<Map<string, number>> {
  const observations = active.map(({ record }) => record).filter(isObservation);
  const cited = observations.map(({ anchors }) => anchors);
  const judge = await judgeOf(workspace, cited);
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
