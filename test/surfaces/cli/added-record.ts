import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '../../../src/memory/codec.ts';
import type { Observation } from '../../../src/memory/record.ts';
import type { Ran } from '../../support/command-line.ts';
import type { TestRepository } from '../../support/repository.ts';

/** The record that a line of output names. */
export function addedRecord({ root }: TestRepository, stdout: Ran['stdout']): Observation {
  const path = stdout.trim().split('  ')[1] ?? '';
  const record = decode(readFileSync(join(root, path), 'utf8'), path);
  if (record.kind !== 'observation') throw new Error(`${path} is a ${record.kind}.`);
  return record;
}
