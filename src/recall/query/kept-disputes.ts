import { fieldsOf } from '../../json.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isText, textAt } from '../briefing/notes.ts';
import { tallyPath } from '../briefing/tally.ts';
import { rivalsById } from '../disputes/rivals.ts';
import type { MemoryIndex, RecordIndex } from '../index/memory-index.ts';

// Which active records contradict each other by their titles is computed after a drain and kept as pairs of ids: what
// shows a record only looks them up. Whether both are still active and trusted is decided there. What came since, with a
// pull for instance, is compared by hooks with what they have read anyway.

/** The ids of the records that contradict each of these, as the last drain found them. */
export function keptDisputes({ at, linked, checkout, layout }: Workspace): ReadonlyMap<string, string[]> {
  if (at !== undefined || linked) return new Map();
  return rivalsById(pairsIn(readNotes(tallyPath(layout.state, checkout, 'disputes'))));
}

/** What earlier drains did with the observations of a checkout. */
export interface Progress {
  /** Active and trusted, and compared with all others of that kind. */
  compared: string[];
  /** Hidden or untrusted, so that they dispute nothing. */
  waiting: string[];
  /** What those that wait depend on, as it was then. */
  basis: string;
}

export function readProgress({ checkout, layout }: Workspace): Progress {
  const { compared, waiting, basis } = fieldsOf(readNotes(tallyPath(layout.state, checkout, 'compared')));
  const ids = (some: unknown) => (Array.isArray(some) ? some.filter(isText) : []);
  return { compared: ids(compared), waiting: ids(waiting), basis: isText(basis) ? basis : '' };
}

/** Notes the writes after which a drain had compared all known records. */
export function noteAllCompared(workspace: Workspace, index: RecordIndex, writes: string | undefined): void {
  if (writes !== undefined && index.meta(keyOf(workspace)) !== writes) index.setMeta(keyOf(workspace), writes);
}

/** Tells whether nothing was written since then: a hook need not read which records were compared. */
export function areAllCompared(workspace: Workspace, index: MemoryIndex): boolean {
  const writes = index.writes();
  return writes !== undefined && index.meta(keyOf(workspace)) === writes;
}

function keyOf({ checkout }: Workspace): string {
  return `compared ${checkout.root}`;
}

/**
 * Those of some active records that no drain has compared yet. They are looked for in the text, in which the newest stand
 * first: parsing a hundred thousand ids takes as long as half of a session start.
 */
export function notCompared(ids: readonly string[], { at, linked, checkout, layout }: Workspace): string[] {
  if (at !== undefined || linked) return [];
  const text = textAt(tallyPath(layout.state, checkout, 'compared')) ?? '';
  const compared = text.slice(0, text.indexOf('"waiting"'));
  return ids.filter((id) => !compared.includes(`"${id}"`));
}

/** Most older records that a session start reads because they contradict one of the newest: each is a file more. */
const MOST_RIVALS = 20;

/** The records that contradict some of these. */
export function rivalsOf(ids: ReadonlySet<string>, workspace: Workspace): string[] {
  const disputes = keptDisputes(workspace);
  return disputes.size === 0 ? [] : [...ids].flatMap((id) => disputes.get(id) ?? []).slice(0, MOST_RIVALS);
}

export function pairsIn(value: unknown): [string, string][] {
  const isPair = (one: unknown): one is [string, string] => Array.isArray(one) && one.length === 2 && one.every(isText);
  return Array.isArray(value) ? value.filter(isPair) : [];
}
