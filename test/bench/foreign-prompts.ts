import { rmSync } from 'node:fs';
import { openCache } from '../../src/recall/index/cache.ts';
import { findForPrompt, namesTopic } from '../../src/recall/prompt/prompt-recall.ts';
import { repositoryOf, toRecords } from './corpus.ts';
import { type PromptStore, promptStores, type SetPrompt } from './prompt-sets.ts';
import { printTable } from './table.ts';

/**
 * What families of stores have to reach on average. `recall` is the share of all relevant prompts, `ofFound` of those whose
 * labelled answer the search puts first: commits answer each other's prompts, and half of what people type names nothing.
 * A commit beside the labelled one counts as wrong, which is most of what precision lacks there.
 */
const BOUNDS = { recall: 0.43, ofFound: 0.6, precision: 0.88, offTopic: 0.002 } as const;

const HALVES = ['calibration', 'held out'] as const;

interface Answered {
  prompt: SetPrompt;
  /** Corpus ids; and of what the search puts first, whether or not it is injected. */
  injected: string[];
  first: string | undefined;
}

/**
 * The same on prompts and stores that nobody of this project wrote. No weight was fitted on the held-out half, but its
 * figures were seen while choosing what to weigh.
 */
export async function foreignPrompts(): Promise<boolean> {
  const families = new Map<string, Answered[]>();
  for (const store of promptStores()) {
    families.set(store.family, [...(families.get(store.family) ?? []), ...(await answersOf(store))]);
  }
  if (families.size === 0) {
    console.log('Injection on foreign prompts: left out, the sets are not here.');
    return true;
  }
  const measured = HALVES.flatMap((half) =>
    [...families].map(([family, answers]) =>
      measure(
        family,
        half,
        answers.filter(({ prompt }) => prompt.half === half),
      ),
    ),
  );
  const means = HALVES.map((half) => {
    // A whole history answers a prompt in many places, of which one is labelled: shown, and not counted.
    const counted = measured.filter((one) => one.half === half && one.family !== 'all commits');
    const mean = (key: 'recall' | 'ofFound' | 'precision' | 'offTopic') =>
      counted.reduce((sum, one) => sum + one[key], 0) / counted.length;
    return {
      half,
      recall: mean('recall'),
      ofFound: mean('ofFound'),
      precision: mean('precision'),
      offTopic: mean('offTopic'),
    };
  });
  const holds = means.every(({ recall, ofFound, precision, offTopic }) => {
    const isEnough = recall >= BOUNDS.recall && ofFound >= BOUNDS.ofFound;
    return isEnough && precision >= BOUNDS.precision && offTopic <= BOUNDS.offTopic;
  });
  printTable(
    'Injection on prompts that nobody of this project wrote',
    [
      'memory',
      'half',
      'relevant prompts',
      'found first',
      'right injected, of all',
      'of those found',
      'precision',
      'neighbouring answered',
      'off-topic answered',
      '',
    ],
    [
      ...measured.map(({ family, half, asked, found, recall, ofFound, precision, neighbouring, off, offTopic }) => [
        ...[family, half, `${asked}`, `${found}`, recall.toFixed(2), ofFound.toFixed(2), precision.toFixed(2)],
        ...[neighbouring.toFixed(2), `${Math.round(off * offTopic)} of ${off}`, ''],
      ]),
      ...means.map(({ half, recall, ofFound, precision, offTopic }) => [
        ...['mean without all commits', half, '', '', recall.toFixed(2), ofFound.toFixed(2), precision.toFixed(2), ''],
        ...[`${(offTopic * 100).toFixed(1)} %`, holds ? 'holds' : 'BROKEN'],
      ]),
    ],
  );
  return holds;
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

function measure(family: string, half: SetPrompt['half'], answers: Answered[]) {
  const of = (kind: SetPrompt['kind']) => answers.filter(({ prompt }) => prompt.kind === kind);
  const share = (some: Answered[], test: (one: Answered) => boolean) =>
    some.length === 0 ? 0 : some.filter(test).length / some.length;
  const isAnswered = ({ injected }: Answered) => injected.length > 0;
  const asked = of('relevant');
  const isRight = ({ prompt, injected }: Answered) => injected.some((id) => prompt.relevant.has(id));
  const found = asked.filter(({ prompt, first }) => first !== undefined && prompt.relevant.has(first));
  const records = asked.flatMap(({ prompt, injected }) => injected.map((id) => prompt.relevant.has(id)));
  return {
    family,
    half,
    asked: asked.length,
    found: found.length,
    off: of('off-topic').length,
    recall: share(asked, isRight),
    ofFound: share(found, isRight),
    precision: records.filter(Boolean).length / Math.max(1, records.length),
    neighbouring: share(of('neighbouring'), isAnswered),
    offTopic: share(of('off-topic'), isAnswered),
  };
}
