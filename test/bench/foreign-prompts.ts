import { rmSync } from 'node:fs';
import { openCache } from '../../src/index/cache.ts';
import { findForPrompt, namesTopic } from '../../src/inject/prompt/prompt-recall.ts';
import { repositoryOf, toRecords } from './corpus.ts';
import { historyStores, isContentless, type PromptStore, promptStores, type SetPrompt } from './prompt-sets.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** What families of stores have to reach on average. */
interface Bounds {
  /** Share of all relevant prompts that get the right record, and of those whose right record the search puts first. */
  recall: number;
  ofFound: number;
  precision: number;
  offTopic: number;
}

const SETS: Bounds = { recall: 0.55, ofFound: 0.6, precision: 0.9, offTopic: 0.002 };
/**
 * Histories of projects that share an ecosystem answer each other's prompts more often, and nobody read what is
 * injected beside the labelled commits, which counts as wrong here.
 */
const HISTORIES: Bounds = { recall: 0.4, ofFound: 0.55, precision: 0.8, offTopic: 0.006 };

const HALVES = ['calibration', 'held out'] as const;

interface Answered {
  prompt: SetPrompt;
  /** Corpus ids; and of what the search puts first, whether or not it is injected. */
  injected: string[];
  first: string | undefined;
}

/**
 * The same on prompts and stores that nobody of this project wrote. No weight was fitted on the held-out half, but its
 * figures were seen while choosing what to weigh. On the histories that `GIT_MEM_HISTORIES` names, clones separated by
 * colons, nothing was chosen.
 */
export async function foreignPrompts(): Promise<Figure[]> {
  const clones = (process.env.GIT_MEM_HISTORIES ?? '').split(':').filter(Boolean);
  if (clones.length === 0) console.log('Injection on other histories: left out, GIT_MEM_HISTORIES names no clones.');
  const sets = await table('prompts that nobody of this project wrote', promptStores(), SETS);
  const title = `${clones.length} histories on which nothing was fitted`;
  return clones.length === 0 ? sets : [...sets, ...(await table(title, historyStores(clones), HISTORIES))];
}

async function table(title: string, stores: PromptStore[], bounds: Bounds): Promise<Figure[]> {
  const families = new Map<string, Answered[]>();
  for (const store of stores) {
    families.set(store.family, [...(families.get(store.family) ?? []), ...(await answersOf(store))]);
  }
  if (families.size === 0) {
    console.log(`Injection on ${title}: left out, the sets are not here.`);
    return [];
  }
  const measured = HALVES.flatMap((half) =>
    [...families].flatMap(([family, answers]) => {
      const own = answers.filter(({ prompt }) => prompt.half === half);
      return own.length === 0 ? [] : [{ family, half, ...measure(own) }];
    }),
  );
  // A whole history answers a prompt in many places, of which one is labelled: shown, and not counted.
  const counted = measured.filter(({ family }) => family !== 'all commits');
  const means = HALVES.flatMap((half) => meanOf(half, counted) ?? []);
  const holds = means.every(({ recall, ofFound, precision, offTopic, contentlessAnswered }) => {
    const isEnough = recall >= bounds.recall && ofFound >= bounds.ofFound && precision >= bounds.precision;
    return isEnough && offTopic <= bounds.offTopic && contentlessAnswered === 0;
  });
  printTable(
    `Injection on ${title}`,
    [
      ...['memory', 'half', 'relevant prompts', 'found first', 'right injected', 'of those found', 'precision'],
      ...['labelled alone', 'contentless answered', 'neighbouring answered', 'off-topic answered', ''],
    ],
    [
      ...measured.map((one) => [
        ...[one.family, one.half, `${one.asked}`, `${one.found}`, one.recall.toFixed(2), one.ofFound.toFixed(2)],
        ...[one.precision.toFixed(2), labelledAlone(one), `${one.contentlessAnswered} of ${one.contentless}`],
        ...[one.neighbouring.toFixed(2), `${Math.round(one.off * one.offTopic)} of ${one.off}`, ''],
      ]),
      ...means.map((one) => [
        ...['mean without all commits', one.half, '', '', one.recall.toFixed(2), one.ofFound.toFixed(2)],
        ...[one.precision.toFixed(2), labelledAlone(one), `${one.contentlessAnswered}`, ''],
        ...[`${(one.offTopic * 100).toFixed(1)} %`, holds ? 'holds' : 'BROKEN'],
      ]),
    ],
  );
  // A figure of each half in a row.
  const row = (
    promise: string,
    key: Exclude<keyof Mean, 'half'>,
    digits: number,
    bound: Parameters<typeof figure>[3],
  ) => {
    const cells = means.map((mean) => figure(promise, mean[key], digits, bound));
    const isBroken = cells.some(([, , , verdict]) => verdict === 'BROKEN');
    return [promise, cells.map(([, value]) => value).join(', '), cells[0]?.[2] ?? '', isBroken ? 'BROKEN' : 'holds'];
  };
  return figuresIn(
    [
      row('records injected that bear on the prompt', 'precision', 3, { atLeast: bounds.precision }),
      row('right record injected, of relevant prompts', 'recall', 3, { atLeast: bounds.recall }),
      row('the same, of those that the search puts first', 'ofFound', 3, { atLeast: bounds.ofFound }),
      row('prompts about other repositories that get anything', 'offTopic', 4, { atMost: bounds.offTopic }),
      row('prompts without content that get anything', 'contentlessAnswered', 0, { atMost: 0 }),
    ],
    { about: `${title}, ${means.map(({ half }) => half).join(' and ')} half` },
  );
}

