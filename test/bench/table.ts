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

/** Tells whether no row of a table says that a bound is broken. */
export function allHold(rows: string[][]): boolean {
  return rows.every((row) => !row.includes('BROKEN'));
}
