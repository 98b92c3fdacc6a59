import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { idOf } from '../../src/memory/id.ts';
import { PROGRAM } from '../support/program.ts';
import { confidenceTable, type JudgedHit } from './confidence.ts';
import { type CorpusDocument, type CorpusQuery, type Group, readSet } from './corpus.ts';
import { type Figure, printTable } from './table.ts';

/** Where the labelled sets lie, seen from the project's root. */
export const SETS = join('..', 'shared', 'retrieval');

/** Each set with what search has to reach on it. */
export const SETS_AND_BOUNDS: [name: string, measure: 'R@5' | 'R@10', atLeast: number][] = [
  ['code-changelog', 'R@10', 0.716],
  ['code-tests', 'R@10', 0.585],
  ['code-szz', 'R@10', 0.598],
  ['peer-agentmem28', 'R@5', 0.98],
];

export type Measures = [recallAt5: number, recallAt10: number, reciprocalRank: number, discountedGain: number];
export type Search = (query: CorpusQuery) => string[];

/** How well search finds the labelled answers of each set, beside plain full-text search over the same records. */
export async function retrieval(folder = SETS): Promise<Figure[]> {
  const rows: string[][] = [];
  const figures: Figure[] = [];
  const judged: JudgedHit[] = [];
  for (const [name, bounded, atLeast] of SETS_AND_BOUNDS) {
    const groups = readSet(join(folder, name));
    if (groups === undefined) {
      console.log(`\nRetrieval: ${name} left out, ${join(folder, name)} is not here.`);
      continue;
    }
    const ours: Measures[] = [];
    const plain: Measures[] = [];
    const times: number[] = [];
    const perGroup: string[][] = [];
    for (const group of groups) {
      const answers = await askOurs(group);
      for (const { took_ms } of answers.values()) times.push(took_ms);
      const measured = measureAnswers(group, answers);
      judged.push(...judgedHits(group, answers));
      const baseline = measure(group, plainSearch(group.documents));
      ours.push(...measured);
      plain.push(...baseline);
      if (groups.length > 1)
        perGroup.push([`  ${group.name}`, ...mean(measured)], ['    plain FTS5', ...mean(baseline)]);
    }
    times.sort((a, b) => a - b);
    const quantiles = [0.5, 0.95].map((q) => (times[Math.floor(times.length * q)] ?? 0).toFixed(1));
    const reached = Number(mean(ours)[bounded === 'R@5' ? 0 : 1]);
    const verdict = [`${bounded} >= ${atLeast}`, reached >= atLeast ? 'holds' : 'BROKEN'];
    const promise = `answers of ${name} found among the first ${bounded.slice(2)}`;
    figures.push({ promise, bound: `>= ${atLeast}`, value: reached.toFixed(3), holds: reached >= atLeast });
    rows.push([name, ...mean(ours), ...quantiles, ...verdict], ['  plain FTS5', ...mean(plain)], ...perGroup);
  }
  if (rows.length === 0) return [];
  confidenceTable('the labelled sets, where one commit of many about a matter is labelled', judged);
  printTable('Retrieval', ['', 'R@5', 'R@10', 'MRR@10', 'nDCG@10', 'p50 ms', 'p95 ms', 'bound', ''], rows);
  return figures;
}

/** How well search finds the answers to a group's questions; `settings` are the user's own. */
export async function measureOurs(group: Group, times: number[] = [], settings = ''): Promise<Measures[]> {
  const answers = await askOurs(group, settings);
  for (const { took_ms } of answers.values()) times.push(took_ms);
  return measureAnswers(group, answers);
}

function measureAnswers(group: Group, answers: ReadonlyMap<string, PrintedAnswer>): Measures[] {
  return measure(group, ({ id }) => (answers.get(id)?.hits ?? []).map((hit) => hit.id));
}

/** Each hit with whether it is a labelled answer of its question. */
export function judgedHits(
  { relevant }: Pick<Group, 'relevant'>,
  answers: ReadonlyMap<string, PrintedAnswer>,
): JudgedHit[] {
  return [...answers].flatMap(([question, { hits }]) =>
    hits.map(({ id, confidence }, i) => ({
      question,
      confidence,
      isRight: relevant.get(question)?.has(id) === true,
      isFirst: i === 0,
    })),
  );
}

