import { disputeBetween } from '../../src/recall/disputes/dispute.ts';
import { type Half, labelledPairs } from '../support/labelled-disputes.ts';
import { printTable } from './table.ts';

/** What each half must reach: a wrong alarm costs more than a missed one. */
const LEAST = { precision: 0.9, recall: 0.5 } as const;

/** Precision and recall of the disputes found in the labelled pairs, by half. */
export async function disputes(): Promise<boolean> {
  const halves = (['development', 'test'] satisfies Half[]).map((half) => ({ half, ...countsOf([half]) }));
  const both = countsOf(['development', 'test']);
  const rows = [...halves, { half: 'both', ...both }].map(({ half, pairs, contradict, found, wrong }) => {
    const { precision, recall } = ratesOf({ contradict, found, wrong });
    return [half, `${pairs}`, `${contradict}`, `${found}`, `${wrong}`, precision.toFixed(2), recall.toFixed(2)];
  });
  printTable('Disputes', ['half', 'pairs', 'contradict', 'found', 'wrongly', 'precision', 'recall'], rows);
  return halves.every((half) => {
    const { precision, recall } = ratesOf(half);
    return precision >= LEAST.precision && recall >= LEAST.recall;
  });
}

function countsOf(halves: Half[]) {
  const pairs = halves.flatMap(labelledPairs);
  const flagged = pairs.filter(({ earlier, later }) => disputeBetween(earlier, later) !== undefined);
  const found = flagged.filter(({ contradicts }) => contradicts).length;
  const contradict = pairs.filter(({ contradicts }) => contradicts).length;
  return { pairs: pairs.length, contradict, found, wrong: flagged.length - found };
}

function ratesOf({ contradict, found, wrong }: { contradict: number; found: number; wrong: number }) {
  return { precision: found / (found + wrong), recall: found / contradict };
}
