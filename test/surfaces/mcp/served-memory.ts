import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { encode } from '../../../src/memory/codec.ts';
import { storePath } from '../../../src/memory/file-name.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import {
  connectMcp,
  connectMcpHere,
  type McpConnection,
  type McpOptions,
  type McpProgramOptions,
} from '../../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';

/** A test that may ask for a repository whose memory is reviewed, or for one without a memory. */
export const it = test.extend('world', () => createMemory()).extend('repository', () => createRepository());

export const ERAS = ['2025', '2026'] as const;

/** A server within this process, which is enough for what tools answer. */
export function serve({ root, env }: TestRepository, options: Partial<McpOptions> = {}): Promise<McpConnection> {
  return connectMcpHere({ cwd: root, env, ...options });
}

/** The built program, where its pipes, its arguments, its memory or its end are the point. */
export async function start({ root, env }: TestRepository, options: Partial<McpProgramOptions> = {}) {
  const connection = await connectMcp({ cwd: root, env, ...options });
  onTestFinished(connection.close);
  return connection;
}

/** Writes a record as a colleague's commit brings it: this clone has not written it. */
export function bring(repository: TestRepository, i: number, changes: Partial<Observation> = {}): Observation {
  const record = { ...generatedObservation(i), ...changes };
  repository.write(`.memory/${storePath(record)}`, encode(record));
  return record;
}

/** A repository with a memory that is empty. */
export function setUp(): TestRepository {
  const repository = createRepository();
  mkdirSync(join(repository.root, '.memory'));
  return repository;
}

export const JITTER = 'Retries back off with jitter after the outage';

interface Memory {
  repository: TestRepository;
  records: Observation[];
}

/** A repository whose five records are reviewed. */
export function createMemory(atEnd?: AtEnd): Memory {
  const repository = createRepository('repository', atEnd);
  const titles = [
    'Sessions live in Postgres because Redis had no failover',
    JITTER,
    'The parser drops a byte order mark',
    'Uploads are limited to ten megabytes',
    'Tokens may be thirty seconds early',
  ];
  const records = titles.map((title, i) => bring(repository, i, { title }));
  repository.commit('Memory');
  return { repository, records };
}

/** One for all tests of a file that only ask. */
export const reviewedForAllTests = () => forAllTests((atEnd) => createMemory(atEnd));
