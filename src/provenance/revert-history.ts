import { objectOrNone } from '../git/object-id.ts';
import { askGit, objectIds } from '../git/objects.ts';
import { parseRawLog } from '../git/raw-log.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { requestNamedIn } from './pull-request.ts';
import { isPartial, plainSubject, readReapplication, readRevert } from './revert-words.ts';
import { effective, type Revert, type RevertHistory } from './reverts.ts';
import type { Version } from './salvage-sources.ts';

/** Most reverts that are examined, newest first: each costs a comparison of trees, and a place in the cache. */
const MOST = 500;

/** A commit that changes more files than this is a move or an import of foreign code, and too much to keep. */
const MOST_FILES = 2000;

/** Every message that reverts or reapplies something contains one of these. */
const WORDS = 'revert|back(s|ed|ing)?[ -]?out|roll(s|ed|ing)?[ -]?back|undo|re-?(apply|applie|land)';

/**
 * Reads the reverts in the history of a workspace's commit. If the history continues the `known` one, only the new
 * commits are read. Undefined if git does not answer.
 */
export async function readReverts(workspace: Workspace, known?: RevertHistory): Promise<RevertHistory | undefined> {
  const { checkout, env, at } = workspace;
  const [commit] = (await objectIds(checkout.root, [`${at ?? 'HEAD'}^{commit}`], env)) ?? [];
  if (commit === undefined || commit === known?.commit) return known;
  const isLater =
    known !== undefined &&
    (await askGit(workspace, ['merge-base', '--is-ancestor', known.commit, commit])) !== undefined;
  const found = await revertsIn(workspace, commit, isLater ? known.commit : undefined);
  if (found === undefined) return undefined;
  const reverts = [...found, ...(isLater ? known.reverts : [])].slice(0, MOST);
  const work = new Map(known?.work);
  const targets = new Set(effective(reverts).map(({ target }) => target));
  const unknown = [...targets].filter((target) => !work.has(target));
  const changes = await changesOf(workspace, unknown);
  if (changes === undefined) return undefined;
  for (const target of targets) if (!work.has(target)) work.set(target, []);
  for (const { commit: target, path, before, after } of changes) {
    if (after !== undefined) work.get(target)?.push({ path, blob: after, isNew: before === undefined });
  }
  for (const [target, files] of work) if (!targets.has(target) || files.length > MOST_FILES) work.delete(target);
  return { commit, reverts, work };
}

/** The files of `.memory/` that effective reverts deleted: the reason for a reverted attempt is worth the most. */
export async function takenBack(workspace: Workspace): Promise<Version[]> {
  const { reverts } = (await readReverts(workspace)) ?? { reverts: [] };
  const byCommit = new Map(effective(reverts).map((revert) => [revert.commit, revert]));
  const changes = await changesOf(workspace, [...byCommit.keys()], ['--', '.memory']);
  return (changes ?? []).flatMap(({ commit, path, before, after }) => {
    if (before === undefined || after !== undefined) return [];
    const from = `tried and taken back by ${commit.slice(0, 8)}: ${byCommit.get(commit)?.subject ?? ''}`;
    return [{ path: path.slice('.memory/'.length), from, content: before }];
  });
}

/** The reverts among the commits up to one, newest first, without those in the history of `since`. */
async function revertsIn(workspace: Workspace, commit: string, since: string | undefined) {
  const format = ['--format=%x01%H%x00%s%x00%b', '--no-color', '--no-notes', '--no-show-signature'];
  const range = since === undefined ? [commit] : [commit, `^${since}`];
  const output = await askGit(workspace, ['log', ...format, '-E', '-i', `--grep=${WORDS}`, ...range, '--']);
  if (output === undefined) return undefined;
  const messages = output.split('\u0001').map((entry) => {
    const [id = '', subject = '', body = ''] = entry.split('\0');
    return { id, subject, body };
  });
  const said = messages.flatMap((message) => {
    const again = readReapplication(message.subject);
    const back = readRevert(message) ?? (again === undefined ? undefined : { ids: [], requests: [], subject: again });
    return back === undefined || isPartial(message) ? [] : [{ message, back, isAgain: again !== undefined }];
  });
  const newest = said.slice(0, MOST);
  const named = newest.flatMap(({ back }) => back.ids.map((id) => `${id}^{commit}`));
  const full = (await objectIds(workspace.checkout.root, named, workspace.env)) ?? [];
  const idOf = new Map(named.map((name, i) => [name, full[i]]));
  const isNameless = newest.some(({ back }) => back.ids.every((id) => idOf.get(`${id}^{commit}`) === undefined));
  const older = isNameless ? await olderCommits(workspace, commit) : undefined;
  return newest.flatMap(({ message: { id, subject }, back, isAgain }): Revert[] => {
    const byId = back.ids.flatMap((name) => idOf.get(`${name}^{commit}`) ?? []);
    const targets = byId.length > 0 ? byId : [older?.(id, back, isAgain)];
    return targets.flatMap((target) =>
      target === undefined || target === id ? [] : [{ commit: id, subject, target }],
    );
  });
}

/**
 * Finds the commit that a message names by its subject, or by its pull request's number: the newest older one. For a
 * reapplied subject, it is the revert of that subject.
 */
async function olderCommits(workspace: Workspace, head: string) {
  const format = ['--format=%H%x00%s', '--no-color', '--no-notes', '--no-show-signature'];
  const lines = ((await askGit(workspace, ['log', ...format, head, '--'])) ?? '').split('\n');
  const placeOf = new Map<string, number>();
  const byName = new Map<string, string[]>();
  lines.forEach((line, place) => {
    const [id = '', subject = ''] = line.split('\0');
    placeOf.set(id, place);
    const reverted = readRevert({ subject, body: '' })?.subject;
    const again = reverted === undefined ? [] : [`again ${plainSubject(reverted)}`];
    for (const name of [plainSubject(subject), requestNamedIn(subject) ?? '', ...again]) {
      if (name !== '') byName.set(name, [...(byName.get(name) ?? []), id]);
    }
  });
  return (id: string, { subject, requests }: { subject?: string; requests: string[] }, isAgain: boolean) => {
    const place = placeOf.get(id) ?? 0;
    const plain = plainSubject(subject ?? '');
    const own = requestNamedIn(lines[place]?.split('\0')[1] ?? '');
    const numbers = requests.map((number) => `#${number}`).filter((number) => number !== own);
    for (const name of [isAgain ? `again ${plain}` : plain, ...(isAgain ? [] : numbers)]) {
      const found = byName.get(name)?.find((one) => (placeOf.get(one) ?? 0) > place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

interface Change {
  commit: string;
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** The changes of commits against their first parents, file by file; one child. */
async function changesOf(workspace: Workspace, commits: string[], paths: string[] = []): Promise<Change[] | undefined> {
  if (commits.length === 0) return [];
  const how = ['-r', '-z', '--root', '--no-abbrev', '--no-renames', '--diff-merges=first-parent'];
  const output = await askGit(workspace, ['diff-tree', '--stdin', ...how, ...paths], `${commits.join('\n')}\n`);
  if (output === undefined) return undefined;
  return parseRawLog(output).flatMap(({ head, changes }) =>
    changes.map(({ path, before, blob }) => {
      return { commit: head, path, before: objectOrNone(before), after: objectOrNone(blob) };
    }),
  );
}
