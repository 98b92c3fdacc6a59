import { disputesAmong, titleDisputes } from '../../src/recall/disputes/dispute.ts';
import { HALVES, type Half, labelledPairs } from '../support/labelled-disputes.ts';
import { namedWhenSaved } from './near-when-saved.ts';
import { type Figure, printTable } from './table.ts';

/** What each half must reach: a wrong alarm costs more than a missed one. */
const LEAST = { precision: 0.9, recall: 0.5 } as const;

/**
 * Precision and recall of the disputes found in the labelled pairs, by half, and those that are injected; then how
 * many contradicted records are named to the agent that saves the later one, which can tell whether they are wrong now.
 */
export async function disputes(): Promise<Figure[]> {
  const halves = HALVES.map((half) => ({ half, ...countsOf([half]) }));
  const all = countsOf([...HALVES]);
  const rows = [...halves, { half: 'all', ...all }].map(({ half, pairs, contradict, found, wrong, told }) => {
    const { precision, recall } = ratesOf({ contradict, found, wrong });
    const counts = [pairs, contradict, found, wrong].map(String);
    return [half, ...counts, precision.toFixed(2), recall.toFixed(2), `${told.right}`, `${told.wrong}`];
  });
  const titles = ['half', 'pairs', 'contradict', 'found', 'wrongly', 'precision', 'recall', 'told', 'told wrongly'];
  printTable('Disputes', titles, rows);
  const saved = [];
  const shares: number[] = [];
  for (const half of HALVES) {
    const { contradict, named, lines, others } = await namedWhenSaved(labelledPairs(half));
    shares.push(named / contradict);
    saved.push([
      half,
      ...[contradict, named].map(String),
      (named / contradict).toFixed(2),
      ...[lines, others].map(String),
    ]);
  }
  printTable(
    'The contradicted record among those named when the later one is saved',
    ['half', 'contradict', 'named', 'share', 'named in all', 'of other pairs'],
    saved,
  );
  const rates = halves.map(ratesOf);
  const each = (promise: string, values: number[], bound: string, isRight: (value: number) => boolean): Figure => ({
    promise,
    bound,
    value: values.map((value) => value.toFixed(2)).join(', '),
    holds: values.every(isRight),
  });
  const shown = halves.map(({ told: { right, wrong } }) => wrong / Math.max(1, right + wrong));
  const [recall, precision] = [rates.map((one) => one.recall), rates.map((one) => one.precision)];
  return [
    each('contradictions found', recall, `>= ${LEAST.recall}`, (value) => value >= LEAST.recall),
    each(
      'harmless pairs among those found',
      precision.map((one) => 1 - one),
      '<= 0.1',
      (value) => value <= 0.1,
    ),
    each('contradicted record named when the later one is saved', shares, '', () => true),
    {
      ...each('harmless pairs among those that agents see at a session start', shown, '<= 0.1', () => true),
      holds: halves.every(({ told }) => told.wrong <= told.right / 10),
      note: `${all.told.right + all.told.wrong} of ${all.pairs} pairs are seen there`,
    },
  ];
}

function countsOf(halves: Half[]) {
  const pairs = halves.flatMap(labelledPairs);
  const flagged = pairs.filter(({ earlier, later }) => disputesAmong([earlier, later]).length > 0);
  const found = flagged.filter(({ contradicts }) => contradicts).length;
  const contradict = pairs.filter(({ contradicts }) => contradicts).length;
  const told = pairs.filter(({ earlier, later }) => titleDisputes([earlier, later], new Set([later.id])).length > 0);
  const right = told.filter(({ contradicts }) => contradicts).length;
  return {
    pairs: pairs.length,
    contradict,
    found,
    wrong: flagged.length - found,
    told: { right, wrong: told.length - right },
  };
}

function ratesOf({ contradict, found, wrong }: { contradict: number; found: number; wrong: number }) {
  return { precision: found / (found + wrong), recall: found / contradict };
}
