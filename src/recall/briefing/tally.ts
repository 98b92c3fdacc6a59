import { join } from 'node:path';
import { type Checkout, readHead } from '../../git/locate.ts';
import { fieldsOf } from '../../json.ts';
import { FOLDERS, idInName, isMonth } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { folderFiles } from '../../memory/store/folder.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Layout } from '../../memory/store/layout.ts';
import { folderNotes, isCount, writeNotes } from './notes.ts';

/** Numbers on the records from which a session start chooses. */
export interface Tally {
  /** Active records that cite a file changed or deleted since. */
  stale: number;
  /** Records that are not injected because nobody reviewed them. */
  unreviewed: number;
}

/** The parts of a workspace needed here: the status line, which must load little, has no complete one. */
interface Place {
  checkout: Checkout;
  layout: Layout;
  at?: string;
}

/**
 * Keeps the tally of a checkout for `readTally`; written in place, and errors are ignored because nothing relies on it.
 */
export function noteTally({ checkout, layout, at }: Place, tally: Tally): void {
  if (at !== undefined) return;
  writeNotes(tallyPath(layout.state, checkout, 'standing'), { head: headOf(checkout), ...tally });
}

/** Keeps how many records of a checkout's folders `list` leaves out: superseded, retired, redacted or unreadable. */
export function noteHidden({ checkout, layout }: Place, hidden: number): void {
  writeNotes(tallyPath(layout.state, checkout, 'hidden'), { head: headOf(checkout), hidden });
}

/** The number last counted on the branch that is checked out now; 0 if it was never counted. */
export function readHidden(state: string, checkout: Checkout): number {
  const { hidden } = readHere(state, checkout, 'hidden');
  return isCount(hidden) ? hidden : 0;
}

/** The tally last computed for the branch that is checked out now; undefined if there is none. */
export function readTally(state: string, checkout: Checkout): Tally | undefined {
  const { stale, unreviewed } = readHere(state, checkout, 'standing');
  return isCount(stale) && isCount(unreviewed) ? { stale, unreviewed } : undefined;
}

type Noted = 'standing' | 'hidden' | 'counts' | 'pinned' | 'heads' | 'citations' | Compared;
type Compared = 'renames';

/** The path of a checkout's notes on something; for `citations` it is a folder, without an extension. */
export function tallyPath(state: string, { root }: Checkout, what: Noted): string {
  return join(state, 'tally', `${idOf(root)}-${what}.json`);
}

/** Another branch has other records; a new commit on the same one changes little. */
function headOf(checkout: Checkout): string {
  const { branch, commit } = readHead(checkout);
  return branch ?? commit ?? '';
}

/** What was noted on the branch that is checked out now; empty if the notes are missing or of another branch. */
function readHere(state: string, checkout: Checkout, what: 'standing' | 'hidden'): Record<string, unknown> {
  const notes = fieldsOf(readNotes(tallyPath(state, checkout, what)));
  return notes.head === headOf(checkout) ? notes : {};
}

/**
 * Counts the observations and summaries in some stores by listing their folders. `notes` is a file that keeps the
 * counts of unchanged folders: listing thousands of names costs half of a status line. It may be removed at any time;
 * if it is wrong, only the shown number is wrong.
 */
export function countRecords(stores: string[], notes: string, nowMs: number): number {
  const counts = folderNotes(readNotes(notes), nowMs);
  let total = 0;
  for (const store of stores) {
    const files = folderFiles(store);
    for (const kind of [FOLDERS.observation, FOLDERS.summary]) {
      for (const month of files.names(kind).filter(isMonth)) {
        const [folder, key] = [`${kind}/${month}`, join(store, kind, month)];
        // The folder's own time shows whether names came or went; a wrong count does no harm.
        const { modifiedMs = nowMs } = files.state(folder) ?? {};
        const [known] = counts.known(key, { modifiedMs, changedMs: modifiedMs }) ?? [];
        const count = isCount(known) ? known : recordsIn(files.names(folder));
        if (count !== known) counts.note(key, [count]);
        total += count;
      }
    }
  }
  const news = counts.news();
  if (news !== undefined) writeNotes(notes, news);
  return total;
}

/** Two branches may have written the same finding to two files. */
function recordsIn(names: string[]): number {
  return new Set(names.flatMap((name) => (name.endsWith('.md') ? [idInName(name)] : []))).size;
}
