import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scratch } from '../../src/setup/demo.ts';
import { CITED_CONTENT, CITED_FILES, generatedObservation } from '../support/generated-records.ts';
import { drop } from '../support/written-records.ts';

/** Fills a scratch repository with committed records, so that there is trust to ask git about. */
export async function fill(scratch: Scratch, count: number): Promise<void> {
  for (const file of CITED_FILES) {
    mkdirSync(dirname(join(scratch.repository, file)), { recursive: true });
    writeFileSync(join(scratch.repository, file), CITED_CONTENT);
  }
  for (let i = 0; i < count; i++) drop({ root: scratch.repository }, generatedObservation(i));
  await scratch.git.add('--all').commit('Memory');
}
