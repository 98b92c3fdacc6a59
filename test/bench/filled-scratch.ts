import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import type { Scratch } from '../../src/setup/demo.ts';
import { CITED_CONTENT, CITED_FILES, generatedObservation } from '../support/generated-records.ts';

/** Fills a scratch repository with committed records, so that there is trust to ask git about. */
export async function fill(scratch: Scratch, count: number): Promise<void> {
  for (const file of CITED_FILES) {
    mkdirSync(dirname(join(scratch.repository, file)), { recursive: true });
    writeFileSync(join(scratch.repository, file), CITED_CONTENT);
  }
  for (let i = 0; i < count; i++) {
    const record = generatedObservation(i);
    const path = join(scratch.repository, '.memory', storePath(record));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encode(record));
  }
  await scratch.git.add('--all').commit('Memory');
}
