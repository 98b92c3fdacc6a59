/** Prints rows as a table with aligned columns; numbers stand right. */
export function printTable(title: string, header: string[], rows: string[][]): void {
  const widths = header.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (row: string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  console.log(`\n${title}\n`);
  for (const row of [header, widths.map((width) => '-'.repeat(width)), ...rows])
    console.log(`  ${line(row).trimEnd()}`);
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A row of a table of figures: name, value, bound, verdict. Without a bound the figure is for information. */
export function figure(name: string, value: number, digits: number, bound?: { atMost: number } | { atLeast: number }) {
  const shown = value.toFixed(digits);
  if (bound === undefined) return [name, shown, '', ''];
  const isMost = 'atMost' in bound;
  const holds = isMost ? value <= bound.atMost : Number(shown) >= bound.atLeast;
  return [name, shown, isMost ? `<= ${bound.atMost}` : `>= ${bound.atLeast}`, holds ? 'holds' : 'BROKEN'];
}

/** What a benchmark says of one promise: a row of docs/benchmarks.md. Without a bound it is for information. */
export interface Figure {
  promise: string;
  bound: string;
  value: string;
  holds: boolean;
  /** What a reader has to know of this value. */
  note?: string;
}

/** The figures of rows that `figure` made: those with a bound; where `isWhole`, all, with details as their notes. */
export function figuresIn(rows: string[][], { about = '', isWhole = false } = {}): Figure[] {
  const figures: Figure[] = [];
  let parent = '';
  for (const [name = '', value = '', bound = '', verdict = ''] of rows) {
    const isDetail = name.startsWith('  ');
    if (!isDetail) parent = name;
    const promise = [about, ...(isDetail ? [parent, name.trim()] : [name])].filter(Boolean).join(': ');
    const last = figures.at(-1);
    if (verdict !== '' || (isWhole && !isDetail)) figures.push({ promise, bound, value, holds: verdict !== 'BROKEN' });
    else if (isWhole && last) last.note = [...(last.note ? [last.note] : []), `${name.trim()} ${value}`].join('; ');
  }
  return figures;
}
