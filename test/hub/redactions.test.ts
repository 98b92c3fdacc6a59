import { afterEach, beforeEach, expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { MemoryRecord, Observation } from '../../src/memory/record.ts';
import { hashOf, passagesOf } from '../../src/memory/redaction.ts';
import {
  databaseForAllTests,
  type HubWorld,
  makeFolder,
  makeRemote,
  openWorld,
  type Remote,
} from '../support/hub-world.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const SALT = 'ab'.repeat(16);
const LEAKED = observationOf({
  id: idOf('leak'),
  title: 'Deploys',
  narrative: 'The staging master phrase is walrus umbrella tango.',
});

let folder: string;
let world: HubWorld | undefined;

const database = databaseForAllTests();
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => {
  world = undefined;
});

function redacting(target: Observation, name = 'mark', salt = SALT) {
  const hashes = passagesOf(target).map((passage) => hashOf(passage, salt));
  return markOf({ id: idOf(name), type: 'redact', targets: [target.id], hashed_with: salt, hashes });
}

function repositoryWith(name: string, ...records: MemoryRecord[]): Remote {
  return makeRemote(folder, name, records);
}

async function shownIn(...names: string[]): Promise<string[]> {
  if (world === undefined) return [];
  expect((await world.sync()).problems).toEqual([]);
  const viewer = await world.viewer('ada', names);
  const { items } = await world.hub.feed(viewer, {}, { offset: 0, limit: 200 });
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  return items.map(({ id }) => id).sort();
}

it('withholds a redacted record and what repeats its sentences in its repository, old and new, until it is undone', async () => {
  const fine = observationOf({ id: idOf('fine'), title: 'The umbrella stand is fine' });
  const copied = observationOf({ id: idOf('copied'), title: 'Copied', narrative: `I wrote this. ${LEAKED.narrative}` });
  const own = repositoryWith('own', LEAKED, copied, fine);
  world = await openWorld(folder, [own], { database: database() });
  expect(await shownIn('own')).toEqual([LEAKED.id, copied.id, fine.id].sort());
  own.commit([redacting(LEAKED)]);
  expect(await shownIn('own')).toEqual([fine.id]);
  const late = observationOf({ id: idOf('late'), title: 'Late', narrative: LEAKED.narrative });
  own.commit([late]);
  expect(await shownIn('own')).toEqual([fine.id]);
  const { query } = world.database;
  expect(await query("SELECT 1 FROM record WHERE record::text LIKE '%walrus umbrella%'")).toEqual([]);
  expect(await query("SELECT key FROM posting WHERE key = 'tango'")).toEqual([]);
  expect(await query("SELECT 1 FROM withheld w WHERE w::text LIKE '%walrus%'")).toEqual([]);
  expect((await world.hub.status()).repositories).toMatchObject([{ records: 1, withheld: 3, withheldBy: [] }]);
  own.commit([markOf({ id: idOf('undo'), type: 'undo', targets: [idOf('mark')] })]);
  expect(await shownIn('own')).toEqual([LEAKED.id, copied.id, fine.id, late.id].sort());
  expect((await world.hub.status()).repositories).toMatchObject([{ records: 4, withheld: 0 }]);
});

it('lets a sentence that one repository redacts stay in all others, where it was and where it comes', async () => {
  const sentence = 'Run the whole test suite before you push anything.';
  const victims = [1, 2, 3].map((n) =>
    observationOf({ id: idOf('victim', String(n)), title: `Practice ${n}`, narrative: sentence }),
  );
  const victim = repositoryWith('victim', ...victims);
  const stolen = observationOf({ id: idOf('stolen'), title: 'Stolen', narrative: sentence });
  const attacker = repositoryWith('attacker', stolen);
  world = await openWorld(folder, [victim, attacker], { database: database() });
  await world.sync();
  attacker.commit([redacting(stolen)]);
  expect(await shownIn('victim')).toEqual(victims.map(({ id }) => id).sort());
  const late = observationOf({ id: idOf('late'), title: 'Late', narrative: sentence });
  victim.commit([late]);
  expect(await shownIn('victim')).toEqual([...victims, late].map(({ id }) => id).sort());
  expect(await shownIn('attacker')).toEqual([]);
});

it('does not tell by what is missing which of a hundred guesses another repository redacted', async () => {
  const secretOf = (n: number) => `The staging master phrase is number ${n} of the list.`;
  const secret = observationOf({ id: idOf('secret'), title: 'Deploys', narrative: secretOf(42) });
  const own = repositoryWith('own', secret, redacting(secret));
  const guesses = Array.from({ length: 100 }, (_, n) =>
    observationOf({ id: idOf('guess', String(n)), title: `Guess ${n}`, narrative: secretOf(n) }),
  );
  world = await openWorld(folder, [own, repositoryWith('guesser', ...guesses)], { database: database() });
  expect(await shownIn('guesser')).toHaveLength(100);
});

