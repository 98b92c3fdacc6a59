import { defaultBranches } from '../git/default-branch.ts';
import { isHidden } from '../memory/marks.ts';
import { isSessionDigest } from '../memory/session-digest.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { FileFreshness } from './freshness.ts';
import type { Freshness } from './levels.ts';
import { type CommitInfo, isWithChange, type RecordedIn, recordedIn } from './recorded.ts';
import { type Judged, type Relations, relationsOf } from './relations.ts';
import { type Revert, revertOf } from './reverts.ts';

/** How a record came into the repository, and why it counts. */
export interface Origin {
  /** One sentence on why it is trusted, or not. */
  trust_reason: string;
  recorded?: RecordedCommit;
  /** This clone's history ends before the commit that added the record's file. */
  history_ends?: true;
  /** The background has not read its commit yet. */
  history_unread?: true;
  reverted_by?: Revert;
}

export interface RecordedCommit extends CommitInfo {
  /** It also changed a file that the record cites. */
  with_change: boolean;
}

/** A record's origin, and what became of it. */
export interface Why extends Relations, Origin {
  known: Judged;
  /** The commits of its session, if this clone captured it. */
  commits: string[];
  files: { path: string; change: 'modified' | 'read'; freshness: Freshness }[];
}

/** A record with what became of its files. */
type Story = Judged & { cited: FileFreshness[] };

/** Everything that is known about a record's origin; `records` are those of both stores, newest first. */
export async function why(workspace: Workspace, known: Story, records: Judged[]): Promise<Why> {
  return {
    known,
    ...relationsOf(known.record.id, records),
    ...(await originOf(workspace, known)),
    commits: commitsOfSession(records, known.record.session),
    files: filesOf(known),
  };
}

/** What git says about how a record came into the repository; a few git children. */
export async function originOf(workspace: Workspace, known: Judged): Promise<Origin> {
  const { record, entry } = known;
  const trust_reason = (await trustReasons(workspace))(known);
  const found = entry.store === 'team' ? (await recordedIn(workspace, [entry.path])).get(entry.path) : undefined;
  if (found === undefined) return { trust_reason };
  if (found === 'history-ends') return { trust_reason, history_ends: true };
  if (found === 'unread') return { trust_reason, history_unread: true };
  const reverted_by = await revertOf(workspace, { record, path: entry.path, recorded: found });
  return { trust_reason, recorded: recordedCommit(found, known), ...(reverted_by && { reverted_by }) };
}

/** The commit for display, without the list of what it changed. */
export function recordedCommit({ changed, ...commit }: RecordedIn, { record }: Pick<Judged, 'record'>): RecordedCommit {
  return { ...commit, with_change: isWithChange({ ...commit, changed }, record) };
}

/** The full ids of the commits that were seen in a session, from its digest in the private store of this clone. */
export function commitsOfSession(records: Judged[], session: string | undefined): string[] {
  if (session === undefined) return [];
  const digests = records.flatMap(({ record, state }) => (isSessionDigest(record) && !isHidden(state) ? [record] : []));
  return digests.find((digest) => digest.session === session)?.commits ?? [];
}

/** Returns a function that says, in one sentence, why a record is trusted or not. */
export async function trustReasons(workspace: Workspace): Promise<(known: Pick<Judged, 'trust' | 'entry'>) => string> {
  const branches = defaultBranches(workspace);
  const names = branches.map((branch) => branch.replace(/^refs\/(?:heads|remotes)\//, ''));
  const branch = names.length === 0 ? 'the default branch' : names.join(' or ');
  return ({ trust, entry }) => trustReason(trust, entry, branch);
}

function trustReason(trust: Judged['trust'], entry: Judged['entry'], branch: string): string {
  switch (trust) {
    case 'reviewed':
      return `The same file is on ${branch}.`;
    case 'own':
      return entry.store === 'private'
        ? 'It is in the private store, and this clone wrote it or accepted it.'
        : `This clone wrote it or accepted it; it is not on ${branch} yet.`;
    case 'edited':
      return `Its file differs from the one on ${branch}.`;
    case 'unreviewed':
      return `It is neither on ${branch} nor written by this clone.`;
    default:
      return trust satisfies never;
  }
}

function filesOf({ record, cited }: Story): Why['files'] {
  if (record.kind !== 'observation') return [];
  const state = (path: string) => cited.find((file) => file.path === path)?.freshness ?? 'unknown';
  return [
    ...record.files_modified.map((path) => ({ path, change: 'modified' as const, freshness: state(path) })),
    ...record.files_read
      .filter((path) => !record.files_modified.includes(path))
      .map((path) => ({ path, change: 'read' as const, freshness: state(path) })),
  ];
}
