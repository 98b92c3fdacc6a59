import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/hub/database/database.ts';
import { READ, type ReadQuestion } from '../../src/hub/database/read.ts';
import { type Reader, readerFor } from '../../src/hub/reader.ts';
import { type DocumentCache, documentCache } from '../../src/hub/search/documents.ts';
import { searchHub } from '../../src/hub/search/search-hub.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { type HubWorld, makeFolder, openWorld } from '../support/hub-world.ts';
import { allHold, figure, median, printTable } from './table.ts';

/** Repositories and records in each; `GIT_MEM_BENCH_HUB=50x400` for a try. */
const [REPOSITORIES = 500, RECORDS = 400] = (process.env.GIT_MEM_BENCH_HUB ?? '500x400').split('x').map(Number);

const QUESTIONS = 160;
const AT_ONCE = 16;

/** How much slower a question may be for a person with rights than the same without any. */
const MOST_SLOWER = 1.5;

/** Syncs and questions of an organisation. */
export async function hubScale(address: string): Promise<boolean> {
  const folder = makeFolder();
  try {
    const remotes = Array.from({ length: REPOSITORIES }, (_, r) => makeBareRemote(folder, r));
    const world = await openWorld(folder, remotes, { address });
    try {
      const rows = [...(await syncs(world, remotes)), ...(await questions(world, remotes))];
      const header = [`${REPOSITORIES} repositories x ${RECORDS} records`, '', 'bound', ''];
      printTable('Hub, wall times', header, rows);
      return allHold(rows);
    } finally {
      await world.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type BareRemote = { name: string; root: string };

async function syncs(world: HubWorld, remotes: BareRemote[]): Promise<string[][]> {
  const seconds = async (expected: number) => {
    const start = performance.now();
    const { changed, problems } = await world.sync();
    if (changed.length !== expected || problems.length > 0) throw new Error(`${changed.length} synced. ${problems[0]}`);
    return (performance.now() - start) / 1000;
  };
  const first = await seconds(remotes.length);
  const unchanged = await seconds(0);
  const [changed] = remotes;
  if (changed !== undefined) addCommit(changed.root, [observation(0, RECORDS)], true);
  await world.hub.requestSync(changed?.name ?? '');
  const start = performance.now();
  await world.hub.sync({});
  const one = (performance.now() - start) / 1000;
  await world.database.query('ANALYZE');
  const { databaseBytes } = await world.hub.status();
  return [
    figure('first sync, s', first, 1),
    figure('sync with nothing changed, s', unchanged, 2, { atMost: 5 }),
    figure('one changed repository, s', one, 2, { atMost: 2 }),
    figure('database, MB', databaseBytes / 1e6, 0),
  ];
}

async function questions(world: HubWorld, remotes: BareRemote[]): Promise<string[][]> {
  const { database } = world;
  await database.query(WITHOUT_RIGHTS);
  const all = await world.viewer(
    'all',
    remotes.map(({ name }) => name),
  );
  const cache = documentCache();
  const free = await measure(freeReader(database, all.repositories), cache);
  const rows = [figure('question without rights, median ms', free.median, 1), figure('  95th percentile', free.p95, 1)];
  for (const count of [3, 120, 500]) {
    if (count > remotes.length) continue;
    // Every so many-th, so that the repositories of a person are of all ages.
    const step = Math.floor(remotes.length / count);
    const names = remotes.flatMap(({ name }, i) => (i % step === 0 ? [name] : [])).slice(0, count);
    const viewer = await world.viewer(`sees-${count}`, names);
    const own = await measure(readerFor(database, viewer, viewer.repositories), cache);
    rows.push(
      figure(`question of a person who sees ${count}, median ms`, own.median, 1),
      figure('  95th percentile', own.p95, 1),
      figure('  of the median without rights', own.median / free.median, 2, { atMost: MOST_SLOWER }),
    );
  }
  return rows;
}

async function measure(read: Reader, cache: DocumentCache): Promise<{ median: number; p95: number }> {
  const texts = Array.from({ length: QUESTIONS }, (_, i) => words(random(7_000_000 + i), 4).join(' '));
  const about = { conditions: {}, nameOf: async (repository: number) => String(repository) };
  const times: number[] = [];
  // Once before, so that neither the database's pages nor the process's documents are cold.
  for (const isMeasured of [false, true]) {
    const waiting = [...texts];
    const ask = async () => {
      for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
        const start = performance.now();
        await searchHub(read, cache, { text, limit: 10 }, about);
        if (isMeasured) times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  }
  times.sort((a, b) => a - b);
  return { median: median(times), p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

/** The reading function as it would be if everybody might read everything. */
const WITHOUT_RIGHTS = READ.slice(0, READ.indexOf('ALTER FUNCTION'))
  .replace('FUNCTION read(', 'FUNCTION read_without_rights(')
  .replace('SECURITY DEFINER', '')
  .replace(/\b(\w+\.\w+) = ANY \(repositories\)/g, '$1 IS NOT NULL');

function freeReader(database: Database, repositories: readonly number[]): Reader {
  return async <Answer>(question: ReadQuestion, argument: object = {}) => {
    const sql = 'SELECT read_without_rights(0, $1, $2, $3::text::jsonb) AS answer';
    const rows = await database.query<{ answer: Answer }>(sql, [repositories, question, JSON.stringify(argument)]);
    return rows.map(({ answer }) => answer);
  };
}

/** A bare repository with one commit, as a server has it. */
function makeBareRemote(folder: string, r: number): BareRemote {
  const name = `team${r % 20}/service${r}`;
  const root = join(folder, 'remotes', `${r}.git`);
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', root]);
  execFileSync('git', ['config', 'uploadpack.allowFilter', 'true'], { cwd: root });
  execFileSync('git', ['config', 'uploadpack.allowAnySHA1InWant', 'true'], { cwd: root });
  addCommit(
    root,
    Array.from({ length: RECORDS }, (_, i) => observation(r, i)),
  );
  return { name, root };
}

function addCommit(root: string, records: Observation[], isNext = false): void {
  const lines = ['commit refs/heads/main', 'committer t <t@example.com> 1767225600 +0000', 'data 7', 'records'];
  if (isNext) lines.push('from refs/heads/main^0');
  for (const record of records) {
    const text = encode(record);
    lines.push(`M 100644 inline .memory/${storePath(record)}`, `data ${Buffer.byteLength(text)}`, text);
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: `${lines.join('\n')}\n` });
}

/** A believable record with words of a vocabulary of 20,000, few of them common. */
function observation(r: number, i: number): Observation {
  const next = random(r * 1000 + i + 1);
  const base = generatedObservation(i);
  const sentence = (count: number) => `${words(next, count).join(' ')}.`;
  return {
    ...base,
    id: idOf('bench', String(r), String(i)),
    title: sentence(7),
    narrative: Array.from({ length: 5 }, () => sentence(12)).join(' '),
    facts: [sentence(10), sentence(10), base.facts[0] ?? ''],
    session: `s-${r}-${Math.floor(i / 8)}`,
  };
}

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo xa ze bri cho dra fle'.split(' ');

function words(next: () => number, count: number): string[] {
  return Array.from({ length: count }, () => {
    // The cube makes few words common and most rare.
    let n = Math.floor(20_000 * next() ** 3);
    let word = '';
    do {
      word += SYLLABLES[n % SYLLABLES.length];
      n = Math.floor(n / SYLLABLES.length);
    } while (n > 0);
    return `${word}n`;
  });
}

/** Mulberry32: a small generator with a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
