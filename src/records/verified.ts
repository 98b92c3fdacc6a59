import { parseMarkSlug } from '../memory/file-name.ts';
import type { EffectiveStates } from '../memory/marks.ts';
import type { StoredRecord } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { marksHere, removedMarks } from '../provenance/lasting-marks.ts';
import { isTrusted, withTrust } from '../provenance/trust.ts';
import { contentNow } from '../provenance/whereabouts.ts';

/**
 * The ids of the records that somebody verified as they are: by a mark that is younger than the last change of the cited
 * files, which it names with their blobs. A mark that names none, as one that a person wrote, counts as it is.
 */
export async function verifiedSince(
  workspace: Workspace,
  records: readonly { id: string; files: readonly string[] }[],
  states: EffectiveStates,
): Promise<Set<string>> {
  const verified = records.filter(({ id }) => states.of(id).verified);
  if (verified.length === 0) return new Set();
  const anchors = await anchorsOf(workspace, new Map(verified.map(({ id }) => [id, states.of(id).verified_by])));
  const content = await contentNow(workspace);
  const isSame = ([path, blob]: [string, string]) => {
    const now = content(path);
    return typeof now === 'object' && now.is(blob);
  };
  const holds = verified.filter(({ id, files }) =>
    states.of(id).verified_by.some((mark) => {
      const seen = anchors.get(mark);
      return seen !== undefined && Object.entries(seen).every((file) => !files.includes(file[0]) || isSame(file));
    }),
  );
  return new Set(holds.map(({ id }) => id));
}

/** What marks about these records say of the files that were looked at; git is asked for marks that only count here. */
async function anchorsOf(
  workspace: Workspace,
  marksOf: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, Record<string, string>>> {
  const isWanted = (slug: string) => {
    const { type = 'verify', target = '', more = true } = parseMarkSlug(slug) ?? {};
    return type === 'verify' && (more || marksOf.has(target));
  };
  // A branch may have a copy of a mark that says something else.
  const here = await withTrust(marksHere(workspace, isWanted), workspace, { signatures: false });
  const found: StoredRecord[] = here.filter(({ trust }) => isTrusted(trust));
  const ids = new Set(found.map(({ record }) => record.id));
  if (![...marksOf.values()].flat().every((id) => ids.has(id))) {
    found.push(...(await removedMarks(workspace, [], { isWanted })));
  }
  return new Map(found.flatMap(({ record }) => (record.kind === 'mark' ? [[record.id, record.anchors ?? {}]] : [])));
}
