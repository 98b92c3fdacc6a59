import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactAll } from '../../src/privacy/redact.ts';
import { createRedactor } from '../../src/privacy/secrets.ts';
import { findSuspicious } from '../../src/privacy/suspicious.ts';
import { grouped } from '../../src/quantities.ts';
import { createSecretScanner } from '../../src/review/exposed.ts';
import { blindSamples, isRight, placedSamples, type Sample } from '../privacy/samples.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

const SEEDS = [20_261_121, 2];
/** The sets with what must be found of each; hard ones are only reported. */
const SETS: [set: string, about: string, bound?: { atLeast: number }][] = [
  ['own', 'places that rules were written for', { atLeast: 0.97 }],
  ['wide', 'the second set of them', { atLeast: 0.97 }],
  ['unseen', 'places that no rule was written for', { atLeast: 0.93 }],
  ['blind, ordinary', 'ordinary strings, written before any rule had seen them', { atLeast: 0.93 }],
  ['blind, hard', 'hard ones: many languages, programs and wordings'],
];

/**
 * How many of the invented secrets are found, which look-alikes are taken for secrets, over two seeds or that of
 * GIT_MEM_SEED, and what looking for them costs.
 */
export async function secrets(): Promise<Figure[]> {
  const given = Number(process.env.GIT_MEM_SEED);
  const seeds = Number.isInteger(given) && given > 0 ? [given] : SEEDS;
  const samples = seeds.flatMap((seed) => [...placedSamples(seed), ...blindSamples(seed)]);
  const missed = new Set(samples.filter((sample) => !isRight(sample)));
  printWorst(samples, missed);

  const shareOf = (set: string) => {
    const own = samples.filter((sample) => sample.set === set);
    return {
      count: own.length.toLocaleString('en'),
      share: own.filter((sample) => missed.has(sample)).length / own.length,
    };
  };
  const others = shareOf('look-alikes');
  const rows = [
    ...SETS.map(([set, about, bound]) => {
      const { count, share } = shareOf(set);
      return figure(`found of ${count} secrets: ${about}`, 1 - share, 4, bound);
    }),
    figure(`taken of ${others.count} look-alikes`, others.share, 4, { atMost: 0.003 }),
    ...(await costs()),
  ];
  printTable('Secrets and look-alikes', ['', 'value', 'bound', ''], rows);
  return figuresIn(rows, { isWhole: true });
}

/** How many times the records are read, each time with other ids, after a first time that compiles the expressions. */
const ROUNDS = 10;
/** How often a record is hashed for the ratio. */
const HASHES = 100;

/** Processor time for a record of this repository's own memory, as it is redacted and as `check` reads it. */
async function costs(): Promise<string[][]> {
  const folder = '.memory/observations';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  const texts = files.map((path) => readFileSync(join(folder, path), 'utf8'));
  const perRecord = async (read: (round: string[]) => Promise<void>) => {
    await read(texts);
    const before = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round++)
      await read(texts.map((text) => text.replace(/^id: "/m, `id: "${round}`)));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / ROUNDS / texts.length;
  };
  const redact = await perRecord(async (round) => {
    const redactor = createRedactor();
    for (const text of round) await redactAll(text, redactor);
  });
  const check = await perRecord(async (round) => {
    const scanner = createSecretScanner();
    for (const text of round) {
      await scanner.scan(text);
      findSuspicious(text);
    }
  });
  const hash = await perRecord(async (round) => {
    for (const text of round) for (let i = 0; i < HASHES; i++) createHash('sha256').update(text).digest('hex');
  });
  return [
    figure('processor time to redact a record, ms', redact, 2, { atMost: 2.5 }),
    figure('processor time to check a record, ms', check, 2, { atMost: 2.5 }),
    figure(`check of a record, as many times as ${HASHES} SHA-256 of it take`, check / hash, 1),
  ];
}

/** The places with the most misses, of each set. */
function printWorst(samples: Sample[], missed: Set<Sample>): void {
  const places = [...grouped(samples, ({ set, place }) => `${set}: ${place}`)]
    .map(([name, own]) => ({ name, own, wrong: own.filter((sample) => missed.has(sample)) }))
    .filter(({ wrong, own }) => wrong.length > 0 && own[0]?.set !== 'blind, hard')
    .sort((a, b) => b.wrong.length - a.wrong.length);
  printTable(
    'The 40 places with the most mistakes, without hard ones',
    ['place', 'texts', 'wrong', 'for instance'],
    places.slice(0, 40).map(({ name, own, wrong }) => {
      return [name, `${own.length}`, `${wrong.length}`, (wrong[0]?.text ?? '').replace(/\s+/gu, ' ').slice(0, 60)];
    }),
  );
}
