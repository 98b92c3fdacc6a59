import { GitMemError } from '../errors.ts';
import { askGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { CommitInfo } from './recorded.ts';

/** Lines of a file, both ends included, from 1. */
export interface LineRange {
  from: number;
  /** Undefined: to the end. */
  to?: number;
}

/** The lines that one commit gave a file. */
export interface BlamedLines {
  /** Undefined for uncommitted lines. */
  commit?: CommitInfo;
  /** The file's path in that commit. */
  path: string;
  lines: { from: number; to: number }[];
}

export interface BlameQuestion {
  path: string;
  range: LineRange | undefined;
}

/**
 * The result of `git blame` for a file, ignoring white space, grouped by commit in the order of the lines. Renames are
 * followed, as git does. Throws bad-input for a file or lines that git does not know.
 */
export async function blameLines(workspace: Workspace, question: BlameQuestion): Promise<BlamedLines[]> {
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
  return grouped(output, path);
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
