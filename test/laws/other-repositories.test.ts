import { describe, expect, it } from 'vitest';
import { register } from '../../src/exchange/places/registry.ts';
import { locate } from '../../src/git/locate.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { gitMem } from '../support/command-line.ts';
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
    narrative: `${PROMPT} ${title}, see \`auth\`.`,
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
    Array.from({ length: 30 }, (_, i) => answer(`there ${i}`)),
  );
  put(lib, answer('there and own'));
  put(lib, summaryOf({ id: idOf('session there'), title: PROMPT, completed: PROMPT, session: 'now' }));
  put(lib, { ...answer('successor there'), supersedes: [target.id] });
  for (const type of ['retire', 'redact', 'pin'] as const) {
    const generated = { by: 'git-mem', at: '2026-11-21T10:00:00Z' };
    put(lib, { id: idOf('there', type), kind: 'mark', type, targets: [target.id], reason: PROMPT, generated });
  }
  return lib;
}

describe('law: the memory of other repositories is searched on request and never injected', () => {
  it('one full of matching records does not change one injected byte', async () => {
    const known = answer('known here');
    const own = createWith('own', [known]);
    const lib = createMatching(known);
    const before = await allThatIsTold(own, { prompt: PROMPT, file: FILE });
    // Or the law would hold of silence.
    expect(before.map((text) => text.includes('known here'))).toEqual(Array(before.length).fill(true));
    const context = await gitMem(own, ['context', '--json']);
    const checkout = locate(lib.root);
    if (checkout) register(checkout, own.env, new Date());
    // They are there, and they match.
    const { stdout } = await gitMem(own, ['search', PROMPT, '--all-repositories', '--json', '--limit', '50']);
    expect(stdout.match(/"origin": "lib"/g)?.length).toBeGreaterThan(20);
    expect(await allThatIsTold(own, { prompt: PROMPT, file: FILE })).toEqual(before);
    expect(await gitMem(own, ['context', '--json'])).toEqual(context);
    for (const command of ['search', 'list']) {
      const args = [command, ...(command === 'search' ? [PROMPT] : []), '--json'];
      expect((await gitMem(own, args)).stdout).not.toContain('there ');
    }
  }, 60_000);
});
