import type { EffectiveStates } from '../../memory/marks.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { workingContents } from '../../provenance/working-content.ts';

/**
 * The ids of the records that somebody verified as they are: by a mark that is younger than the last change of the cited
 * files, which it names with their blobs. A mark that names none, as one that a person wrote, counts as it is.
 */
export function verifiedSince(
  workspace: Workspace,
  records: readonly { id: string; files: readonly string[] }[],
  states: EffectiveStates,
): Set<string> {
  const verified = records.filter(({ id }) => states.of(id).verified);
  if (verified.length === 0) return new Set();
  const anchors = anchorsOf(workspace, new Set(verified.flatMap(({ id }) => states.of(id).verified_by)));
  const content = workingContents(workspace.checkout.root, workspace.format);
  const isSame = ([path, blob]: [string, string]) => {
    const now = content(path);
    return typeof now === 'object' && now.is(blob);
  };
  const holds = verified.filter(({ id, files }) =>
    states.of(id).verified_by.some((mark) => {
      const seen = Object.entries(anchors.get(mark) ?? {}).filter(([path]) => files.includes(path));
      return workspace.at !== undefined || seen.every(isSame);
    }),
  );
  return new Set(holds.map(({ id }) => id));
}

/** What marks say of the files that were looked at; nothing of one that this checkout has not, though it counts. */
function anchorsOf({ stores }: Workspace, marks: ReadonlySet<string>): Map<string, Record<string, string>> {
  const found = new Map<string, Record<string, string>>();
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest('mark')) {
      if (found.size === marks.size) break;
      if (!marks.has(entry.id)) continue;
      try {
        const { record } = store.read(entry);
        if (record.kind === 'mark') found.set(entry.id, record.anchors ?? {});
      } catch {
        // `git mem check` reports a file that does not parse.
      }
    }
  }
  return found;
}
