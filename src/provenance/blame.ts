import { askGit, parseRawLog } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type BlamedLines, type BlameQuestion, blameLines } from './blame-lines.ts';
import { reasonIn } from './commit-message.ts';
import { citedFiles, recordedIn } from './recorded.ts';
import type { Judged } from './relations.ts';
import { commitsOfSession } from './why.ts';

/** Lines of a file with the reason for them. */
export interface Blamed extends BlamedLines {
  /** What the commit's message says below its subject, in whole sentences; empty if nothing. */
  reason: string;
  /** The ids of the records of that commit; those that cite the file come first. */
  records: string[];
}

/** Gives the records, newest first, in these files of the team's store, and of the sessions that saw these commits. */
export type RecordsOfCommits = (commits: ReadonlySet<string>, files: readonly string[]) => Promise<Judged[]>;

/**
 * The commits that wrote the lines of a file, by `git blame`, with the records that were recorded in each of them and those
 * of this clone's sessions in which the commit was made. Throws bad-input for a file or lines that git does not know.
 */
export async function blame(workspace: Workspace, question: BlameQuestion, find: RecordsOfCommits): Promise<Blamed[]> {
  const groups = await blameLines(workspace, question);
  const commits = new Set(groups.flatMap(({ commit }) => commit?.commit ?? []));
  const files = await memoryFilesOf(workspace, commits);
  const [reasons, records] = await Promise.all([reasonsOf(workspace, [...commits]), find(commits, files)]);
  const together = await recordsOf(workspace, { commits, files }, records);
  return groups.map((group) => {
    const id = group.commit?.commit ?? '';
    const found = together.get(id) ?? [];
    const isAbout = ({ record }: Judged) => Number(citedFiles(record).includes(group.path));
    const ordered = found.toSorted((a, b) => isAbout(b) - isAbout(a));
    return { ...group, reason: reasons.get(id) ?? '', records: ordered.map(({ record }) => record.id) };
  });
}

/** The records of each commit, by its id. */
async function recordsOf(
  workspace: Workspace,
  { commits, files }: { commits: ReadonlySet<string>; files: readonly string[] },
  records: Judged[],
): Promise<Map<string, Judged[]>> {
  const found = new Map<string, Judged[]>();
  const recorded = await recordedIn(workspace, files);
  const sessions = new Map<string, ReadonlySet<string>>();
  for (const one of records) {
    const { record, entry } = one;
    // A digest is not a record of its own: it says what its session did.
    if (record.kind !== 'observation' && (record.kind !== 'summary' || record.type === 'digest')) continue;
    const { session = '' } = record;
    if (!sessions.has(session)) sessions.set(session, new Set(commitsOfSession(records, record.session)));
    const at = entry.store === 'team' ? recorded.get(entry.path) : undefined;
    const own = new Set([...(sessions.get(session) ?? [])].filter((commit) => commits.has(commit)));
    if (typeof at === 'object' && commits.has(at.commit)) own.add(at.commit);
    for (const commit of own) found.set(commit, [...(found.get(commit) ?? []), one]);
  }
  return found;
}

/** The files of the team store that these commits added. */
async function memoryFilesOf(workspace: Workspace, commits: ReadonlySet<string>): Promise<string[]> {
  if (commits.size === 0) return [];
  const how = ['--stdin', '-r', '-c', '--root', '--no-abbrev', '--no-renames', '--diff-filter=A', '-z'];
  const input = [...commits].map((commit) => `${commit}\n`).join('');
  const output = await askGit(workspace, ['diff-tree', ...how, '--raw', '--', ':(top).memory'], input);
  const paths = parseRawLog(output ?? '').flatMap(({ changes }) => changes.map(({ path }) => path));
  return [...new Set(paths.map((path) => path.slice('.memory/'.length)))];
}

/** What the messages of commits say below their subjects. */
async function reasonsOf(workspace: Workspace, commits: string[]): Promise<Map<string, string>> {
  if (commits.length === 0) return new Map();
  const how = ['--stdin', '--no-walk=unsorted', '--no-show-signature', '--no-color', '--no-notes'];
  const input = commits.map((commit) => `${commit}\n`).join('');
  const output = await askGit(workspace, ['log', ...how, '--format=%H%x00%b%x01'], input);
  return new Map(
    (output ?? '').split('\u0001').map((entry) => {
      const [commit = '', body = ''] = entry.trim().split('\0');
      return [commit, reasonIn(body)];
    }),
  );
}
