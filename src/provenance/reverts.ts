import { COMMAND_PATIENCE_MS, objectIds, readGit } from '../repo/objects.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Version } from './salvage-sources.ts';

/** A commit of HEAD's history that takes another one back, and that nothing took back since. */
export interface Revert {
  commit: string;
  subject: string;
  /** The commit that was taken back. */
  target: string;
}

/** More of them are not looked at, newest first: each costs a comparison of trees. */
const MOST = 500;

/**
 * The reverts that stand, newest first, by the sentence that `git revert` writes: `This reverts commit ID`. A revert that
 * was reverted itself does not stand. One child reads the messages, another says which of these commits are here.
 */
export async function standingReverts(workspace: Workspace): Promise<Revert[]> {
  const format = ['--format=%x01%H%x00%s%x00%b', '--no-color', '--no-notes'];
  const grep = ['-E', '-i', '--grep=this reverts commit [0-9a-f]{7,}'];
  const revision = workspace.at ?? 'HEAD';
  const output = await ask(workspace, ['-c', 'log.showSignature=false', 'log', ...format, ...grep, revision, '--']);
  const said = (output ?? '').split('\u0001').flatMap((entry) => {
    const [commit = '', subject = '', body = ''] = entry.split('\0');
    const targets = [...body.matchAll(/this reverts commit ([0-9a-f]{7,64})/gi)].map(([, id = '']) => id);
    return targets.map((target) => ({ commit, subject, target }));
  });
  const { checkout, env } = workspace;
  const newest = said.slice(0, MOST);
  const full = await objectIds(
    checkout.root,
    newest.map(({ target }) => `${target}^{commit}`),
    env,
  );
  const undone = new Set<string>();
  // The log is newest first, so what takes a revert back comes before it.
  return newest.flatMap((one, i) => {
    const target = full?.[i];
    if (target === undefined || undone.has(one.commit)) return [];
    undone.add(target);
    return [{ ...one, target }];
  });
}

/**
 * The reverts behind records that tell of what was taken back, by the records' ids: a record that came with a commit that
 * was reverted, or one whose work is in it, because a file that it says it modified has there the content of its anchor.
 */
export async function revertsBehind(
  workspace: Workspace,
  records: Pick<StoredRecord, 'record' | 'entry'>[],
): Promise<Map<string, Revert>> {
  const found = new Map<string, Revert>();
  const reverts = records.length === 0 ? [] : await standingReverts(workspace);
  if (reverts.length === 0) return found;
  const changes = await changesOf(workspace, [...new Set(reverts.map(({ target }) => target))]);
  const byTarget = new Map(reverts.map((revert) => [revert.target, revert]));
  const brought = new Map<string, Revert>();
  for (const { commit, path, before, after } of changes) {
    const revert = byTarget.get(commit);
    if (revert === undefined || after === undefined) continue;
    brought.set(`${after} ${path}`, revert);
    if (before === undefined) brought.set(path, revert);
  }
  for (const { record, entry } of records) {
    if (record.kind !== 'observation' && record.kind !== 'summary') continue;
    const anchors = record.kind === 'observation' ? record.anchors : {};
    const work = record.kind === 'observation' ? record.files_modified : [];
    const own = entry.store === 'team' ? brought.get(`.memory/${entry.path}`) : undefined;
    const revert = own ?? work.map((path) => brought.get(`${anchors[path]} ${path}`)).find((one) => one !== undefined);
    if (revert !== undefined) found.set(record.id, revert);
  }
  return found;
}

/** The files of `.memory/` that standing reverts deleted: what was tried and taken back, where its reason is worth most. */
export async function takenBack(workspace: Workspace): Promise<Version[]> {
  const reverts = await standingReverts(workspace);
  const byCommit = new Map(reverts.map((revert) => [revert.commit, revert]));
  const changes = await changesOf(workspace, [...byCommit.keys()], ['--', '.memory']);
  return changes.flatMap(({ commit, path, before, after }) => {
    if (before === undefined || after !== undefined) return [];
    const from = `tried and taken back by ${commit.slice(0, 8)}: ${byCommit.get(commit)?.subject ?? ''}`;
    return [{ path: path.slice('.memory/'.length), from, content: before }];
  });
}

interface Change {
  commit: string;
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** What commits change against their first parents, file by file; one child. */
async function changesOf(workspace: Workspace, commits: string[], paths: string[] = []): Promise<Change[]> {
  if (commits.length === 0) return [];
  const how = ['-r', '-z', '--root', '--no-abbrev', '--no-renames', '--diff-merges=first-parent'];
  const output = await ask(workspace, ['diff-tree', '--stdin', ...how, ...paths], `${commits.join('\n')}\n`);
  const parts = (output ?? '').split('\0');
  const changes: Change[] = [];
  let commit = '';
  for (let i = 0; i < parts.length; i++) {
    const part = (parts[i] ?? '').trim();
    const [, before = '', after = ''] = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /.exec(part) ?? [];
    if (before === '') commit = part;
    else changes.push({ commit, path: parts[++i] ?? '', before: blobOf(before), after: blobOf(after) });
  }
  return changes;
}

function blobOf(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}

async function ask({ checkout, env }: Workspace, args: string[], input = ''): Promise<string | undefined> {
  return (await readGit(checkout.root, args, env, { input, patienceMs: COMMAND_PATIENCE_MS }))?.toString('utf8');
}