it('withholds the same file of a fork, names both sides to those who may read them, and shows it again', async () => {
  const own = repositoryWith('own', LEAKED);
  const fork = repositoryWith('fork', LEAKED, observationOf({ id: idOf('more'), title: 'More' }));
  world = await openWorld(folder, [own, fork], { database: database() });
  await world.sync();
  own.commit([redacting(LEAKED)]);
  expect(await shownIn('fork')).toEqual([idOf('more')]);
  const { hub } = world;
  expect((await hub.status()).repositories).toMatchObject([
    { name: 'fork', records: 1, withheld: 1, withheldBy: ['own'] },
    { name: 'own', records: 0, withheld: 1, withheldBy: [] },
  ]);
  expect(await hub.repositories(await world.viewer('both', ['own', 'fork']))).toMatchObject([
    { name: 'fork', withheld: 1, withheldElsewhere: 1, withheldBy: ['own'], withholdsIn: [] },
    { name: 'own', withheld: 1, withheldElsewhere: 0, withheldBy: [], withholdsIn: ['fork'] },
  ]);
  expect(await hub.repositories(await world.viewer('forker', ['fork']))).toMatchObject([
    { withheld: 1, withheldElsewhere: 1, withheldBy: [], withholdsIn: [] },
  ]);
  own.git('rm', '-q', `.memory/${storePath(redacting(LEAKED))}`);
  own.git('commit', '-qm', 'no mark');
  expect(await shownIn('fork')).toEqual([LEAKED.id, idOf('more')].sort());
});

it('keeps superseded what a withheld record supersedes', async () => {
  const rule = observationOf({ id: idOf('rule'), type: 'rule', title: 'Always deploy on Fridays' });
  const better = observationOf({ ...LEAKED, id: idOf('better'), supersedes: [rule.id] });
  const own = repositoryWith('own', rule, better);
  world = await openWorld(folder, [own], { database: database() });
  expect(await shownIn('own')).toEqual([better.id]);
  own.commit([redacting(better)]);
  expect(await shownIn('own')).toEqual([]);
});

it('is not held up by a repository with hundreds of redact marks, each with a salt of its own', async () => {
  const records = Array.from({ length: 100 }, (_, n) =>
    observationOf({ id: idOf('long', String(n)), title: `Note ${n}`, narrative: sentencesOf(n) }),
  );
  const marks = Array.from({ length: 300 }, (_, n) =>
    markOf({
      id: idOf('salted', String(n)),
      type: 'redact',
      targets: [idOf('absent', String(n))],
      hashed_with: n.toString(16).padStart(32, '0'),
      hashes: Array.from({ length: 30 }, (_, i) => (n * 100 + i).toString(16).padStart(20, '0')),
    }),
  );
  world = await openWorld(folder, [repositoryWith('heavy', ...records, ...marks)], {
    database: database(),
    more: 'limits: {seconds: 60}',
  });
  expect(await shownIn('heavy')).toHaveLength(100);
});

function sentencesOf(n: number): string {
  return Array.from({ length: 20 }, (_, i) => `This is sentence ${i} of the note number ${n}, and it is long.`).join(
    ' ',
  );
}

it('shows no record of another repository to who names its blob in a tree', async () => {
  const secret = observationOf({ id: idOf('salary'), title: 'Salaries', narrative: 'Everybody earns the same.' });
  const own = repositoryWith('own', secret);
  const oid = own.git('rev-parse', `HEAD:.memory/${storePath(secret)}`).trim();
  const thief = repositoryWith('thief', observationOf({ id: idOf('bait'), title: 'Bait' }));
  world = await openWorld(folder, [own, thief], { database: database() });
  await world.sync();
  // A tree that names a blob that this repository does not have.
  thief.git('update-index', '--add', '--info-only', '--cacheinfo', `100644,${oid},.memory/${storePath(secret)}`);
  const tree = thief.git('write-tree', '--missing-ok').trim();
  const commit = thief.git('commit-tree', '-p', 'HEAD', '-m', 'stolen', tree).trim();
  thief.git('update-ref', 'refs/heads/main', commit);
  await world.sync();
  const viewer = await world.viewer('eve', ['thief']);
  const { items } = await world.hub.feed(viewer, {}, { offset: 0, limit: 9 });
  expect(items.map(({ id }) => id)).toEqual([idOf('bait')]);
});
