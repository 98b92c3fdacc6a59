import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, withTrust } from '../../provenance/trust.ts';
import type { Cache } from '../index/cache.ts';

/**
 * Notes in the index which records are trusted, so that a prompt's hook looks at no others: it has no time to check
 * thousands that a branch added. This is not a judgement: a record is judged again when it is injected. Once known, a
 * record stays known for as long as the checkout has it.
 */
export async function noteKnownRecords(workspace: Workspace, cache: Cache): Promise<void> {
  const unknown = await cache.query((index) => index.unknown());
  const files = unknown.map(({ row, store, path, blob }) => ({ row, entry: { store, path }, blob }));
  const judged = await withTrust(files, workspace, { signatures: false });
  const known = judged.filter(({ trust }) => isTrusted(trust));
  await cache.query((index) => index.noteKnown(known.map(({ row }) => row)));
}
