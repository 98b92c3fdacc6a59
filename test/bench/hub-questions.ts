import type { Database } from '../../src/hub/database/database.ts';
import { READ, type ReadQuestion } from '../../src/hub/database/read.ts';
import { type Reader, readerFor } from '../../src/hub/reader.ts';
import { type DocumentCache, documentCache } from '../../src/hub/search/documents.ts';
import { searchHub } from '../../src/hub/search/search-hub.ts';
import type { HubWorld } from '../support/hub-world.ts';
import { question } from './hub-organisation.ts';
import { figure, median } from './table.ts';

const QUESTIONS = 160;
const AT_ONCE = 16;

/** How much slower a question may be for a person with rights than the same without any. */
const MOST_SLOWER = 1.5;

/** Questions at 16 at once, of people who may see 3, 120 and 500 repositories, and without any rights. */
export async function questions(world: HubWorld, names: string[]): Promise<string[][]> {
  const { database } = world;
  await database.query(WITHOUT_RIGHTS);
  const all = await world.viewer('all', names);
  const cache = documentCache();
  const free = await measure(freeReader(database, all.repositories), cache);
  const rows = [figure('question without rights, median ms', free.median, 1), figure('  95th percentile', free.p95, 1)];
  for (const count of [3, 120, 500]) {
    if (count > names.length) continue;
    // Every so many-th, so that the repositories of a person are of all ages.
    const step = Math.floor(names.length / count);
    const own = names.filter((_, i) => i % step === 0).slice(0, count);
    const viewer = await world.viewer(`sees-${count}`, own);
    const times = await measure(readerFor(database, viewer, viewer.repositories), cache);
    rows.push(
      figure(`question of a person who sees ${count}, median ms`, times.median, 1),
      figure('  95th percentile', times.p95, 1),
      figure('  of the median without rights', times.median / free.median, 2, { atMost: MOST_SLOWER }),
    );
  }
  return rows;
}

async function measure(read: Reader, cache: DocumentCache): Promise<{ median: number; p95: number }> {
  const about = { conditions: {}, nameOf: async (repository: number) => String(repository) };
  const times: number[] = [];
  // Once before, so that neither the database's pages nor the process's documents are cold.
  for (const isMeasured of [false, true]) {
    const waiting = Array.from({ length: QUESTIONS }, (_, i) => question(i));
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
