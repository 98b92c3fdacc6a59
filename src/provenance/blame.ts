import { askGit, objectIds } from '../git/objects.ts';
import { shallowCommits } from '../git/shallow.ts';
import { parseFileName } from '../memory/file-name.ts';
import { blobId } from '../memory/id.ts';
import { isContent, type MemoryRecord } from '../memory/record.ts';
import { folderFiles } from '../memory/store/folder.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type BlamedLines, type BlameQuestion, blameLines } from './blame-lines.ts';
import { isBefore, isRecentEnough, landingOf } from './landing.ts';

/**
 * The evidence that a record is behind lines, strongest first. `same-commit`: its file was added by the commit that
 * wrote the lines. `same-content`: its work changed the file, and left it exactly as that commit, which is no older,
 * has it. `next-change`: its work changed the file, and that commit is the first after its capture to change it.
 * `uncommitted`: the same, but the change is not committed yet.
 */
export type Evidence = 'same-commit' | 'same-content' | 'next-change' | 'uncommitted';

/** Lines with the records about their origin. */
export interface Blamed extends BlamedLines {
  records: { id: string; evidence: Evidence }[];
}

/** Most starting commits of work that are followed in history, newest first: each costs a git child. */
const MOST_LANDINGS = 100;

/**
 * The records behind the lines of a file, by `git blame`. `records` are the candidates, newest first. Throws bad-input
 * for a file or lines that git does not know.
 */
export async function blame(workspace: Workspace, question: BlameQuestion, records: MemoryRecord[]): Promise<Blamed[]> {
  const groups = await blameLines(workspace, question);
  const added = await addedRecords(workspace, groups);
  const contents = await contentsOf(workspace, groups);
  const strong = groups.map((group, i) => {
    const together = added.get(group.commit?.commit ?? '') ?? new Set();
    const found = new Map<string, Evidence>();
    for (const record of records) {
      const content = contents[i];
      const isRecent = group.commit === undefined || isRecentEnough(group.commit.committed, record);
      const isLeft = isRecent && changed(record).includes(group.path) && anchorOf(record, group.path) === content;
      if (together.has(record.id) && mayConcern(record, group.path)) found.set(record.id, 'same-commit');
      else if (content !== undefined && isLeft) found.set(record.id, group.commit ? 'same-content' : 'uncommitted');
    }
    return found;
  });
  const placed = new Set(strong.flatMap((found) => [...found.keys()]));
  const rest = records.filter((record) => !placed.has(record.id));
  const weak = await nextChanges(workspace, groups, rest);
  return groups.map((group, i) => {
    const found = [...(strong[i] ?? []), ...(weak[i] ?? [])].map(([id, evidence]) => ({ id, evidence }));
    return { ...group, records: found.sort((a, b) => ORDER.indexOf(a.evidence) - ORDER.indexOf(b.evidence)) };
  });
}

const ORDER: Evidence[] = ['same-commit', 'same-content', 'next-change', 'uncommitted'];

/** For each group, the records whose work began before it and landed in it. */
async function nextChanges(
  workspace: Workspace,
  groups: BlamedLines[],
  records: MemoryRecord[],
): Promise<Map<string, Evidence>[]> {
  const found = groups.map(() => new Map<string, Evidence>());
  const revision = workspace.at ?? 'HEAD';
  for (const path of new Set(groups.map((group) => group.path))) {
    const concerned = records.filter((record) => changed(record).includes(path));
    const starts = [...new Set(concerned.flatMap(({ commit }) => commit ?? []))].slice(0, MOST_LANDINGS);
    for (const from of starts) {
      const landing = await landingOf(workspace, { from, files: [path], revision });
      const isOpen = landing === undefined && (await isBefore(workspace, from, revision));
      for (const [i, group] of groups.entries()) {
        if (group.path !== path || (group.commit ? group.commit.commit !== landing : !isOpen)) continue;
        const evidence = group.commit ? 'next-change' : 'uncommitted';
        for (const record of concerned) if (record.commit === from) found[i]?.set(record.id, evidence);
      }
    }
  }
  return found;
}

/** The ids of the records whose files each of the commits added. */
async function addedRecords(workspace: Workspace, groups: BlamedLines[]): Promise<Map<string, Set<string>>> {
  const boundary = shallowCommits(workspace.checkout.commonDir);
  const commits = new Set(groups.flatMap(({ commit }) => commit?.commit ?? []).filter((id) => !boundary.has(id)));
  const input = [...commits].map((commit) => `${commit}\n`).join('');
  const args = ['diff-tree', '--stdin', '-r', '--root', '--name-only', '-z', '--no-renames', '--diff-filter=A'];
  const output = await askGit(workspace, [...args, '--', '.memory'], input);
  const added = new Map<string, Set<string>>();
  let ids = new Set<string>();
  for (const part of (output ?? '').split('\0')) {
    const id = part.startsWith('.memory/') ? parseFileName(part)?.id : undefined;
    if (id !== undefined) ids.add(id);
    else if (commits.has(part.trim())) {
      ids = new Set();
      added.set(part.trim(), ids);
    }
  }
  return added;
}

/** The blob of the file in each group's commit, or in the working tree. */
async function contentsOf(workspace: Workspace, groups: BlamedLines[]): Promise<(string | undefined)[]> {
  const { checkout, env, format } = workspace;
  const expressions = groups.map(({ commit, path }) => `${commit?.commit ?? ''}:${path}`);
  const found = (await objectIds(checkout.root, expressions, env)) ?? [];
  return groups.map(({ commit, path }, i) => {
    if (commit !== undefined) return found[i];
    const files = folderFiles(checkout.root);
    return files.state(path)?.isFile ? blobId(files.bytes(path), format) : undefined;
  });
}

/** The files that a record says it changed. */
function changed(record: MemoryRecord): string[] {
  if (record.kind === 'observation') return record.files_modified;
  return record.kind === 'summary' ? record.files_edited : [];
}

function anchorOf(record: MemoryRecord, path: string): string | undefined {
  return record.kind === 'observation' ? record.anchors[path] : undefined;
}

/** Tells whether a record of a commit cites the file, or nothing at all: a squashed branch adds many records. */
function mayConcern(record: MemoryRecord, path: string): boolean {
  if (!isContent(record)) return false;
  const cited = [...changed(record), ...record.files_read];
  return cited.length === 0 || cited.includes(path);
}
