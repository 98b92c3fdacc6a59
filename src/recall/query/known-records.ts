import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, trustOf } from '../../provenance/trust.ts';
import type { Cache } from '../index/cache.ts';
import type { Outline } from '../index/memory-index.ts';

/**
 * Notes in the index which records are trusted, so that a prompt's hook looks at no others: it has no time to check
 * thousands that a branch added. This is not a judgement: a record is judged again when it is injected. Once known, a
 * record stays known for as long as the checkout has it.
 */
export async function noteKnownRecords(workspace: Workspace, cache: Cache): Promise<void> {
  const unknown = await cache.query((index) => index.unknown());
  const levels = await trustOf(unknown.map(placeOf), workspace, { signatures: false });
  const known = unknown.filter((_, i) => isTrusted(levels[i] ?? 'unreviewed'));
  await cache.query((index) => index.noteKnown(known.map(({ row }) => row)));
}

function placeOf({ store, path, blob }: Omit<Outline, 'id'>): {
  entry: { store: Outline['store']; path: string };
  blob: string;
} {
  return { entry: { store, path }, blob };
}
