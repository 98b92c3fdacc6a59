import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, trustOf } from '../../provenance/trust.ts';
import type { Cache } from '../index/cache.ts';
import type { Unknown } from '../index/memory-index.ts';

/**
 * Notes in the index which records are trusted, so that a prompt's hook looks at no other: it has no time to ask about
 * thousands that a branch brought. It is no judgement: what is told is judged when it is. Once known, a record stays so
 * for as long as the checkout has it.
 */
export async function noteKnownRecords(workspace: Workspace, cache: Cache): Promise<void> {
  const unknown = await cache.query((index) => index.unknown());
  const levels = await trustOf(unknown.map(placeOf), workspace, { signatures: false });
  const known = unknown.filter((_, i) => isTrusted(levels[i] ?? 'unreviewed'));
  await cache.query((index) => index.noteKnown(known.map(({ row }) => row)));
}

function placeOf({ store, path, blob }: Unknown): { entry: { store: Unknown['store']; path: string }; blob: string } {
  return { entry: { store, path }, blob };
}
