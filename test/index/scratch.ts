import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { MemoryRecord, Observation } from '../../src/memory/record.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { repositoryTemplate } from '../support/repository-template.ts';
import { observationOf } from '../support/written-records.ts';

/** A real repository in a temporary folder. */
export interface Scratch {
  workspace: Workspace;
  /** Writes a record's file into a store; returns its path. */
  write(record: MemoryRecord, store?: 'team' | 'private'): string;
  /** Writes a record as git-mem itself does: it counts as this clone's own. */
  put(record: MemoryRecord): void;
  remove(): void;
}

export function scratch(env: Record<string, string> = {}): Scratch {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-cache-'));
  cpSync(join(repositoryTemplate(), '.git'), join(root, '.git'), { recursive: true });
  const workspace = openWorkspace(root, env);
  return {
    workspace,
    write(record, store = 'team') {
      const path = join(workspace.stores[store].dir, storePath(record));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, encode(record));
      return path;
    },
    put: (record) => void workspace.stores.team.put(record),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

let minutes = 0;

/** An observation with sensible parts where none are given; each is a minute younger than the one before. */
export function observation(title: string, parts: Partial<Observation> = {}): Observation {
  const at = `${new Date(Date.UTC(2026, 0, 1) + ++minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const id = idOf(title, parts.narrative ?? '');
  return observationOf({ id, type: 'change', title, generated: { by: 'test', at }, ...parts });
}

/** The blob id that a record's file will have. */
export function blobOf(record: MemoryRecord): string {
  return blobId(encode(record));
}
