import { type Database, type Reader, readerFor } from '../../src/hub/database/database.ts';
import { READ, type ReadQuestion } from '../../src/hub/database/read.ts';
import { type DocumentCache, documentCache } from '../../src/hub/search/document-cache.ts';
import { searchHub } from '../../src/hub/search/search-hub.ts';
import type { HubWorld } from '../support/hub-world.ts';
import { question } from './hub-organisation.ts';
import { processorMs } from './processor-time.ts';
import { figure, median } from './table.ts';

const AT_ONCE = 16;
const QUESTIONS = 160;

/** How much slower a question may be for a person with rights than the same without any. */
const MOST_SLOWER = 1.5;

/** What is asked; with `vectorOf` by a model's vectors as well as by words. */
export interface Asking {
  /** The process of the database, whose time counts. */
  serverPid: number;
  vectorOf?: (text: string) => Float32Array;
}

/** Questions at 16 at once, of people who may see 3, 120 and 500 repositories, and without any rights. */
export async function questions(world: HubWorld, names: string[], asking: Asking): Promise<string[][]> {
  const { database } = world;
  await database.query(WITHOUT_RIGHTS);
  const all = await world.viewer('all', names);
  const cache = documentCache();
  const free = await measure(freeReader(database, all.repositories), cache, asking);
  const asked = asking.vectorOf ? 'hybrid question' : 'question by words';
  const rows = [figure(`${asked} without rights, median, ms`, free.median, 1), ...detailsOf(free)];
  for (const seen of [3, 120, 500]) {
    if (seen > names.length) continue;
    // Every so many-th, so that the repositories of a person are of all ages.
    const step = Math.floor(names.length / seen);
    const own = names.filter((_, i) => i % step === 0).slice(0, seen);
    const viewer = await world.viewer(`sees-${seen}`, own);
    const times = await measure(readerFor(database, viewer, viewer.repositories), cache, asking);
    rows.push(
      figure(`${asked} of a person who sees ${seen}, against without rights`, times.median / free.median, 2, {
        atMost: MOST_SLOWER,
      }),
      figure('  median, ms', times.median, 1),
      ...detailsOf(times),
    );
  }
  return rows;
}

interface Times {
  median: number;
  p95: number;
  /** Of one question, in this process and the database, in milliseconds. */
  processor: number;
}

function detailsOf({ p95, processor }: Times): string[][] {
  return [figure('  95th percentile, ms', p95, 1), figure('  processor time of one, ms', processor, 1)];
}

async function measure(read: Reader, cache: DocumentCache, { vectorOf, serverPid }: Asking): Promise<Times> {
  const about = { conditions: {}, nameOf: async (repository: number) => String(repository) };
  const times: number[] = [];
  let before = 0;
  // Once before, so that neither the database's pages nor the process's documents are cold.
  for (const isMeasured of [false, true]) {
    before = processorMs(serverPid);
    const waiting = Array.from({ length: QUESTIONS }, (_, i) => question(i));
    const ask = async () => {
      for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
        const start = performance.now();
        const vector = vectorOf?.(text);
        await searchHub(read, cache, { text, limit: 10 }, { ...about, ...(vector && { vector }) });
        if (isMeasured) times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  }
  times.sort((a, b) => a - b);
  const processor = (processorMs(serverPid) - before) / QUESTIONS;
  return { median: median(times), p95: times[Math.floor(times.length * 0.95)] ?? 0, processor };
}

/** The reading function as it would be if everybody might read everything. */
const WITHOUT_RIGHTS = READ.slice(0, READ.indexOf('ALTER FUNCTION'))
  .replace('CREATE FUNCTION read(', 'CREATE OR REPLACE FUNCTION read_without_rights(')
  .replace('SECURITY DEFINER', '')
  .replace(/\b(\w+\.\w+) = ANY \(repositories\)/g, '$1 IS NOT NULL');

function freeReader(database: Database, repositories: readonly number[]): Reader {
  return async <Answer>(question: ReadQuestion, argument: object = {}) => {
    const sql = 'SELECT read_without_rights(0, $1, $2, $3::text::jsonb) AS answer';
    const rows = await database.query<{ answer: Answer }>(sql, [repositories, question, JSON.stringify(argument)]);
    return rows.map(({ answer }) => answer);
  };
}