/** A question's hits by the ids of their documents, best first, and the milliseconds that finding them took. */
export interface PrintedAnswer {
  took_ms: number;
  hits: { id: string; confidence: number }[];
}

/**
 * The group's records and questions as a user has them: one `import`, and one `search --stdin` with its own clock. The
 * answers by the question's id.
 */
export async function askOurs(group: Group, settings = ''): Promise<Map<string, PrintedAnswer>> {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-bench-'));
  try {
    const env = { ...process.env, GIT_MEM_STATE: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') };
    mkdirSync(join(root, 'config', 'git-mem'), { recursive: true });
    writeFileSync(join(root, 'config', 'git-mem', 'config.yaml'), settings);
    execFileSync('git', ['init', '-q', '-b', 'main', root]);
    const documents = new Map(group.documents.map(({ id }) => [idOf(id), id]));
    const lines = group.documents.map(({ id, files, date, session, ...rest }) =>
      JSON.stringify({ ...rest, id: idOf(id), files_modified: files, created: date, session, kind: 'observation' }),
    );
    await called(root, env, ['import', 'jsonl', '-', '--team'], lines.join('\n'));
    await called(root, env, ['sync']);
    return await answersOf(root, env, group.queries, documents);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What `search --stdin` answers in a repository; `documents` gives the document of each record. */
export async function answersOf(
  root: string,
  env: NodeJS.ProcessEnv,
  queries: CorpusQuery[],
  documents: ReadonlyMap<string, string>,
): Promise<Map<string, PrintedAnswer>> {
  const questions = queries.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n');
  const lines = (await called(root, env, ['search', '--stdin', '--limit', '10'], questions)).trim().split('\n');
  return new Map(
    queries.map(({ id }, i) => {
      const answer = JSON.parse(lines[i] ?? '{}') as PrintedAnswer;
      return [id, { ...answer, hits: answer.hits.map((hit) => ({ ...hit, id: documents.get(hit.id) ?? '' })) }];
    }),
  );
}

/** What the built program prints. Not synchronously: a model may be served by this process. */
export async function called(root: string, env: NodeJS.ProcessEnv, args: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, '-C', root, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  return text(child.stdout);
}

export function measure(group: Group, search: Search): Measures[] {
  return group.queries.map((query) => {
    const relevant = group.relevant.get(query.id) ?? new Set();
    const found = search(query).slice(0, 10);
    const right = found.map((document) => relevant.has(document));
    const recall = (n: number) => right.slice(0, n).filter(Boolean).length / relevant.size;
    const first = right.indexOf(true);
    const gain = right.reduce((sum, hit, i) => sum + (hit ? 1 / Math.log2(i + 2) : 0), 0);
    let ideal = 0;
    for (let i = 0; i < Math.min(10, relevant.size); i++) ideal += 1 / Math.log2(i + 2);
    return [recall(5), recall(10), first < 0 ? 0 : 1 / (first + 1), gain / ideal];
  });
}

// biome-ignore format: a word list reads best as running text.
const STOP_WORDS = new Set(('a an the is are was were be been to of in on at for from by with and or not as it its this that these ' +
  'those i we you he she they them our your my how what when where which who why do does did can could should would will').split(' '));

/** What SQLite gives out of the box: porter stemmer, any of the words, stop-words left out, its own bm25. */
export function plainSearch(documents: CorpusDocument[]): Search {
  const db = new Database(':memory:');
  db.exec(
    `CREATE VIRTUAL TABLE plain USING fts5 (title, narrative, facts, concepts, files, tokenize = 'porter unicode61')`,
  );
  const insert = db.prepare(
    'INSERT INTO plain (rowid, title, narrative, facts, concepts, files) VALUES (?, ?, ?, ?, ?, ?)',
  );
  documents.forEach(({ title, narrative, facts, concepts, files }, i) => {
    insert.run(i, title, narrative, facts.join('\n'), concepts.join('\n'), files.join('\n'));
  });
  const select = db
    .prepare<[string], number>('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10')
    .pluck();
  return ({ text }) => {
    const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
    if (words.length === 0) return [];
    return select.all(words.map((word) => `"${word}"`).join(' OR ')).map((i) => documents[i]?.id ?? '');
  };
}

export function mean(all: Measures[]): string[] {
  return [0, 1, 2, 3].map((m) =>
    (all.reduce((sum, one) => sum + (one[m] ?? 0), 0) / Math.max(1, all.length)).toFixed(3),
  );
}
