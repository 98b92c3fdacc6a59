import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { type Group, readSet, toRecords } from './corpus.ts';
import { type Measures, mean, measure, measureOurs, SETS, SETS_AND_BOUNDS } from './retrieval.ts';
import { allHold, printTable } from './table.ts';

/** How much of the recall of one machine the hub may lose among the first ten. */
const MOST_LOST = 0.02;

/** Loads each labelled set as many repositories, and asks the hub and one machine the same questions. */
export async function hubRetrieval(address: string | undefined, folder = SETS): Promise<boolean | undefined> {
  const rows: string[][] = [];
  for (const [name] of SETS_AND_BOUNDS) {
    const groups = readSet(join(folder, name));
    if (groups === undefined) {
      console.log(`\nHub retrieval: ${name} left out, ${join(folder, name)} is not here.`);
      continue;
    }
    const hub = await measureHub(groups, address);
    const local: Measures[] = [];
    for (const group of groups) local.push(...(await measureOurs(group)));
    const lost = Number(mean(local)[1]) - Number(mean(hub)[1]);
    const verdict = [`lost <= ${MOST_LOST}`, lost <= MOST_LOST ? 'holds' : 'BROKEN'];
    rows.push([`${name}, hub`, ...mean(hub), ...verdict], ['  one machine', ...mean(local)]);
  }
  if (rows.length === 0) return undefined;
  printTable('Hub retrieval', ['', 'R@5', 'R@10', 'MRR@10', 'nDCG@10', 'R@10', ''], rows);
  return allHold(rows);
}

async function measureHub(groups: Group[], address: string | undefined): Promise<Measures[]> {
  const folder = makeFolder();
  try {
    const remotes = groups.map(({ documents }, i) => {
      const remote = makeRemote(folder, `group${i}`);
      const { records, corpusIds } = toRecords(documents);
      remote.commit(records);
      return { ...remote, corpusIds };
    });
    const world = await openWorld(folder, remotes, { address });
    try {
      await world.sync();
      const viewer = await world.viewer(
        'bench',
        remotes.map(({ name }) => name),
      );
      const measures: Measures[] = [];
      for (const [i, group] of groups.entries()) {
        const { name = '', corpusIds = new Map<string, string>() } = remotes[i] ?? {};
        const found = new Map<string, string[]>();
        for (const { id, text } of group.queries) {
          const question = { text: text.replace(/\s+/g, ' '), filter: { repository: [name] }, limit: 10 };
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
