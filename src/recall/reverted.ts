import { revertsBehind } from '../provenance/reverts.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Annotated } from './annotate.ts';

/**
 * Hits with the commit that took back what each tells of, where one did. For answers to a person or an agent that asked:
 * git reads the messages of the whole history for it, once for each repository.
 */
export async function withReverts<H extends { annotated: Annotated; source: { workspace: Workspace } }>(
  hits: H[],
): Promise<H[]> {
  const found = new Map<H, H>();
  for (const workspace of new Set(hits.map(({ source }) => source.workspace))) {
    const here = hits.filter(({ source }) => source.workspace === workspace);
    const reverts = await revertsBehind(
      workspace,
      here.map(({ annotated }) => annotated),
    );
    for (const hit of here) {
      const reverted = reverts.get(hit.annotated.record.id);
      if (reverted !== undefined) found.set(hit, { ...hit, annotated: { ...hit.annotated, reverted } });
    }
  }
  return hits.map((hit) => found.get(hit) ?? hit);
}
