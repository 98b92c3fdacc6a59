import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decode } from '../../../src/memory/codec.ts';
import type { Mark } from '../../../src/memory/record.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

export const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';
export const OLD = observationOf({
  id: 'k3v9x2qd7m',
  title: 'A customer was hit',
  narrative: `Seen at night. ${SENTENCE}`,
});
export const NEW = observationOf({ id: '7h2c9d4e1f', title: 'The queue is bounded' });
export const MINE = observationOf({ id: 'p8w2m4ta1c', title: 'A private thought' });

/** A repository with two records of the team and a private one. */
export function stocked(): TestRepository {
  const repository = createRepository();
  for (const record of [OLD, NEW]) put(repository, record);
  put(repository, MINE, 'private');
  return repository;
}

export function markAt({ root }: TestRepository, path: string): Mark {
  const record = decode(readFileSync(resolve(root, path), 'utf8'), path);
  if (record.kind !== 'mark') throw new Error(`${path} is a ${record.kind}.`);
  return record;
}

export async function stateOf(repository: TestRepository, id: string) {
  const { records } = JSON.parse((await gitMem(repository, ['show', id, '--json'])).stdout);
  const { superseded_by, pinned, verified, retired, redacted, disputed, trust } = records[0];
  return { superseded_by, pinned, verified, retired, redacted, disputed, trust };
}
