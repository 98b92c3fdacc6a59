import { grouped } from '../../src/quantities.ts';
import { type Measured, measuredLookAlikes, measuredSecrets, recallOf } from '../privacy/secret-measure.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

const SEEDS = [20_261_121, 2, 3, 5, 7];
const PARTS = ['first', 'tuned', 'held out', 'unseen'] as const;

/**
 * How many of the invented secrets are found, by kind and by shape, and which look-alikes are taken for secrets: over
 * five seeds, or the one of GIT_MEM_SEED.
 */
export async function secrets(): Promise<Figure[]> {
  const given = Number(process.env.GIT_MEM_SEED);
  const seeds = Number.isInteger(given) && given > 0 ? [given] : SEEDS;
  const found = seeds.map((seed) => measuredSecrets(seed));
  const spared = seeds.map((seed) => measuredLookAlikes(seed + 2, 12));
  const all = found.flat();
  printRecall('shape', all);
  printRecall('kind', all);
  printMissed(all);
  printMistaken(spared.flat());

  const rows = seeds.flatMap((seed, i) => {
    const [own, others] = [found[i] ?? [], spared[i] ?? []];
    const wrong = others.filter(({ isSpared }) => !isSpared).length;
    return [
      figure(`seed ${seed}: recall of ${own.length} secrets`, recallOf(own), 4, { atLeast: 0.98 }),
      ...PARTS.map((part) => figure(`  ${part}`, recallOf(own.filter((sample) => sample.part === part)), 4)),
      figure(`  mistaken of ${others.length} look-alikes`, wrong / others.length, 4, { atMost: 0.01 }),
    ];
  });
  printTable(
    'Secrets and look-alikes; rules were tuned on the parts in this order, and on no unseen shape',
    ['', 'value', 'bound', ''],
    rows,
  );
  const kinds = new Set(all.map(({ kind }) => kind)).size;
  const shapes = new Set(all.map(({ shape }) => shape)).size;
  const texts = spared.flat();
  const wrong = texts.filter(({ isSpared }) => !isSpared).length;
  const unseen = recallOf(all.filter(({ part }) => part === 'unseen')).toFixed(3);
  const name = `${all.length.toLocaleString('en')} invented secrets of ${kinds} kinds in ${shapes} shapes, found`;
  const mistaken = `${texts.length.toLocaleString('en')} look-alikes, taken for secrets`;
  const holds = figuresIn(rows).every((one) => one.holds);
  const note = `${unseen} in shapes that no rule was tuned on`;
  return [
    { promise: name, bound: '>= 0.98', value: recallOf(all).toFixed(4), holds, note },
    { promise: mistaken, bound: '<= 0.01', value: (wrong / texts.length).toFixed(4), holds },
  ];
}

/** The recall by shape or by kind, the worst first; those without a miss are counted only. */
function printRecall(by: 'shape' | 'kind', samples: Measured[]): void {
  const groups = [...grouped(samples, (sample) => sample[by])].map(([name, own]) => {
    return { name, own, recall: recallOf(own) };
  });
  const worse = groups.filter(({ recall }) => recall < 1).sort((a, b) => a.recall - b.recall);
  printTable(
    `Recall by ${by}: ${groups.length} in all, ${groups.length - worse.length} without a miss`,
    [by, 'secrets', 'recall'],
    worse.map(({ name, own, recall }) => [name, `${own.length}`, recall.toFixed(3)]),
  );
}

/** Kind by shape, where something was missed. */
function printMissed(samples: Measured[]): void {
  const cells = [...grouped(samples, ({ kind, shape }) => `${kind} x ${shape}`)];
  const rows = cells
    .map(([name, own]) => ({ name, own, missed: own.filter(({ isFound }) => !isFound).length }))
    .filter(({ missed }) => missed > 0)
    .sort((a, b) => b.missed - a.missed || a.name.localeCompare(b.name));
  printTable(
    `Kind x shape: ${cells.length} in all, ${rows.length} with a miss, the first 60 of them`,
    ['kind x shape', 'secrets', 'missed'],
    rows.slice(0, 60).map(({ name, own, missed }) => [name, `${own.length}`, `${missed}`]),
  );
}

function printMistaken(texts: ReturnType<typeof measuredLookAlikes>): void {
  const rows = [...grouped(texts, ({ kind }) => kind)].map(([kind, own]) => {
    const wrong = own.filter(({ isSpared }) => !isSpared);
    const sample = wrong[0]?.redacted.replace(/\s+/gu, ' ').slice(0, 60) ?? '';
    return [kind, `${own.length}`, `${wrong.length}`, sample];
  });
  printTable('Look-alikes by class', ['class', 'texts', 'mistaken', 'for instance'], rows);
}
