import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonical } from '../../src/memory/canonical.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import type { Mark, MemoryRecord, Observation, Prompt, Summary } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import type { TestRepository } from './repository.ts';

/** An observation from only the fields that a test cares about. */
export function observationOf(fields: Partial<Observation> & Pick<Observation, 'id'>): Observation {
  return canonical<Observation>({
    kind: 'observation',
    type: 'discovery',
    title: 'A record',
    narrative: '',
    facts: [],
    concepts: [],
    files_modified: [],
    files_read: [],
    anchors: {},
    supersedes: [],
    generated: { by: 'test', at: '2026-11-20T20:05:01Z' },
    ...fields,
  });
}

/** A summary with only what a test cares about. */
export function summaryOf(fields: Partial<Summary> & Pick<Summary, 'id'>): Summary {
  return canonical<Summary>({
    kind: 'summary',
    type: 'summary',
    title: 'A session',
    files_read: [],
    files_edited: [],
    supersedes: [],
    request: 'None.',
    investigated: 'None.',
    learned: 'None.',
    completed: 'None.',
    next_steps: 'None.',
    notes: 'None.',
    generated: { by: 'test', at: '2026-11-20T20:30:11Z' },
    ...fields,
  });
}

/** A mark with only what a test cares about. */
export function markOf(fields: Partial<Mark> & Pick<Mark, 'id' | 'type' | 'targets'>): Mark {
  return canonical<Mark>({
    kind: 'mark',
    reason: '',
    generated: { by: 'test', at: '2026-11-20T20:40:00Z' },
    ...fields,
  });
}

/** A prompt with only what a test cares about. */
export function promptOf(fields: Partial<Prompt> & Pick<Prompt, 'id' | 'text'>): Prompt {
  return canonical<Prompt>({ kind: 'prompt', generated: { by: 'test', at: '2026-11-20T20:00:00Z' }, ...fields });
}

/** Writes a record as git-mem does: this clone's ledger knows it. Gives the file's path from the repository's top. */
export function put(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  record: MemoryRecord,
  store: 'team' | 'private' = 'team',
): string {
  const { path } = openWorkspace(root, env).stores[store].put(record);
  return store === 'team' ? `.memory/${path}` : join('.git/git-mem/private', path);
}

/** Writes a record as a checkout brings it: a file that this clone did not write. Gives its path. */
export function drop({ root }: Pick<TestRepository, 'root'>, record: MemoryRecord): string {
  const path = `.memory/${storePath(record)}`;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), encode(record));
  return path;
}

/** Changes a record as a person does: other content in the file that it has. Gives the file's path. */
export function edit({ root }: TestRepository, record: MemoryRecord, changed: MemoryRecord): string {
  const path = `.memory/${storePath(record)}`;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), encode(changed));
  return path;
}
