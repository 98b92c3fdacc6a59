import { GitMemError } from '../../errors.ts';
import { readBlobs, type TreeFile } from '../../git/objects.ts';
import { FOLDERS, isMonth } from '../../memory/file-name.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { MAX_RECORD_BYTES } from '../../memory/size.ts';
import { documentOf } from '../../recall/index/document.ts';
import { decodeLazily } from '../../recall/index/read-lazily.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubLimits } from '../config.ts';
import type { Query } from '../database/database.ts';
import type { Mirror } from './mirror.ts';

/** A record as the database holds it, but for what its repository says of it. */
export interface Parsed {
  oid: string;
  record: MemoryRecord;
  terms: string[];
  lengths: number[];
  bytes: number;
}

const TEAM_FOLDERS = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];

/** Where records are, by their blobs; those of the default branch have no request. */
export type Files = Map<string, { path: string; request: number | null }>;

/** The records' files in a tree, by their blobs: the same content twice is one record. */
export function recordFiles(files: readonly TreeFile[], request: number | null = null): Files {
  const found: Files = new Map();
  for (const { path, blob } of files) {
    const [top, kind = '', month = '', name = '', more] = path.split('/');
    const isRecord = top === '.memory' && TEAM_FOLDERS.includes(kind) && isMonth(month) && name.endsWith('.md');
    if (isRecord && more === undefined && !found.has(blob)) found.set(blob, { path, request });
  }
  return found;
}

/**
 * The records of files: those that any repository of the hub has are copied, because a blob's content never changes; the
 * others are fetched in one request and parsed. What does not parse is left out, as everywhere. Throws too-large.
 */
export async function parseFiles(
  files: Files,
  mirror: Mirror,
  { query, limits, env }: { query: Query; limits: HubLimits; env: Environment },
): Promise<Parsed[]> {
  const known = await query<Parsed>(
    'SELECT DISTINCT ON (oid) oid, record, terms, lengths, bytes FROM record WHERE oid = ANY ($1)',
    [[...files.keys()]],
  );
  const unknown = new Set(files.keys());
  for (const { oid } of known) unknown.delete(oid);
  if (unknown.size === 0) return known;
  await mirror.fetchBlobs(unknown);
  const contents = await readBlobs(mirror.root, unknown, env);
  return [...known, ...(await parseContents(contents, files, limits))];
}

async function parseContents(
  contents: ReadonlyMap<string, Buffer>,
  files: Files,
  limits: HubLimits,
): Promise<Parsed[]> {
  const until = Date.now() + limits.seconds * 1000;
  const parsed: Parsed[] = [];
  let bytes = 0;
  for (const [oid, content] of contents) {
    bytes += content.length;
    if (bytes > limits.megabytes * 1e6) throw tooLarge(`its records have more than ${limits.megabytes} MB`);
    if (Date.now() > until) throw tooLarge(`reading its records takes more than ${limits.seconds} s`);
    if (content.length > MAX_RECORD_BYTES) continue;
    try {
      const record = await decodeLazily(content.toString('utf8'), files.get(oid)?.path ?? '');
      const { terms } = documentOf(record, oid);
      const lengths = terms.map((stream) => (stream === '' ? 0 : stream.split(' ').length));
      parsed.push({ oid, record, terms, lengths, bytes: content.length });
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error; // `git mem check` names it, in its own repository.
    }
  }
  return parsed;
}

/** The error for a repository beyond the limits. */
export function tooLarge(what: string): GitMemError {
  return new GitMemError('too-large', `The repository is not indexed: ${what}.`, {
    hint: '"limits" in hub.yaml; the state before is still served.',
  });
}
