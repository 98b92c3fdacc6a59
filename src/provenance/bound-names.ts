import { join } from 'node:path';
import { readHead } from '../git/locate.ts';
import { type GitObject, readObjects } from '../git/objects.ts';
import { isPartial } from '../git/shallow.ts';
import { fieldsOf, isTexts, jsonIn } from '../json.ts';
import { factsOn, keepFacts } from '../kept/facts.ts';
import { blobId } from '../memory/id.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { recordFile } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type CitedFile, type Content, isPointer } from './freshness.ts';
import { namesIn, stands } from './names.ts';
import { citedFiles } from './recorded.ts';
import { additionsOf, notIn, otherLines } from './recorded-walk.ts';
import { MAX_CITED_BYTES, workingContents } from './working-file.ts';

// Which names of a record were in its cited files when it was recorded. A fact about immutable objects: computed once
// and kept under the record's blob in the state folder; disposable.

/** A record with the blob of its file; without the record, if everything about it is kept already. */
export interface Filed {
  blob: string;
  record?: MemoryRecord;
}

/** What is known about a record's files, and the commit whose tree shows it; without one, from the anchors. */
interface Bound {
  commit?: string;
  /** The HEAD at which some content could not be read; another HEAD may bring it. */
  head?: string;
  files: CitedFile[];
}

/** Records whose files are read at once: all their contents are in memory. */
const AT_ONCE = 200;

/**
 * The cited files of records, by the record's blob, as they were in the commit that added the record; at capture, if that
 * commit is not known. At most two git children per 200 records that are not kept yet. `isComplete`: the history was walked,
 * so that a record without a known commit is uncommitted; else its commit may have removed names that were there at capture.
 */
export async function boundFiles(
  workspace: Workspace,
  records: readonly Filed[],
  { working, isComplete = true }: { working: (path: string) => Content | 'missing' | 'unknown'; isComplete?: boolean },
): Promise<Map<string, CitedFile[]>> {
  const { state } = workspace.layout;
  const blobs = new Set(
    records.flatMap(({ blob, record }) => ((record?.kind ?? 'observation') === 'observation' ? [blob] : [])),
  );
  const others = await linesOtherThan(workspace, records);
  const head = workspace.at ?? readHead(workspace.checkout).commit;
  const kept = readKept(state, { blobs, others, head });
  const open = records.filter(({ blob }) => blobs.has(blob) && kept.get(blob)?.commit === undefined);
  const additions = additionsOf(workspace, new Set(open.flatMap(({ record }) => record?.id ?? [])));
  const asked = open.flatMap(({ blob, record }): Asked[] => {
    const added = (additions.get(record?.id ?? '') ?? []).filter(({ commit }) => !others.has(commit));
    // A person may have edited it since it was added.
    const commit = (added.findLast((one) => one.blob === blob) ?? added.at(-1))?.commit;
    return record === undefined || (kept.has(blob) && commit === undefined) ? [] : [{ blob, record, commit }];
  });
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const found = await findOut(workspace, asked.slice(at, at + AT_ONCE), working);
    keep(state, found, head);
    for (const [blob, bound] of found) kept.set(blob, bound);
  }
  const isOpen = ({ commit }: Bound) => commit === undefined && !isComplete;
  const onlySaid = ({ names, ...file }: CitedFile) => ({ ...file, ...(names && { said: names }) });
  return new Map([...kept].map(([blob, bound]) => [blob, isOpen(bound) ? bound.files.map(onlySaid) : bound.files]));
}

/** Keeps the bound names of a record just written, from the working tree alone. */
export async function noteCited(workspace: Workspace, record: MemoryRecord): Promise<void> {
  const { checkout, format } = workspace;
  const blob = blobId(recordFile(record).bytes, format);
  await boundFiles(workspace, [{ blob, record }], { working: workingContents(checkout.root, format) });
}

/** The commits that added records on other lines of history than the one asked about. */
async function linesOtherThan(workspace: Workspace, records: readonly Filed[]): Promise<ReadonlySet<string>> {
  if (workspace.at === undefined) return otherLines(workspace);
  const additions = additionsOf(workspace, new Set(records.flatMap(({ record }) => record?.id ?? [])));
  const commits = new Set([...additions.values()].flat().map(({ commit }) => commit));
  return (await notIn(workspace, workspace.at, commits)) ?? commits;
}

/** The blobs about which everything is kept: their records need not be read. */
export function settledAmong(workspace: Workspace, blobs: ReadonlySet<string>): Set<string> {
  // For a past commit, its line of history is not known here.
  if (workspace.at !== undefined) return new Set();
  const head = readHead(workspace.checkout).commit;
  const kept = readKept(workspace.layout.state, { blobs, others: otherLines(workspace), head });
  return new Set([...kept].flatMap(([blob, { commit }]) => (commit === undefined ? [] : [blob])));
}

interface Asked extends Required<Filed> {
  commit: string | undefined;
}

