import { describe, expect, it } from 'vitest';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { gitMem } from '../support/command-line.ts';
import { link, snapshot } from '../support/links.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { allThatIsTold } from '../support/told.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
const FILE = 'src/auth.ts';

/** A record that answers the prompt and is about the file as well as any can be. */
function answer(name: string, title = `Login gives users a 401 by the clock skew between nodes, ${name}`): Observation {
  return observationOf({
    id: idOf(name),
    title,
    narrative: `${PROMPT} ${title}`,
    facts: [PROMPT],
    session: 'now',
    files_modified: [FILE],
    anchors: { [FILE]: blobId('auth\n') },
    generated: { by: 'git-mem', at: '2026-11-20T20:05:01Z' },
  });
}

function createWith(name: string, records: Observation[]): TestRepository {
  const repository = createRepository(name);
  repository.write(FILE, 'auth\n');
  const paths = records.map((record) => drop(repository, record));
  repository.git('add', '--', FILE, ...paths);
  repository.git('commit', '--quiet', '-m', 'reviewed');
  return repository;
}

/** Reviewed over there, written by that clone, a summary, and marks on what is known here. */
function createMatching(target: Observation): TestRepository {
  const lib = createWith(
    'lib',
    Array.from({ length: 30 }, (_, i) => answer(`linked ${i}`)),
  );
  put(lib, answer('linked and own'));
  put(lib, summaryOf({ id: idOf('linked session'), title: PROMPT, completed: PROMPT, session: 'now' }));
  put(lib, { ...answer('linked successor'), supersedes: [target.id] });
  for (const type of ['retire', 'redact', 'pin'] as const) {
    const generated = { by: 'git-mem', at: '2026-11-21T10:00:00Z' };
    put(lib, { id: idOf('linked', type), kind: 'mark', type, targets: [target.id], reason: PROMPT, generated });
  }
  return lib;
}

const COMMANDS = [
  ['links', '--json'],
  ['search', PROMPT, '--linked', '--json'],
  ['search', '--linked', '--file', FILE, '--trust', 'unreviewed'],
  ['list', '--linked', '--all'],
  ['show', `lib:${idOf('linked 1')}`],
];

describe('law: linked memory is searched on request and never injected', () => {
  it('a linked repository full of matching records does not change one injected byte', async () => {
    const known = answer('known here');
    const own = createWith('own', [known]);
    const lib = createMatching(known);
    const before = await allThatIsTold(own, { prompt: PROMPT, file: FILE });
    // Or the law would hold of silence.
    expect(before.map((text) => text.includes('known here'))).toEqual(Array(before.length).fill(true));
    const context = await gitMem(own, ['context', '--json']);
    link(own, [lib.root, { url: `file://${lib.root}`, name: 'fetched' }]);
    expect(await gitMem(own, ['links', 'update'])).toMatchObject({ code: 0 });
    // They are there, and they match.
    const { stdout } = await gitMem(own, ['search', PROMPT, '--linked', '--json', '--limit', '50']);
    expect(stdout.match(/"origin": "(?:lib|fetched)"/g)?.length).toBeGreaterThan(40);
    expect(await allThatIsTold(own, { prompt: PROMPT, file: FILE })).toEqual(before);
    expect(await gitMem(own, ['context', '--json'])).toEqual(context);
    for (const command of ['search', 'list']) {
      const args = [command, ...(command === 'search' ? [PROMPT] : []), '--json'];
      expect((await gitMem(own, args)).stdout).not.toContain('linked');
    }
  }, 60_000);

  it('nothing is written into a linked repository, whatever is asked of it', async () => {
    const known = answer('known here');
    const own = createWith('own', [known]);
    const lib = createMatching(known);
    const commit = lib.git('rev-parse', 'HEAD').trim();
    const path = { path: lib.root, name: 'lib' };
    link(own, [path, { ...path, name: 'pinned', at: commit }, { url: `file://${lib.root}`, name: 'fetched' }]);
    const before = snapshot(lib.root);
    for (const args of [['links', 'update'], ...COMMANDS]) {
      expect(await gitMem(own, args), args.join(' ')).toMatchObject({ code: 0 });
    }
    expect(snapshot(lib.root)).toEqual(before);
    // A repository that git-mem never worked in has no folder of its state afterwards either.
    const plain = createWith('plain', [answer('linked 1')]);
    link(own, [{ path: plain.root, name: 'lib' }]);
    const untouched = snapshot(plain.root);
    for (const args of COMMANDS) expect(await gitMem(own, args)).toMatchObject({ code: 0 });
    expect(snapshot(plain.root)).toEqual(untouched);
  }, 60_000);
});
