import { rmSync } from 'node:fs';
import { openCache } from '../../src/index/cache.ts';
import { findForPrompt, namesTopic } from '../../src/inject/prompt/prompt-recall.ts';
import { calibrationError, confidenceTable, type JudgedHit } from './confidence.ts';
import { type ContextGroup, contextGroups } from './context-groups.ts';
import { repositoryOf, toRecords } from './corpus.ts';
import { judgedHits, plainSearch } from './retrieval.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** What is aimed at: a right session among the first 1, 5 and 10; and of what prompts get at a recall of a half. */
const FIRST = [1, 5, 10] as const;
const AIMS = [0.72, 0.87, 0.93] as const;
const PRECISION = 0.85;
const RECALL = 0.5;

/** Bars of the prompt hook that are tried, the strictest first, in log-odds. */
const BARS = [4, 3, 2, 1, 0, -0.5, -1, -2, -3, -4];

/**
 * SWE-ContextBench (github.com/jiayuanz3/SWEContextBench; a checkout of it is `folder`): 300 sessions of Claude Code, and
 * later tasks of the same repositories. A session counts as right where it edited a file that the task's patch edits,
 * which is strict with some and generous with others. Nothing was fitted on it.
 */
export async function contextBench(folder?: string): Promise<Figure[]> {
  const groups = folder === undefined ? undefined : await contextGroups(folder);
  if (groups === undefined) {
    console.log('\ncontext-bench: left out, give a checkout of SWE-ContextBench: npm run bench -- context-bench DIR');
    return [];
  }
  const rows = [...retrievalRows(groups), ...(await promptRows(groups)), ...confidenceRows(groups)];
  printTable('SWE-ContextBench', ['', 'value', 'bound', ''], rows);
  return figuresIn(rows, { about: 'SWE-ContextBench', isWhole: true });
}

function retrievalRows(groups: ContextGroup[]): string[][] {
  const plain = new Map(groups.map((group) => [group, plainSearch(group.documents)]));
  const ranks = groups.flatMap((group) =>
    group.queries.flatMap((query) => {
      const relevant = group.relevant.get(query.id) ?? new Set();
      if (relevant.size === 0) return [];
      const rankIn = (ids: string[]) => ids.findIndex((id) => relevant.has(id)) + 1 || Number.POSITIVE_INFINITY;
      const ours = rankIn((group.answers.get(query.id)?.hits ?? []).map(({ id }) => id));
      const theirs = rankIn(plain.get(group)?.(query) ?? []);
      return [{ isLite: group.tasks.get(query.id)?.isLite === true, ours, theirs }];
    }),
  );
  const lite = ranks.filter(({ isLite }) => isLite);
  const share = (some: typeof ranks, of: 'ours' | 'theirs', n: number) =>
    some.filter((one) => one[of] <= n).length / Math.max(1, some.length);
  return [
    figure(
      'sessions with a digest',
      groups.reduce((sum, { documents }) => sum + documents.length, 0),
      0,
      {
        atLeast: 300,
      },
    ),
    ...FIRST.flatMap((n, i) => [
      figure(`of ${lite.length} lite tasks, a right session among the first ${n}`, share(lite, 'ours', n), 3, {
        atLeast: AIMS[i] ?? 1,
      }),
      figure('  plain BM25', share(lite, 'theirs', n), 3),
      figure(`  all ${ranks.length} tasks`, share(ranks, 'ours', n), 3),
      figure('  all by plain BM25', share(ranks, 'theirs', n), 3),
    ]),
  ];
}

/** What a prompt got at one bar: whether each record is right; and whether there is a right one at all. */
interface Got {
  isAnswerable: boolean;
  records: boolean[];
}

