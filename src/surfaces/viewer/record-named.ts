import { GitMemError } from '../../errors.ts';
import { resolveId } from '../../memory/id.ts';
import type { Annotated } from '../../records/annotate.ts';
import type { Placed } from '../../records/judgement.ts';
import { annotatedOf } from './cards.ts';
import type { Library } from './library.ts';
import type { Snapshot } from './snapshot.ts';

/** The record with an id or a prefix of one; throws no-such-record, ambiguous-id. */
export async function recordNamed(
  library: Library,
  snapshot: Snapshot,
  prefix: string,
): Promise<{ placed: Placed; own: Annotated }> {
  const id = resolveId(prefix.trim().slice(0, 80), snapshot.byId.keys());
  const placed = snapshot.byId.get(id);
  const [own] = placed === undefined ? [] : await annotatedOf(library, snapshot, [placed]);
  if (placed !== undefined && own !== undefined) return { placed, own };
  throw new GitMemError('no-such-record', `The file of ${id} changed just now.`, { hint: 'Ask once more.' });
}
