import { statSync } from 'node:fs';
import { readHead } from '../../git/locate.ts';
import { isObjectId } from '../../git/object-id.ts';
import { fieldsOf } from '../../json.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type Revert, type RevertHistory, revertsBehind, type Work } from '../../provenance/reverts.ts';
import { tallyPath } from '../briefing/tally.ts';
import type { Annotated } from './annotate.ts';

// The messages of the whole history are read once. The result is kept in the state folder with the commit that was
// checked out: while HEAD stays there no git child is needed, and later only newer commits are read.

/** Records with the commit that reverted the work each describes, if one did. */
export async function withReverts(workspace: Workspace, records: Annotated[]): Promise<Annotated[]> {
  if (records.length === 0) return records;
  const history = await historyOf(workspace);
  return history === undefined ? records : marked(records, history);
}

/** The same as far as it is known without asking git: a hook does not wait for the history. */
export function withKnownReverts(workspace: Workspace, records: Annotated[]): Annotated[] {
  const { at, linked, checkout, layout } = workspace;
  const stat = statSync(tallyPath(layout.state, checkout, 'reverts'), { throwIfNoEntry: false });
  if (at !== undefined || linked || stat === undefined || stat.size > MOST_BYTES) return records;
  const known = readKept(workspace);
  return known === undefined || known.commit !== readHead(checkout).commit ? records : marked(records, known);
}

function marked(records: Annotated[], history: RevertHistory): Annotated[] {
  if (history.reverts.length === 0) return records;
  const found = revertsBehind(history, records);
  return records.map((one) => {
    const reverted = found.get(one.record.id);
    return reverted === undefined ? one : { ...one, reverted };
  });
}

/** A hook reads no larger file of reverts: parsing it would take longer than the rest. */
const MOST_BYTES = 262_144;

/** After HEAD moved, reads in the background what the next command would otherwise wait for. */
export async function noteReverts(workspace: Workspace): Promise<void> {
  await historyOf(workspace);
}

async function historyOf(workspace: Workspace): Promise<RevertHistory | undefined> {
  const { at, linked, checkout } = workspace;
  const { commit } = readHead(checkout);
  const isKept = at === undefined && !linked && commit !== undefined;
  const known = isKept ? readKept(workspace) : undefined;
  if (known !== undefined && known.commit === commit) return known;
  // Loaded only if there is something to read, which is rare.
  const { readReverts } = await import('../../provenance/revert-history.ts');
  if (!isKept) return readReverts(workspace);
  const history = await readReverts(workspace, known);
  if (history !== undefined) keep(workspace, history);
  return history;
}

/** Undefined if nothing was kept yet, or it is damaged: history is asked again. */
function readKept({ layout, checkout }: Workspace): RevertHistory | undefined {
  const { commit, reverts, work } = fieldsOf(readNotes(tallyPath(layout.state, checkout, 'reverts')));
  if (!isObjectId(commit)) return undefined;
  if (!isListOf(reverts, isRevert) || !isListOf(work, isWorkOfCommit)) return undefined;
  return { commit, reverts, work: new Map(work) };
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isRevert(value: unknown): value is Revert {
  const { commit, subject, target } = fieldsOf(value);
  return typeof commit === 'string' && typeof subject === 'string' && typeof target === 'string';
}

function isWorkOfCommit(value: unknown): value is [string, Work[]] {
  return Array.isArray(value) && typeof value[0] === 'string' && isListOf(value[1], isWork);
}

function isWork(value: unknown): value is Work {
  const { path, blob, isNew } = fieldsOf(value);
  return typeof path === 'string' && typeof blob === 'string' && typeof isNew === 'boolean';
}

/** Never fails: without the file, history is simply asked again. */
function keep({ layout, checkout }: Workspace, { commit, reverts, work }: RevertHistory): void {
  try {
    const text = JSON.stringify({ commit, reverts, work: [...work] });
    replaceFile(tallyPath(layout.state, checkout, 'reverts'), text);
  } catch {
    // No space, or the state folder is not writable.
  }
}
