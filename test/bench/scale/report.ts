import { type Figure, printTable } from '../table.ts';
import { type Cost, type Failure, isCost } from './child-cost.ts';

/** How much more what is promised to be flat may cost than with the smallest store, measured in turn. */
const FLAT = 1.3;
/** Process times are counted in ticks of ten milliseconds. */
const TICK_MS = 10;
/** What costs more than this much more for ten times the records grows with more than their number. */
const STEEP = 12;

/** A row of the table: what one command cost at each size, or in what way it failed. */
export interface Row {
  name: string;
  note: string;
  isFlat: boolean;
  costs: (Cost | Failure | undefined)[];
  /** Of what is promised to be flat: the cost with the smallest store, measured in turn with this size. */
  beside: (Cost | undefined)[];
}

/** The tables, why what grows does, and what failed; gives what is promised to be flat. */
export function printScale(rows: Row[], sizes: number[], facts: string[][]): Figure[] {
  if (rows.length === 0) return [];
  const names = sizes.map((size) => size.toLocaleString('en'));
  printTable(
    'Scale: CPU time in ms (user and system, children included), and its growth for each tenfold of the records',
    ['', ...names, 'a tenfold', ''],
    rows.map((row) => [
      row.name,
      ...cells(row, sizes, ({ cpuMs, heapMb }) => `${cpuMs.toFixed(0)}${heapMb === undefined ? '' : '*'}`),
      growthOf(row, sizes)?.toFixed(2) ?? '',
      verdictOf(row, sizes),
    ]),
  );
  const asked = rows.flatMap(({ costs }) => costs.flatMap((cost) => (isCost(cost) && cost.heapMb) || []));
  if (asked.length > 0)
    console.log(
      `* with the heap that the command asks for, ${Math.max(...asked)} MB at most; node takes less by itself.`,
    );
  printTable(
    'Scale: wall time in ms / largest resident process in MB',
    ['', ...names],
    rows.map((row) => [
      row.name,
      ...cells(row, sizes, ({ wallMs, peakMb }) => `${wallMs.toFixed(0)} / ${peakMb.toFixed(0)}`),
    ]),
  );
  printTable('Scale: sizes in MB', ['records', 'text', '.git (gc up to 200,000)', 'cache', 'files'], facts);
  const flat = rows.filter(({ isFlat }) => isFlat);
  printTable(
    `Scale: what is promised to be flat, against ${names[0]} records measured in turn; at most ${FLAT}`,
    ['', ...names.slice(1), ''],
    flat.map((row) => [row.name, ...ratiosOf(row).slice(1).map(shownRatio), verdictOf(row, sizes)]),
  );
  console.log('\nWhy it grows\n');
  for (const { name, note } of rows) console.log(`  ${name}: ${note}.`);
  const failed = rows.flatMap(({ name, costs }) =>
    costs.flatMap((cost, i) => (cost && !isCost(cost) ? [`  ${name}, ${names[i]} records: ${cost.why}.`] : [])),
  );
  if (failed.length > 0) console.log(`\nWhat did not come to an end\n\n${failed.join('\n')}`);
  return flat.map((row) => ({
    promise: `${row.name} with ${names.slice(1).join(' and ')} records, times that with ${names[0]}`,
    bound: `<= ${FLAT}`,
    value: ratiosOf(row).slice(1).map(shownRatio).join(', '),
    holds: verdictOf(row, sizes) !== 'BROKEN',
  }));
}

function cells({ costs }: Row, sizes: number[], of: (cost: Cost) => string): string[] {
  return sizes.map((_, i) => {
    const cost = costs[i];
    return cost === undefined ? '' : isCost(cost) ? of(cost) : cost.cell;
  });
}

/** How much more CPU time ten times the records cost, on average; undefined where there is nothing to compare. */
function growthOf({ costs }: Row, sizes: number[]): number | undefined {
  const measured = costs.flatMap((cost, i) => (isCost(cost) ? [{ cost, size: sizes[i] ?? 1 }] : []));
  const [first, last] = [measured[0], measured.at(-1)];
  if (first === undefined || last === undefined || measured.length < 2) return undefined;
  const more = Math.max(last.cost.cpuMs, TICK_MS / 10) / Math.max(first.cost.cpuMs, TICK_MS / 10);
  return more ** (1 / Math.log10(last.size / first.size));
}

function ratiosOf({ costs, beside }: Row): (number | undefined)[] {
  return costs.map((cost, i) => {
    const base = beside[i];
    if (!isCost(cost) || base === undefined) return undefined;
    // Half a tick is what a few milliseconds may be mistaken by.
    return cost.cpuMs / Math.max(base.cpuMs, TICK_MS / 2);
  });
}

function shownRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2);
}

function verdictOf(row: Row, sizes: number[]): string {
  const isFailed = row.costs.some((cost) => cost && !isCost(cost));
  if (!row.isFlat) {
    if (isFailed) return 'failed';
    return (growthOf(row, sizes) ?? 0) > STEEP ? 'steeper than linear' : '';
  }
  if (isFailed) return 'BROKEN';
  const ratios = ratiosOf(row).filter((ratio) => ratio !== undefined);
  if (ratios.length === 0) return '';
  return ratios.every((ratio) => ratio <= FLAT) ? 'flat' : 'BROKEN';
}
