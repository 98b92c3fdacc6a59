import type { Environment } from '../repo/layout.ts';
import { runGit } from '../repo/objects.ts';
import type { StoredRecord } from '../store/store.ts';

/**
 * Where a record stands by its provenance, never by what it says of itself. `reviewed`: the same blob is in the tree of
 * the default branch. `own`: this clone's ledger has its blob. `edited`: a reviewed path with other content.
 * `unreviewed`: everything else.
 */
export type Trust = 'reviewed' | 'own' | 'edited' | 'unreviewed';

/** The trust of each record, in their order; one git child for any number of records. */
export async function trustOf(
  records: StoredRecord[],
  options: { root: string; ledger: Set<string>; env: Environment; branch: string | undefined },
): Promise<Trust[]> {
  const { root, ledger, env, branch } = options;
  const paths = records.filter(({ entry }) => entry.store === 'team').map(({ entry }) => `.memory/${entry.path}`);
  const reviewed = branch === undefined || paths.length === 0 ? new Map() : await treeBlobs(root, branch, paths, env);
  return records.map((record) => {
    const blob = record.entry.store === 'team' ? reviewed.get(`.memory/${record.entry.path}`) : undefined;
    if (blob === record.blob) return 'reviewed';
    if (ledger.has(record.blob)) return 'own';
    return blob === undefined ? 'unreviewed' : 'edited';
  });
}

/** More paths than this are not named one by one: a command line has an end. */
const NAMED_PATHS = 400;

/**
 * The blobs at these paths, or at more, in a revision's tree. One walk: asking `git cat-file` path by path would parse
 * the month's folder anew for each, which at thousands of records costs a session start half its time.
 */
async function treeBlobs(
  root: string,
  revision: string,
  paths: string[],
  env: Environment,
): Promise<Map<string, string>> {
  const wanted = paths.length > NAMED_PATHS ? ['.memory'] : paths;
  const output = await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', revision, '--', ...wanted], env);
  const lines = (output ?? '').split('\0').map((line) => /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line));
  return new Map(lines.flatMap((line): [string, string][] => (line ? [[line[2] ?? '', line[1] ?? '']] : [])));
}

/** Tells whether a record's word counts: the text was reviewed, or written here. */
export function isTrusted(trust: Trust): boolean {
  return trust === 'reviewed' || trust === 'own';
}
