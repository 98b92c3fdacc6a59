import { createCleaner } from '../../src/capture/drain/clean.ts';
import { bringIn, type ImportReport } from '../../src/exchange/import/bring.ts';
import type { ImportSource } from '../../src/exchange/import/importer.ts';
import { IMPORTERS } from '../../src/exchange/import/importers.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { readEverything } from '../../src/records/read.ts';
import type { TestRepository } from './repository.ts';

/** Imports another tool's memory, as the command does. */
export async function importFrom(
  { root, env }: TestRepository,
  from: string,
  { path, project, ...changes }: { path?: string; project?: string; store?: 'team'; dryRun?: true } = {},
): Promise<ImportReport> {
  const importer = IMPORTERS.find(({ name }) => name === from);
  if (importer === undefined) throw new Error(`There is no importer "${from}".`);
  const workspace = openWorkspace(root, env);
  const cleaner = createCleaner([], 200_000);
  const source: ImportSource = { path, workspace, env, project, cleaner };
  const now = new Date('2026-11-20T12:00:00Z');
  return bringIn(importer.read(source), { workspace, store: 'private', cleaner, now, ...changes });
}

/** Every record of both stores that stands, oldest first. */
export async function liveRecords({ root, env }: TestRepository): Promise<MemoryRecord[]> {
  const { records } = await readEverything(openWorkspace(root, env));
  return records
    .filter(({ state }) => state.superseded_by.length === 0 && !state.retired)
    .map(({ record }) => record)
    .reverse();
}

/** Every record of both stores, whatever marks say of it. */
export async function recordsOf({ root, env }: TestRepository): Promise<MemoryRecord[]> {
  return (await readEverything(openWorkspace(root, env))).records.map(({ record }) => record);
}
