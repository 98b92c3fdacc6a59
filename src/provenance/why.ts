import { defaultBranch } from '../repo/locate.ts';
import { COMMAND_PATIENCE_MS, readGit } from '../repo/objects.ts';
import type { Workspace } from '../store/workspace.ts';
import { createFreshness, type Freshness } from './freshness.ts';
import { additionOf, type CommitInfo, changesAny, commitInfo, landingOf } from './landing.ts';
import { type KnownRecord, type Relations, relationsOf } from './relations.ts';

/** Where a record comes from, and what became of it. */
export interface Why extends Relations {
  known: KnownRecord;
  /** One sentence on why it is trusted, or not. */
  trust_reason: string;
  /** The commit that added its file. */
  added?: CommitInfo;
  /** The commit that brought the work which it tells of. */
  landed?: CommitInfo;
  files: { path: string; change: 'modified' | 'read'; freshness: Freshness }[];
}

/** Everything that is known of how a record came about; `records` are those of both stores, newest first. */
export async function why(workspace: Workspace, known: KnownRecord, records: KnownRecord[]): Promise<Why> {
  const { record, entry } = known;
  const added = entry.store === 'team' ? await additionOf(workspace, `.memory/${entry.path}`) : undefined;
  const landed = await landedIn(workspace, known, added);
  return {
    known,
    ...relationsOf(record.id, records),
    trust_reason: trustReason(workspace, known),
    ...(added && { added }),
    ...(landed && { landed }),
    files: await filesOf(workspace, known),
  };
}

/** The first commit after the capture that changes what the record says it changed; else the one that it came with. */
async function landedIn(
  workspace: Workspace,
  { record }: KnownRecord,
  added: CommitInfo | undefined,
): Promise<CommitInfo | undefined> {
  const files =
    record.kind === 'observation' ? record.files_modified : record.kind === 'summary' ? record.files_edited : [];
  // A squashed branch brings both in one commit, and the way from the capture is gone.
  if (added !== undefined && (await changesAny(workspace, added.commit, files))) return added;
  if (record.commit === undefined) return undefined;
  const landing = await landingOf(workspace, { from: record.commit, files, revision: 'HEAD' });
  return landing === undefined ? undefined : commitInfo(workspace, landing);
}

function trustReason({ checkout }: Workspace, { trust, entry }: KnownRecord): string {
  const branch = defaultBranch(checkout)?.replace(/^refs\/(?:heads|remotes)\//, '') ?? 'the default branch';
  switch (trust) {
    case 'reviewed':
      return `The same file is on ${branch}.`;
    case 'own':
      return entry.store === 'private'
        ? 'It lies in the private store, and this clone wrote it or accepted it.'
        : `This clone wrote it or accepted it; it is not on ${branch} yet.`;
    case 'edited':
      return `Its file differs from the one on ${branch}.`;
    case 'unreviewed':
      return `It is neither on ${branch} nor written by this clone.`;
    default:
      return trust satisfies never;
  }
}

async function filesOf(workspace: Workspace, { record }: KnownRecord): Promise<Why['files']> {
  if (record.kind !== 'observation') return [];
  const { checkout, format } = workspace;
  const freshness = createFreshness({ root: checkout.root, format, pathsOf: await indexedPaths(workspace) });
  const state = (path: string) => {
    const blob = record.anchors[path];
    return blob === undefined ? 'unknown' : freshness.file(path, blob);
  };
  return [
    ...record.files_modified.map((path) => ({ path, change: 'modified' as const, freshness: state(path) })),
    ...record.files_read
      .filter((path) => !record.files_modified.includes(path))
      .map((path) => ({ path, change: 'read' as const, freshness: state(path) })),
  ];
}

/** The paths at which the index holds a blob. */
async function indexedPaths({ checkout, env }: Workspace): Promise<(blob: string) => string[]> {
  const output = await readGit(checkout.root, ['ls-files', '-s', '-z'], env, { patienceMs: COMMAND_PATIENCE_MS });
  const lines = (output?.toString('utf8') ?? '').split('\0').map((line) => /^\d+ ([0-9a-f]+) 0\t(.*)$/s.exec(line));
  return (blob) => lines.flatMap((line) => (line?.[1] === blob && line[2] !== undefined ? [line[2]] : []));
}
