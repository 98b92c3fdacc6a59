import { GitMemError } from '../errors.ts';
import { askGit, parseRawLog } from '../git/objects.ts';
import { shallowCommits } from '../git/shallow.ts';
import { isContent } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { reasonIn } from './commit-message.ts';
import { type CommitInfo, citedFiles, commitsNamed, recordedIn } from './recorded.ts';
import type { Judged } from './relations.ts';
import { commitsOfSession } from './why.ts';

/** Lines of a file with the reason for them. */
export interface Blamed extends BlamedLines {
  /** What the commit's message says below its subject, in whole sentences; empty if nothing. */
  reason: string;
  /** The ids of the records of that commit; those that cite the file come first. */
  records: string[];
}

/** Finds the records in these files of the team's store and of the sessions that saw these commits, newest first. */
type RecordsOfCommits = (commits: ReadonlySet<string>, files: readonly string[]) => Promise<Judged[]>;

/**
 * The commits that wrote the lines of a file, by `git blame`, with the records that were recorded in each of them and
 * those of this clone's sessions that made it. Throws bad-input for a file or lines that git does not know.
 */
export async function blame(workspace: Workspace, question: BlameQuestion, find: RecordsOfCommits): Promise<Blamed[]> {
  const groups = await blameLines(workspace, question);
  const commits = new Set(groups.flatMap(({ commit }) => commit?.commit ?? []));
  const files = await memoryFilesOf(workspace, commits);
  const [logged, records] = await Promise.all([commitsNamed(workspace, commits), find(commits, files)]);
  const reasons = new Map(
    logged.map(({ commit, message }) => {
      // What follows the first paragraph, which is the subject.
      return [commit, reasonIn(message.split('\n\n').slice(1).join('\n\n'))];
    }),
  );
  const together = await recordsOf(workspace, { commits, files }, records);
  return groups.map((group) => {
    const id = group.commit?.commit ?? '';
    const found = together.get(id) ?? [];
    const isAbout = ({ record }: Judged) => Number(citedFiles(record).includes(group.path));
    const ordered = found.toSorted((a, b) => isAbout(b) - isAbout(a));
    return { ...group, reason: reasons.get(id) ?? '', records: ordered.map(({ record }) => record.id) };
  });
}

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
    if (!isContent(record)) continue;
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
  const output = await askGit(workspace, ['diff-tree', ...how, '--raw', '--', ':(top).memory'], commits);
  const paths = parseRawLog(output ?? '').flatMap(({ changes }) => changes.map(({ path }) => path));
  return [...new Set(paths.map((path) => path.slice('.memory/'.length)))];
}

/** Lines of a file, both ends included, from 1. */
export interface LineRange {
  from: number;
  /** Undefined: to the end. */
  to?: number;
}

/** The lines that one commit gave a file. */
interface BlamedLines {
  /** Undefined for uncommitted lines, and for those from before the history here. */
  commit?: CommitInfo;
  /** The lines are as old as a shallow clone's oldest commit or older: git names that one, whoever wrote them. */
  isBeforeHistory?: boolean;
  /** The file's path in that commit. */
  path: string;
  lines: { from: number; to: number }[];
}

interface BlameQuestion {
  path: string;
  range: LineRange | undefined;
}

/**
 * The result of `git blame` for a file, ignoring white space, grouped by commit in the order of the lines. Renames are
 * followed, as git does. Throws bad-input for a file or lines that git does not know.
 */
async function blameLines(workspace: Workspace, question: BlameQuestion): Promise<BlamedLines[]> {
  const { at } = workspace;
  const { path, range } = question;
  const args = [
    ...['-c', 'core.quotePath=false', 'blame', '--no-textconv', '--porcelain', '-w'],
    ...(range ? ['-L', `${range.from},${range.to ?? ''}`] : []),
    ...(at === undefined ? [] : [at]),
    ...['--', path],
  ];
  const output = await askGit(workspace, args);
  if (output === undefined) {
    const lines = range ? ` or does not have lines ${range.from} to ${range.to ?? 'the end'}` : '';
    throw new GitMemError('bad-input', `git does not know ${path}${at ? ` in ${at.slice(0, 8)}` : ''}${lines}.`, {
      hint: 'Give a file that is tracked, and lines as in src/auth.ts:10-20.',
    });
  }
  const ends = shallowCommits(workspace.checkout.commonDir);
  return grouped(output, path).map(({ commit, ...rest }) => {
    if (commit === undefined) return rest;
    return ends.has(commit.commit) ? { ...rest, isBeforeHistory: true } : { ...rest, commit };
  });
}

/** Parses git's porcelain format: a header per line, a commit's details at its first line, the line after a tab. */
function grouped(output: string, asked: string): BlamedLines[] {
  const groups = new Map<string, BlamedLines>();
  const details = new Map<string, Map<string, string>>();
  let current: { id: string; line: number } | undefined;
  for (const text of output.split('\n')) {
    if (text.startsWith('\t')) {
      if (current) addLine(groups, current, details.get(current.id) ?? new Map(), asked);
      current = undefined;
    } else if (current === undefined) {
      const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text);
      if (header?.[1] !== undefined) current = { id: header[1], line: Number(header[2]) };
    } else {
      const space = text.indexOf(' ');
      const known = details.get(current.id) ?? new Map<string, string>();
      if (space > 0) known.set(text.slice(0, space), text.slice(space + 1));
      details.set(current.id, known);
    }
  }
  return [...groups.values()];
}

function addLine(
  groups: Map<string, BlamedLines>,
  { id, line }: { id: string; line: number },
  known: Map<string, string>,
  asked: string,
): void {
  const name = known.get('filename') ?? asked;
  // A quoted name contains characters that no record cites anyway.
  const path = name.startsWith('"') ? asked : name;
  const key = `${id} ${path}`;
  const group = groups.get(key) ?? { ...commitOf(id, known), path, lines: [] };
  groups.set(key, group);
  const last = group.lines.at(-1);
  if (last?.to === line - 1) last.to = line;
  else group.lines.push({ from: line, to: line });
}

function commitOf(id: string, known: Map<string, string>): Pick<BlamedLines, 'commit'> {
  if (/^0+$/.test(id)) return {};
  const timeOf = (key: string) => new Date(Number(known.get(key) ?? 0) * 1000).toISOString().replace('.000', '');
  const date = timeOf('author-time');
  return { commit: { commit: id, author: known.get('author') ?? '', date, subject: known.get('summary') ?? '' } };
}
