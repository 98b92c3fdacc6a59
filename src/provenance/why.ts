import { defaultBranches } from '../git/default-branch.ts';
import { shallowCommits } from '../git/shallow.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Freshness } from './freshness.ts';
import { additionOf, type CommitInfo, changesAny, commitInfo, landedBefore, landingOf } from './landing.ts';
import { type Judged, type Relations, relationsOf } from './relations.ts';
import { judgeOf } from './whereabouts.ts';

/** How a record came into the repository, and why it counts. */
export interface Origin {
  /** One sentence on why it is trusted, or not. */
  trust_reason: string;
  added?: CommitInfo;
  /** The commit with the work that it describes. */
  landed?: CommitInfo;
  /** The commit of the work was not found, and this clone's history ends early. */
  shallow?: true;
}

/** A record's origin, and what became of it. */
export interface Why extends Relations, Origin {
  known: Judged;
  files: { path: string; change: 'modified' | 'read'; freshness: Freshness }[];
}

/** Everything that is known about a record's origin; `records` are those of both stores, newest first. */
export async function why(workspace: Workspace, known: Judged, records: Judged[]): Promise<Why> {
  return {
    known,
    ...relationsOf(known.record.id, records),
    ...(await originOf(workspace, known)),
    files: await filesOf(workspace, known),
  };
}

/** What git shows about a record's way into the repository; some git children. */
export async function originOf(workspace: Workspace, known: Judged): Promise<Origin> {
  const { entry } = known;
  const added = entry.store === 'team' ? await additionOf(workspace, `.memory/${entry.path}`) : undefined;
  const landed = await landedIn(workspace, known, added);
  return {
    trust_reason: (await trustReasons(workspace))(known),
    ...(added && { added }),
    ...(landed ? { landed } : shallowCommits(workspace.checkout.commonDir).size > 0 && { shallow: true }),
  };
}

/** The first commit after the capture that changes the record's changed files; else the one that added the record. */
async function landedIn(
  workspace: Workspace,
  { record }: Judged,
  added: CommitInfo | undefined,
): Promise<CommitInfo | undefined> {
  const files =
    record.kind === 'observation' ? record.files_modified : record.kind === 'summary' ? record.files_edited : [];
  // A squashed branch has both in one commit, and the history since the capture is gone.
  if (added !== undefined && (await changesAny(workspace, added.commit, files))) return added;
  if (record.commit === undefined) return undefined;
  const before = await landedBefore(workspace, { from: record.commit, anchors: anchorsOf(record), record });
  if (before !== undefined) return before;
  const landing = await landingOf(workspace, { from: record.commit, files, revision: 'HEAD' });
  return landing === undefined ? undefined : commitInfo(workspace, landing);
}

/** The content, at capture, of what the record says it modified. */
function anchorsOf(record: Judged['record']): Record<string, string> {
  if (record.kind !== 'observation') return {};
  return Object.fromEntries(Object.entries(record.anchors).filter(([path]) => record.files_modified.includes(path)));
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

async function filesOf(workspace: Workspace, { record }: Judged): Promise<Why['files']> {
  if (record.kind !== 'observation') return [];
  const freshness = await judgeOf(workspace, [record.anchors]);
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