async function findOut(
  { checkout, env }: Workspace,
  asked: readonly Asked[],
  working: (path: string) => Content | 'missing' | 'unknown',
): Promise<Map<string, Bound>> {
  const ask = async (expressions: (string | undefined)[]) => {
    const wanted = [...new Set(expressions)].filter((one) => one !== undefined);
    const objects = await readObjects(checkout.root, wanted, env);
    return new Map(wanted.map((one, i) => [one, objects[i]]));
  };
  const whole = asked.map((one) => ({ ...one, files: filesOf(one) }));
  const then = await ask(whole.flatMap(({ commit, files }) => [commit, ...files.map(({ inCommit }) => inCommit)]));
  const isHere = ({ path, anchor }: CitedAt) => {
    const now = anchor === undefined ? undefined : working(path);
    return typeof now === 'object' && anchor !== undefined && now.is(anchor) ? now : undefined;
  };
  const left = whole.flatMap(({ files }) => files.filter(({ inCommit }) => then.get(inCommit ?? '') === undefined));
  const isOther = ({ anchor, inCommit }: CitedAt) => {
    const id = then.get(inCommit ?? '')?.id;
    return anchor !== undefined && id !== undefined && id !== anchor;
  };
  // Between capture and this commit, which may be a rebased one, others may have changed the file too.
  const changed = whole.flatMap(({ files }) => files.filter(isOther));
  const anchored = await ask([
    ...left.map((file) => (isHere(file) ? undefined : file.anchor)),
    ...changed.flatMap(({ anchor, beforeCommit }) => [anchor, beforeCommit]),
  ]);
  /** Names that were there at capture and that another commit than this one removed. */
  const lostBefore = (names: readonly string[], file: CitedAt) => {
    if (!isOther(file)) return [];
    const standing = namesStanding(names, anchored.get(file.anchor ?? '')) ?? [];
    const before = namesStanding(names, anchored.get(file.beforeCommit ?? ''));
    return before === undefined ? [] : standing.filter((name) => !before.includes(name));
  };
  // In a partial clone, what a commit has may not be here.
  const isWhole = !isPartial(checkout.commonDir);

  const found = whole.map(({ blob, record, files, ...of }): [string, Bound] => {
    // A commit that is not in the object database was rewritten and garbage-collected.
    const commit = then.get(of.commit ?? '') && of.commit;
    const names = namesIn(record);
    const cited = files.flatMap((file): CitedFile[] => {
      const { path, anchor, inCommit } = file;
      const object = then.get(inCommit ?? '');
      if (object === undefined && anchor === undefined) return [];
      const here = object === undefined ? isHere({ path, anchor }) : undefined;
      const bound = here
        ? names.filter((name) => here.has(name) === true)
        : namesStanding(names, object ?? anchored.get(anchor ?? ''));
      for (const name of lostBefore(names, file)) if (bound?.includes(name) === false) bound.push(name);
      const blobs = [...new Set([anchor, object?.id])].filter((id) => id !== undefined);
      const isLeftOut = commit !== undefined && object === undefined && isWhole;
      const known = bound === undefined ? { said: names } : { names: bound };
      return [{ path, blobs, ...known, ...(isLeftOut && { isUncommitted: true }) }];
    });
    return [blob, { ...(commit && { commit }), files: cited }];
  });
  return new Map(found);
}

/** A cited file with its blob at capture, and the expression for it in the commit that added the record. */
interface CitedAt {
  path: string;
  anchor: string | undefined;
  inCommit?: string | undefined;
  /** The same in its first parent. */
  beforeCommit?: string | undefined;
}

function filesOf({ record, commit }: Asked): CitedAt[] {
  const anchors = new Map(record.kind === 'observation' ? Object.entries(record.anchors) : []);
  const paths = new Set([...citedFiles(record), ...anchors.keys()]);
  return [...paths].map((path) => ({
    path,
    anchor: anchors.get(path),
    ...(commit !== undefined && { inCommit: `${commit}:${path}`, beforeCommit: `${commit}^:${path}` }),
  }));
}

function namesStanding(names: readonly string[], object: GitObject | undefined): string[] | undefined {
  return object?.type === 'blob' ? standing(names, object.bytes) : undefined;
}

/** The names that a file contains; undefined if it is too large, not text, or only a git LFS pointer. */
export function standing(names: readonly string[], bytes: Buffer): string[] | undefined {
  if (bytes.length > MAX_CITED_BYTES || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return isPointer(text) ? undefined : names.filter((name) => stands(name, text));
}

/** What is kept about these blobs, without what comes from other lines of history or another HEAD. */
function readKept(
  state: string,
  { blobs, others, head }: { blobs: Iterable<string>; others: ReadonlySet<string>; head: string | undefined },
): Map<string, Bound> {
  const kept = new Map<string, Bound>();
  for (const [blob, fact] of factsOn(folderOf(state), blobs)) {
    const bound = boundIn(fact);
    if (bound === undefined || others.has(bound.commit ?? '') || (bound.head ?? head) !== head) continue;
    // What is known from a commit beats what is known from the anchors.
    if (bound.commit !== undefined || kept.get(blob)?.commit === undefined) kept.set(blob, bound);
  }
  return kept;
}

/** Keeps what will not change, and, for this HEAD only, that an anchor's content could not be read. */
function keep(state: string, found: ReadonlyMap<string, Bound>, head: string | undefined): void {
  const facts = [...found].flatMap(([blob, bound]): [string, string][] => {
    const isOpen = bound.commit === undefined && bound.files.some(({ names }) => names === undefined);
    return isOpen && head === undefined ? [] : [[blob, JSON.stringify({ ...bound, ...(isOpen && { head }) })]];
  });
  keepFacts(folderOf(state), facts);
}

function boundIn(text: string): Bound | undefined {
  const { commit, head, files } = fieldsOf(jsonIn(text));
  if (!Array.isArray(files)) return undefined;
  const known = files.flatMap((file: unknown): CitedFile[] => {
    const { path, blobs, names, said, isUncommitted } = fieldsOf(file);
    if (typeof path !== 'string' || !isTexts(blobs)) return [];
    const known = { ...(isTexts(names) && { names }), ...(isTexts(said) && { said }) };
    return [{ path, blobs, ...known, ...(isUncommitted === true && { isUncommitted: true }) }];
  });
  return { ...(typeof commit === 'string' && { commit }), ...(typeof head === 'string' && { head }), files: known };
}

function folderOf(state: string): string {
  return join(state, 'bound');
}
