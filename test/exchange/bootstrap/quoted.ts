import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { bootstrap } from '../../../src/exchange/bootstrap/bootstrap.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { commitMany, dayAfter } from '../../support/dated-commits.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

async function quote({ root, env }: TestRepository): Promise<{ pattern: string; record: Observation }[]> {
  const options = { store: 'private' as const, limit: 20, cleaner: createCleaner([]) };
  return (await bootstrap(openWorkspace(root, env), options)).records;
}

let day = 0;

/** What bootstrap quotes from a repository whose reviewed branch has these files. */
export async function recordsOf(
  files: Record<string, string>,
  repository = createRepository(),
): Promise<Observation[]> {
  commitMany(repository, [{ day: dayAfter(day++), message: 'Work', files }]);
  return (await quote(repository)).map(({ record }) => record);
}
