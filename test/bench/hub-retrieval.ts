import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GRAMS, spell } from '../../src/index/embed/local.ts';
import { tokenize } from '../../src/index/tokens.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { pgvectorPrograms } from '../support/pgvector.ts';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { type Group, readSet, toRecords } from './corpus.ts';
import { type Measures, mean, measure, measureOurs, SETS, SETS_AND_BOUNDS } from './retrieval.ts';
import { type Figure, printTable } from './table.ts';

/** How much of the recall of one machine the hub may lose among the first ten. */
const MOST_LOST = 0.02;

/**
 * Loads each labelled set as many repositories, and asks the hub and one machine the same questions: by words, and by words
 * and the vectors of one model where the database has pgvector.
 */
export async function hubRetrieval(folder = SETS): Promise<Figure[]> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    console.log('\nHub retrieval left out: no PostgreSQL is installed (apt-get install postgresql).');
    return [];
  }
  const server = startPostgres(programs, ['-c', 'shared_buffers=256MB']);
  try {
    return await byWordsAndVectors(server.createDatabase, folder);
  } finally {
    server.stop();
  }
}

async function byWordsAndVectors(createDatabase: () => string, folder: string): Promise<Figure[]> {
  const rows = await retrievalRows(createDatabase, folder, '');
  const { base, close } = await startSpellingModel();
  try {
    const settings = `embed: {provider: openai, model: spelling, base_url: "${base}"}\n`;
    if (pgvectorPrograms() === undefined) console.log('\nHub retrieval by vectors left out: no pgvector is installed.');
    else rows.push(...(await retrievalRows(createDatabase, folder, settings)));
  } finally {
    close();
  }
  if (rows.length === 0) return [];
  printTable('Hub retrieval', ['', 'R@5', 'R@10', 'MRR@10', 'nDCG@10', 'R@10', ''], rows);
  return [false, true].flatMap((isHybrid) => figuresOf(rows, isHybrid));
}

/** One row of the page for all sets: the hub's rows, and one machine's, which follow them. */
function figuresOf(rows: string[][], isHybrid: boolean): Figure[] {
  const own = rows.flatMap((row, i) => (row[0]?.endsWith(isHybrid ? ', hybrid' : ', hub') ? [[row, rows[i + 1]]] : []));
  if (own.length === 0) return [];
  const recall = (side: 0 | 1) => own.map((pair) => pair[side]?.[2]).join(', ');
  return [
    {
      promise: `found among the first ten of each set by ${isHybrid ? 'words and vectors' : 'words'}`,
      bound: `lost <= ${MOST_LOST}`,
      value: recall(0),
      holds: own.every(([row]) => row?.at(-1) === 'holds'),
      note: `one machine ${recall(1)}`,
    },
  ];
}

async function retrievalRows(createDatabase: () => string, folder: string, settings: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name] of SETS_AND_BOUNDS) {
    const groups = readSet(join(folder, name));
    if (groups === undefined) {
      console.log(`\nHub retrieval: ${name} left out, ${join(folder, name)} is not here.`);
      continue;
    }
    const hub = await measureHub(groups, createDatabase(), settings);
    const local: Measures[] = [];
    for (const group of groups) local.push(...(await measureOurs(group, [], settings)));
    const lost = Number(mean(local)[1]) - Number(mean(hub)[1]);
    const verdict = [`lost <= ${MOST_LOST}`, lost <= MOST_LOST ? 'holds' : 'BROKEN'];
    rows.push(
      [`${name}, hub${settings === '' ? '' : ', hybrid'}`, ...mean(hub), ...verdict],
      ['  one machine', ...mean(local)],
    );
  }
  return rows;
}

/** The vector of a text by how its words are spelt. */
export function spelling(text: string): Float32Array {
  return spell(tokenize(text)) ?? new Float32Array(GRAMS.dimensions).fill(1);
}

/** A model that knows how words are spelt, behind the protocol of OpenAI: it needs no network and is the same everywhere. */
export async function startSpellingModel(): Promise<{ base: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request)) as { input: string[] };
    const data = input.map((one, index) => ({ index, embedding: [...spelling(one)] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  // A busy machine must not close a connection that is about to be used again.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => void server.close(),
  };
}

async function measureHub(groups: Group[], address: string, settings: string): Promise<Measures[]> {
  const folder = makeFolder(() => {});
  try {
    const remotes = groups.map(({ documents }, i) => {
      const remote = makeRemote(folder, `group${i}`);
      const { records, corpusIds } = toRecords(documents);
      remote.commit(records);
      return { ...remote, corpusIds };
    });
    const world = await openWorld(folder, remotes, { address, more: settings, atEnd: () => {} });
    try {
      await world.sync();
      await world.database.query('ANALYZE');
      const viewer = await world.viewer(
        'bench',
        remotes.map(({ name }) => name),
      );
      const measures: Measures[] = [];
      for (const [i, group] of groups.entries()) {
        const { name = '', corpusIds = new Map<string, string>() } = remotes[i] ?? {};
        const found = new Map<string, string[]>();
        for (const { id, text: asked } of group.queries) {
          const question = { text: asked.replace(/\s+/g, ' '), filter: { repository: [name] }, limit: 10 };
          const { hits } = await world.hub.search(viewer, question);
          found.set(
            id,
            hits.map((hit) => corpusIds.get(hit.id) ?? ''),
          );
        }
        measures.push(...measure(group, ({ id }) => found.get(id) ?? []));
      }
      return measures;
    } finally {
      await world.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
