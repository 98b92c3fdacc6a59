import { objectIds, runGit } from '../git/objects.ts';
import type { Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Annotated } from '../recall/query/annotate.ts';
import { codeChanges, staleByChange } from './code-changes.ts';
import { headCommit } from './range.ts';

/** A record, and the files of it that changed. */
interface Stale {
  one: Annotated<Observation>;
  files: string[];
}

/**
 * The records whose cited files were as recorded before these days, or when they were written in them, and are not any
 * more.
 */
export async function staleSince(
  workspace: Workspace,
  { active, recent, since }: { active: Annotated<Observation>[]; recent: Annotated<Observation>[]; since: string },
): Promise<Stale[]> {
  const { checkout, env } = workspace;
  const [head, before] = await Promise.all([
    headCommit(workspace),
    runGit(checkout.root, ['rev-list', '-1', '--first-parent', `--before=${since}`, 'HEAD'], env),
  ]);
  if (head === undefined) return [];
  const changes = await codeChanges(workspace, { base: before?.trim() || undefined, head });
  const older = staleByChange(active, changes).filter(({ freshness }) => freshness !== 'moved');
  const known = new Set(older.map(({ filed }) => filed.record.id));
  const newer = await changedSinceWritten(
    workspace,
    recent.filter(({ record }) => !known.has(record.id)),
    head,
  );
  return [...older.map(({ filed, files }) => ({ one: filed, files })), ...newer];
}

/** Those of which a cited file has other content in the checkout and in a commit than when they were written. */
async function changedSinceWritten(
  workspace: Workspace,
  records: Annotated<Observation>[],
  commit: string,
): Promise<Stale[]> {
  const cited = records
    .filter(({ freshness }) => freshness === 'touched' || freshness === 'gone')
    .flatMap((one) => Object.entries(one.record.anchors).map(([file, blob]) => ({ one, file, blob })));
  if (cited.length === 0) return [];
  const names = cited.map(({ file }) => `${commit}:${file}`);
  const blobs = (await objectIds(workspace.checkout.root, names, workspace.env)) ?? [];
  const changed = cited.filter(({ blob }, i) => blobs[i] !== blob);
  return [...new Set(changed.map(({ one }) => one))].map((one) => ({
    one,
    files: changed.flatMap((each) => (each.one === one ? [each.file] : [])),
  }));
}