async function promptRows(groups: ContextGroup[]): Promise<string[][]> {
  const [shipped = measured([]), ...swept] = (await injectedAt(groups, [undefined, ...BARS])).map(measured);
  printTable(
    'What an issue as a prompt gets, by the bar of the prompt hook',
    ['bar', 'recall', 'precision', 'with other prompts'],
    swept.map((one, i) => [
      `${BARS[i]}`,
      ...[one.recall, one.precision, one.amongAll].map((value) => value.toFixed(3)),
    ]),
  );
  const most = swept.at(-1) ?? shipped;
  return [
    figure('recall of what a prompt gets, at the lowest bar', most.recall, 3),
    figure('  precision', most.precision, 3),
    figure('  bar', BARS.at(-1) ?? Number.NaN, 2),
    figure('precision of what a prompt gets, as shipped', shipped.precision, 3),
    figure('  recall', shipped.recall, 3),
    figure('  precision with the prompts that no session bears on', shipped.amongAll, 3),
  ];
}

/** What each prompt gets at each bar; undefined is the one that is shipped. */
async function injectedAt(groups: ContextGroup[], bars: (number | undefined)[]): Promise<Got[][]> {
  const got = bars.map((): Got[] => []);
  for (const { documents, queries, relevant } of groups) {
    const { records, corpusIds } = toRecords(documents);
    const workspace = repositoryOf(records);
    const cache = openCache(workspace);
    try {
      await cache.query((index) => {
        for (const { id, text } of queries) {
          const right = relevant.get(id) ?? new Set();
          const isTopic = namesTopic(text);
          const [best] = isTopic ? findForPrompt(index, text, { bar: Number.NEGATIVE_INFINITY }).hits : [];
          for (const [i, bar] of bars.entries()) {
            const isSilent = best === undefined || best.score < (bar ?? best.score);
            const { hits } = isSilent ? { hits: [] } : findForPrompt(index, text, bar === undefined ? {} : { bar });
            const isRight = hits.map(({ document }) => right.has(corpusIds.get(document.card.id) ?? ''));
            got[i]?.push({ isAnswerable: right.size > 0, records: isRight });
          }
        }
      });
    } finally {
      cache.close();
      rmSync(workspace.checkout.root, { recursive: true, force: true });
    }
  }
  return got;
}

function measured(got: Got[]) {
  const answerable = got.filter(({ isAnswerable }) => isAnswerable);
  const shareOf = (all: boolean[]) => all.filter(Boolean).length / Math.max(1, all.length);
  return {
    recall: shareOf(answerable.map(({ records }) => records.includes(true))),
    precision: shareOf(answerable.flatMap(({ records }) => records)),
    amongAll: shareOf(got.flatMap(({ records }) => records)),
  };
}

function confidenceRows(groups: ContextGroup[]): string[][] {
  const hits = groups.flatMap((group) =>
    judgedHits(group, group.answers).map((hit) => ({
      ...hit,
      isAnswerable: (group.relevant.get(hit.question)?.size ?? 0) > 0,
      isLite: group.tasks.get(hit.question)?.isLite === true,
    })),
  );
  const answerable = hits.filter(({ isAnswerable }) => isAnswerable);
  confidenceTable('tasks on which a session bears', answerable);
  confidenceTable('all tasks', hits);
  const first = answerable.filter(({ isFirst }) => isFirst);
  const lite = first.filter(({ isLite }) => isLite);
  return [
    figure('precision of first hits by confidence, at a recall of a half', precisionAt(first), 3, {
      atLeast: PRECISION,
    }),
    figure('  of the lite tasks', precisionAt(lite), 3),
    figure('how far the confidence of a hit is from the share that is right', calibrationError(hits), 3),
    figure('  where a session bears on the task', calibrationError(answerable), 3),
    figure('  of first hits', calibrationError(hits.filter(({ isFirst }) => isFirst)), 3),
  ];
}

/** Of the first hits in which the search has most confidence, as many as give half of the tasks a right one: the share that is right. */
function precisionAt(first: JudgedHit[]): number {
  let right = 0;
  for (const [i, { isRight }] of [...first].sort((a, b) => b.confidence - a.confidence).entries()) {
    if (isRight) right++;
    if (right >= RECALL * first.length) return right / (i + 1);
  }
  return 0;
}
