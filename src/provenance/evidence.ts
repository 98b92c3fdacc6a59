import { isObjectId } from '../git/object-id.ts';
import { askGit, objectIds } from '../git/objects.ts';
import type { Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isRecentEnough } from './landing.ts';
import type { Evidence } from './levels.ts';

/** What is known about the work behind a record besides git. */
export interface Behind {
  record: Observation;
  /** Its commit was reverted, or its edits were restored in the session that made them. */
  isUndone: boolean;
  /** Somebody marked it as verified, or a failed check passed in its turn. */
  isProven: boolean;
  /** When its session began (ISO 8601), where that is known: an older commit is not its work. */
  started?: string | undefined;
}

/** Git children that run at once: a long list must leave the machine to others. */
const AT_ONCE = 8;

/** Most files of a record that are looked at: one that holds proves it, and each takes git children. */
const MOST_FILES = 5;

/**
 * What the statements of these records rest on, in their order: `verified` also where a change that they name is
 * committed and still there. Several git children for each record that only git can prove.
 */
export async function evidenceFor(workspace: Workspace, works: Behind[]): Promise<Evidence[]> {
  const found: Evidence[] = works.map(({ isUndone, isProven }) =>
    isUndone ? 'undone' : isProven ? 'verified' : 'claimed',
  );
  const open = works.flatMap((work, i) => (found[i] === 'claimed' ? [{ i, work }] : []));
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const proofs = open.slice(from, from + AT_ONCE).map(async ({ i, work }) => {
      if (await isCommitted(workspace, work)) found[i] = 'verified';
    });
    await Promise.all(proofs);
  }
  return found;
}

/** Tells whether a change that the record names is committed and still there. */
async function isCommitted(workspace: Workspace, { record, started = '' }: Behind): Promise<boolean> {
  const { anchors } = record;
  const files = record.files_modified.filter((file) => anchors[file] !== undefined).slice(0, MOST_FILES);
  const head = workspace.at ?? 'HEAD';
  const named = files.map((file) => `${head}:${file}`);
  const now = await objectIds(workspace.checkout.root, named, workspace.env);
  for (const [i, file] of files.entries()) {
    const blob = anchors[file] ?? '';
    const current = now?.[i];
    if (current === undefined || !isObjectId(blob)) continue;
    const commit = await commitOf(workspace, { head, file, blob, record, started });
    if (commit === undefined) continue;
    if (current === blob || (await isLeft(workspace, { head, file, commit }))) return true;
  }
  return false;
}

/** The commit that gave a file this content; undefined if it is older than the work can be, or not in this history. */
async function commitOf(
  workspace: Workspace,
  {
    head,
    file,
    blob,
    record,
    started,
  }: { head: string; file: string; blob: string; record: Observation; started: string },
): Promise<string | undefined> {
  const log = ['log', '--no-show-signature', '--format=%H %cI', `--find-object=${blob}`, head, '--', file];
  const output = await ask(workspace, log);
  // The first commit with the content is the last line: those after it took it away, or brought it back.
  const [commit = '', committed = ''] = output?.trim().split('\n').at(-1)?.split(' ') ?? [];
  const isOlder = started !== '' && Date.parse(committed) < Date.parse(started);
  return commit !== '' && !isOlder && isRecentEnough(committed, record) ? commit : undefined;
}

/** A line with fewer letters and digits, such as a bracket, is found in any file. */
const TELLING = /[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}]/u;

/** Tells whether at least half of the lines that a commit added to a file are still in it. */
async function isLeft(
  workspace: Workspace,
  { head, file, commit }: { head: string; file: string; commit: string },
): Promise<boolean> {
  const [diff, content] = await Promise.all([
    ask(workspace, [
      'show',
      '--no-show-signature',
      '--format=',
      '--unified=0',
      '--no-color',
      '--no-ext-diff',
      commit,
      '--',
      file,
    ]),
    ask(workspace, ['cat-file', 'blob', `${head}:${file}`]),
  ]);
  const added = (diff ?? '')
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1).trim())
    .filter((line) => TELLING.test(line));
  const lines = new Set((content ?? '').split('\n').map((line) => line.trim()));
  return added.length > 0 && added.filter((line) => lines.has(line)).length * 2 >= added.length;
}

function ask(workspace: Workspace, args: string[]): Promise<string | undefined> {
  return askGit(workspace, ['--literal-pathspecs', ...args]);
}
