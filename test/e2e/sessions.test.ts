import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { removeFolder } from '../../src/setup/demo.ts';
import { replaySession, snapshot } from '../support/replayed-session.ts';
import { sampled } from '../support/sampled.ts';
import { sessionsFolder, sharedFolder } from '../support/shared.ts';

const recorder = sharedFolder('sessions');
const folder = sessionsFolder();
if (folder === undefined) {
  console.log('skipped: the recorded sessions do not lie beside this checkout (../shared/sessions).');
}
const all = folder === undefined ? [] : readdirSync(folder).sort();
// A replay costs hundreds of processes: one of each host does by default, and one that deserves nothing.
const names = sampled(all, kindOf, Number.POSITIVE_INFINITY);
if (names.length < all.length) {
  console.log(`skipped: ${all.length - names.length} of ${all.length} recorded sessions, see npm run test:full.`);
}

describe.skipIf(recorder === undefined || folder === undefined)('a recorded session of an agent, hook by hook', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-sessions-test-')));

  afterAll(async () => {
    await removeFolder(work);
  });

  it('exists', () => {
    expect(all.length).toBeGreaterThanOrEqual(8);
  });

  // Each mostly waits for its own hooks.
  it.concurrent.each(names)('%s', async (name) => {
    const truth = truthOf(name);
    const session = await replaySession(recorder ?? '', join(folder ?? '', name), join(work, name));
    expect(session.hooks.filter(({ exit }) => exit !== 0)).toEqual([]);
    expect(session.leaks).toEqual([]);

    const all = session.gitMem('list', '--all', '--json', '--limit', '10000');
    const { records }: { records: MemoryRecord[] } = JSON.parse(all);
    const perTurn = new Map<number, number>();
    for (const { kind, prompt_number = 0 } of records) {
      if (kind === 'observation') perTurn.set(prompt_number, (perTurn.get(prompt_number) ?? 0) + 1);
    }
    expect(Math.max(0, ...perTurn.values())).toBeLessThanOrEqual(1);
    expect(records.filter(({ kind }) => kind === 'observation').length).toBeLessThanOrEqual(4);

    const before = filesOf(session);
    if (!truth.deserves_memory) {
      expect(Object.keys(before).filter((path) => /^memory\/(?:observations|summaries)\//.test(path))).toEqual([]);
    }
    session.again();
    expect(filesOf(session)).toEqual(before);
  });
});

/** The client, and whether its session deserves to be remembered. */
function kindOf(name: string): string {
  const { client, deserves_memory } = truthOf(name);
  return `${client.split(' ')[0]} ${deserves_memory}`;
}

interface SessionTruth {
  client: string;
  deserves_memory: boolean;
}

function truthOf(name: string): SessionTruth {
  return JSON.parse(readFileSync(join(folder ?? '', name, 'truth.json'), 'utf8'));
}

function filesOf({ root, state }: { root: string; state: string }): Record<string, string> {
  const stores = { memory: join(root, '.memory'), private: join(state, 'private') };
  const files = Object.entries(stores).filter(([, path]) => existsSync(path));
  return Object.fromEntries(
    files.flatMap(([name, path]) => Object.entries(snapshot(path)).map(([file, text]) => [`${name}/${file}`, text])),
  );
}