/** Recall and precision where nothing but the labelled records counts as right. */
function labelledAlone({ labelledRecall, labelledPrecision }: { labelledRecall: number; labelledPrecision: number }) {
  return `${labelledRecall.toFixed(2)} at ${labelledPrecision.toFixed(2)}`;
}

function shareOfTrue(all: boolean[]): number {
  return all.filter(Boolean).length / Math.max(1, all.length);
}

type Mean = NonNullable<ReturnType<typeof meanOf>>;

type Measured = ReturnType<typeof measure> & { half: SetPrompt['half'] };

function meanOf(half: SetPrompt['half'], measured: Measured[]) {
  const own = measured.filter((one) => one.half === half);
  if (own.length === 0) return undefined;
  const sum = (key: Exclude<keyof Measured, 'half'>) => own.reduce((total, one) => total + one[key], 0);
  return {
    half,
    recall: sum('recall') / own.length,
    labelledRecall: sum('labelledRecall') / own.length,
    labelledPrecision: sum('labelledPrecision') / own.length,
    ofFound: sum('ofFound') / own.length,
    precision: sum('precision') / own.length,
    offTopic: sum('offTopic') / own.length,
    contentlessAnswered: sum('contentlessAnswered'),
  };
}

async function answersOf({ documents, prompts }: PromptStore): Promise<Answered[]> {
  const { records, corpusIds } = toRecords(documents);
  const workspace = repositoryOf(records);
  const cache = openCache(workspace);
  try {
    return await cache.query((index) =>
      prompts.map((prompt) => {
        const { hits, considered } = findForPrompt(index, prompt.text);
        const ids = [...hits.map(({ document }) => document), ...considered.slice(0, 1)].map(({ card }) => {
          return corpusIds.get(card.id) ?? '';
        });
        return { prompt, injected: namesTopic(prompt.text) ? ids.slice(0, hits.length) : [], first: ids[hits.length] };
      }),
    );
  } finally {
    cache.close();
    rmSync(workspace.checkout.root, { recursive: true, force: true });
  }
}

function measure(answers: Answered[]) {
  const of = (kind: SetPrompt['kind']) => answers.filter(({ prompt }) => prompt.kind === kind);
  const share = (some: Answered[], test: (one: Answered) => boolean) =>
    some.length === 0 ? 0 : some.filter(test).length / some.length;
  const isAnswered = ({ injected }: Answered) => injected.length > 0;
  const asked = of('relevant');
  const isRight = ({ prompt, injected }: Answered) => injected.some((id) => prompt.relevant.has(id));
  const found = asked.filter(({ prompt, first }) => first !== undefined && prompt.relevant.has(first));
  const records = asked.flatMap(({ prompt, injected }) => injected.map((id) => prompt.relevant.has(id)));
  const contentless = answers.filter(({ prompt }) => prompt.kind !== 'off-topic' && isContentless(prompt.text));
  const isLabelled = ({ prompt, injected }: Answered) =>
    injected.some((id) => prompt.relevant.has(id) && !prompt.judged?.has(id));
  const labelled = asked.flatMap(({ prompt, injected }) =>
    injected.map((id) => prompt.relevant.has(id) && !prompt.judged?.has(id)),
  );
  return {
    asked: asked.length,
    found: found.length,
    off: of('off-topic').length,
    recall: share(asked, isRight),
    labelledRecall: share(asked, isLabelled),
    labelledPrecision: shareOfTrue(labelled),
    contentless: contentless.length,
    contentlessAnswered: contentless.filter(isAnswered).length,
    ofFound: share(found, isRight),
    precision: shareOfTrue(records),
    neighbouring: share(of('neighbouring'), isAnswered),
    offTopic: share(of('off-topic'), isAnswered),
  };
}
